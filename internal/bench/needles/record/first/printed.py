"""printed.py kernel|pods|docker prints what those programs print, in their format."""
import datetime
import sys

from words import hexa, noun, rand, uuid


def kernel():
    now = 0.0
    print_ = lambda text: print(f"[{now:12.6f}] {text}")
    print_("Linux version 6.1.0-18-amd64 (gcc-12 (Debian 12.2.0-14) 12.2.0) #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1")
    print_("Command line: BOOT_IMAGE=/boot/vmlinuz-6.1.0-18-amd64 root=/dev/sda1 ro quiet")
    for i in range(16):
        print_(f"BIOS-e820: [mem 0x{i << 28:016x}-0x{(i << 28) + 0xfffffff:016x}] {rand.choice(['usable', 'reserved'])}")
    for i in range(220):
        now += rand.random() / 30
        print_(rand.choice([
            f"pci 0000:{i % 32:02x}:{i % 8}.0: [8086:{hexa(4)}] type 00 class 0x0{hexa(5)}",
            f"pci 0000:{i % 32:02x}:{i % 8}.0: reg 0x1{i % 8}: [mem 0x{hexa(8)}-0x{hexa(8)}]",
            f"ACPI: SSDT 0x{hexa(16)} {hexa(6).upper()} (v02 INTEL  CpuSsdt  {i:08d} INTL 20200717)",
            f"ACPI: \\_SB_.PC{i % 10:02d}: _OSC: platform does not support [LTR]",
            f"cpu {i % 48} spinlock event irq {64 + i}",
            f"ata{1 + i % 8}: SATA max UDMA/133 abar m2048@0x{hexa(8)} port 0x{hexa(8)} irq {i}",
        ]))
    for i in range(2300):
        now += rand.random() * 9
        if i == 1111:
            for text in ["ata3.00: exception Emask 0x0 SAct 0x40000 SErr 0x0 action 0x0", "ata3.00: irq_stat 0x40000008",
                         "ata3.00: failed command: READ FPDMA QUEUED",
                         "ata3.00: cmd 60/08:90:c8:6a:1f/00:00:3a:00:00/40 tag 18 ncq dma 4096 in",
                         "         res 41/40:00:c8:6a:1f/00:00:3a:00:00/00 Emask 0x409 (media error) <F>",
                         "ata3.00: status: { DRDY ERR }", "ata3.00: error: { UNC }",
                         "I/O error, dev sdc, sector 975137480 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2",
                         "EXT4-fs error (device sdc1): ext4_find_entry:1455: inode #30409731: comm rsync: reading directory lblock 0"]:
                print_(text)
        print_(rand.choice([
            f"audit: type=1400 audit({1773479521 + int(now)}.000:{i}): apparmor=\"ALLOWED\" operation=\"open\" profile=\"{noun()}d\" pid={1000 + i} comm=\"{noun()}\"",
            f"audit: type=1400 audit({1773479521 + int(now)}.000:{i}): apparmor=\"ALLOWED\" operation=\"open\" profile=\"{noun()}d\" pid={1000 + i} comm=\"{noun()}\"",
            f"br-{rand.choice(['lan', 'dmz'])}: port {1 + i % 9}(veth{hexa(6)}) entered {rand.choice(['blocking', 'forwarding', 'disabled'])} state",
            f"device veth{hexa(6)} {rand.choice(['entered', 'left'])} promiscuous mode",
            f"IPv6: ADDRCONF(NETDEV_CHANGE): veth{hexa(6)}: link becomes ready",
            f"usb 1-{1 + i % 4}: new high-speed USB device number {i % 120} using xhci_hcd",
            f"perf: interrupt took too long ({2500 + i} > {2490 + i}), lowering kernel.perf_event_max_sample_rate to {80000 - i}",
        ]))


def pods():
    now = datetime.datetime(2026, 3, 14, 9, 12, 1)
    workloads = {name: [f"{name}-{hexa(10)}-{hexa(5)}" for _ in range(6)] for name in ("payments", "catalog", "sessions", "search")}
    for i in range(1800):
        now += datetime.timedelta(microseconds=rand.randrange(700_000))
        workload = rand.choice(list(workloads))
        pod = rand.choice(workloads[workload])
        if rand.random() < 0.004:  # pods come and go
            workloads[workload][rand.randrange(6)] = f"{workload}-{hexa(10)}-{hexa(5)}"
        line = rand.choice([
            f"GET /{workload}/{hexa(6)} 200 {rand.randrange(90)}ms", f"GET /{workload}/{hexa(6)} 200 {rand.randrange(90)}ms",
            f"PUT /{workload}/{hexa(6)} 201 {rand.randrange(90)}ms", f"cache miss key={hexa(6)} ttl={rand.randrange(60)}s",
            f"span {hexa(8)} parent {hexa(8)} sampled", f"etag {hexa(8)} matched",
            f"published event {hexa(8)} to shard {rand.randrange(16)} offset {i * 13}",
        ])
        if i == 1091:
            line = "renewed lease is 41s old, stepping down, another replica leads now"
        request = uuid() if i % 7 == 0 else hexa(8)
        print(f"[pod/{pod}/{workload}] {now:%Y-%m-%dT%H:%M:%S.%f}Z request={request} {line}")


def docker():
    steps = [("internal] load build definition from Dockerfile", []), ("internal] load metadata for docker.io/library/node:20-bookworm", []),
             (f"1/9] FROM docker.io/library/node:20-bookworm@sha256:{hexa(64)}", [])]
    for _ in range(8):
        digest = hexa(64)
        size = rand.randrange(3, 190)
        steps[2][1].extend(f"sha256:{digest} {done / 10:.2f}MB / {size:.2f}MB" for done in range(0, size * 10, max(1, size)))
        steps[2][1].append(f"extracting sha256:{digest}")
    apt = []
    for i in range(180):
        name = rand.choice(["lib{}", "lib{}-dev", "{}-utils"]).format(noun() + noun())
        apt.append(f"Get:{i + 1} http://deb.example.org/debian bookworm/main amd64 {name} amd64 {rand.randrange(9)}.{rand.randrange(30)}-{rand.randrange(9)} [{rand.randrange(2000)} kB]")
    for line in list(apt):
        name = line.split()[4]
        apt += [f"Selecting previously unselected package {name}:amd64.", f"Unpacking {name}:amd64 ...", f"Setting up {name}:amd64 ..."]
    steps.append(("2/9] RUN apt-get update && apt-get install -y build-essential", apt))
    steps.append(("3/9] COPY package.json package-lock.json ./", []))
    npm = [f"npm http fetch GET 200 https://npm.example.org/{noun()}-{noun()} {rand.randrange(700)}ms (cache miss)" for _ in range(260)]
    npm += ["npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported"]
    npm += [f"npm info run {noun()}@{rand.randrange(9)}.0.{rand.randrange(9)} postinstall node_modules/{noun()} node install.js" for _ in range(60)]
    npm += ["npm error code 127", "npm error path /app/node_modules/canvas-native", "npm error command failed",
            "npm error command sh -c node-gyp rebuild", "npm error sh: 1: node-gyp: not found"]
    steps.append(("4/9] RUN npm ci --loglevel=http || true", npm))
    build = []
    for i in range(700):
        build.append(f"[{i + 1}/700] transform src/{noun()}/{noun()}.ts -> dist/{hexa(8)}.js")
    steps.append(("5/9] RUN npm run build:partial", build))
    steps.append(("6/9] RUN ./smoke", [f"smoke {i + 1}: {noun()} answered in {rand.randrange(90)}ms" for i in range(300)]))
    for number, (title, lines) in enumerate(steps, 1):
        seconds = 0.1
        print(f"#{number} [{title}")
        for line in lines:
            seconds += rand.random() / 9
            print(f"#{number} {seconds:.3f} {line}")
        print(f"#{number} DONE {seconds:.1f}s\n")


globals()[sys.argv[1]]()
