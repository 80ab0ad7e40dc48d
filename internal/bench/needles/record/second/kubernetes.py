"""kubernetes.py LINES prints pods' logs and events of a namespace, as kubectl does; one container is out of memory."""
import sys
from datetime import datetime, timedelta

from words import noun, rand, verb

rand.seed(5)
now = datetime(2026, 5, 19, 12, 0)
letters = "bcdfghjklmnpqrstvwxz2456789"
pods = [f"{d}-{''.join(rand.choices(letters, k=9))}-{''.join(rand.choices(letters, k=5))}" for d in ["cart", "search", "search", "mailer", "gateway", "gateway"]]
lines = int(sys.argv[1])
for n in range(lines):
    now += timedelta(microseconds=rand.randrange(900000))
    pod = rand.choice(pods)
    container = pod.split("-")[0]
    text = rand.choice([f"level=info msg=\"{noun()} {verb()}\" took={rand.randrange(900)}ms", f"level=info msg=\"handled request\" route=/{noun()} status=200 errors=0",
                        f"level=debug msg=\"lease renewed\" holder={pod} failures=0"])
    if n == lines // 3:
        container, pod = "search", pods[1]
        text = "level=info msg=\"index rebuild started\" documents=1840022"
    print(f"[pod/{pod}/{container}] {now:%Y-%m-%dT%H:%M:%S.%f}000Z {text}")
print()
print("LAST SEEN   TYPE      REASON             OBJECT" + " " * 30 + "MESSAGE")
for n in range(1200):
    pod = rand.choice(pods)
    image = f"example.com/shop/{pod.split('-')[0]}:4.{rand.randrange(30)}"
    kind, reason, text = rand.choice([("Normal", "Scheduled", f"Successfully assigned shop/{pod} to node-{rand.randrange(9)}"), ("Normal", "Pulled", f'Container image "{image}" already present on machine'),
                                      ("Normal", "Created", "Created container " + pod.split("-")[0]), ("Normal", "Started", "Started container " + pod.split("-")[0])])
    if n == 402:
        pod, kind, reason, text = pods[1], "Warning", "OOMKilling", "Memory cgroup out of memory: Killed process 20811 (search) total-vm:4194304kB"
    if n == 403:
        pod, kind, reason, text = pods[1], "Warning", "BackOff", f"Back-off restarting failed container search in pod {pods[1]}_shop"
    print(f"{f'{59 - n // 21}m':12}{kind:10}{reason:19}{'pod/' + pod:36}{text}")
