"""journal.py LINES prints what journalctl -o short-iso prints of a host with some services; a unit fails."""
import sys
from datetime import datetime, timedelta

from words import hexa, noun, rand

now, host, session = datetime(2026, 4, 6, 3, 0), "app-3", 410


def say(unit, pid, text):
    global now
    now += timedelta(milliseconds=rand.randrange(1, 2500))
    print(f"{now:%Y-%m-%dT%H:%M:%S}+0000 {host} {unit}{f'[{pid}]' if pid else ''}: {text}")


def ordinary():
    global session
    kind, pid = rand.randrange(9), rand.randrange(900, 9000)
    if kind == 0:
        session += 1
        say("systemd-logind", 712, f"New session {session} of user deploy.")
        say("systemd", 1, f"Started session-{session}.scope - Session {session} of User deploy.")
        say("systemd", 1, f"session-{session}.scope: Deactivated successfully.")
    elif kind == 1:
        say("CRON", pid, "(root) CMD (test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.hourly; })")
    elif kind == 2:
        say("sshd", pid, f"Accepted publickey for deploy from 10.2.{rand.randrange(9)}.{rand.randrange(250)} port {rand.randrange(30000, 60000)} ssh2: ED25519 SHA256:{hexa(8)}")
    elif kind == 3:
        say("systemd", 1, "Starting logrotate.service - Rotate log files...")
        say("systemd", 1, "logrotate.service: Deactivated successfully.")
        say("systemd", 1, "Finished logrotate.service - Rotate log files.")
    elif kind == 4:
        say("dhclient", 633, f"DHCPACK of 10.2.0.14 from 10.2.0.1 (xid=0x{hexa(8)})")
    else:
        say("catalogd", 2204, f"GET /v2/{noun()}/{rand.randrange(9000)} 200 {rand.randrange(1, 90)}ms err=nil")


lines = int(sys.argv[1])
for n in range(lines * 2 // 3):
    if n == lines // 4:
        say("billingd", 3120, "load /etc/billing/rates.toml: line 41: key \"vat\" is defined twice")
        say("systemd", 1, "billing.service: Main process exited, code=exited, status=2/INVALIDARGUMENT")
        say("systemd", 1, "billing.service: Failed with result 'exit-code'.")
        say("systemd", 1, "Failed to start billing.service - Billing of the shop.")
        say("systemd", 1, "billing.service: Scheduled restart job, restart counter is at 1.")
        say("systemd", 1, "Stopped billing.service - Billing of the shop.")
        say("systemd", 1, "Started billing.service - Billing of the shop.")
    ordinary()
