"""packages.py COUNT writes the trees of Debian packages; the postinst of one fails."""
import os
import sys

from words import noun, rand, unique

count = int(sys.argv[1])
kinds = ["lib{}{}", "lib{}-dev", "python3-{}", "{}-utils", "{}-common", "fonts-{}", "node-{}", "{}d"]
os.mkdir("pool")
os.mkdir("etc")
for i, package in enumerate(unique(lambda: rand.choice(kinds).format(noun(), rand.randrange(1, 9)), count)):
    version = f"{rand.randrange(9)}.{rand.randrange(30)}.{rand.randrange(9)}-{rand.randrange(1, 9)}" + rand.choice(["", "+deb12u1", "+b1"])
    directory = f"build/{package}"
    os.makedirs(directory + "/DEBIAN")
    os.makedirs(f"{directory}/usr/share/{package}")
    open(f"{directory}/usr/share/{package}/data", "w").write(package)
    open(directory + "/DEBIAN/control", "w").write(
        f"Package: {package}\nVersion: {version}\nArchitecture: {rand.choice(['amd64', 'all'])}\n"
        f"Maintainer: Packagers <packagers@example.org>\nDescription: {package}\n")
    script = ""
    if rand.random() < 0.15:
        script = f'echo "Created symlink /etc/systemd/system/multi-user.target.wants/{package}.service -> /lib/systemd/system/{package}.service."'
    if rand.random() < 0.05:
        script = f'echo "update-alternatives: using /usr/bin/{package} to provide /usr/bin/{noun()} ({noun()}) in auto mode"'
    if i == count * 2 // 5:
        script = 'echo "chown: invalid user: \'mediaworker:mediaworker\'" >&2\nexit 1'
    if script:
        open(directory + "/DEBIAN/postinst", "w").write("#!/bin/sh\n" + script + "\n")
        os.chmod(directory + "/DEBIAN/postinst", 0o755)
