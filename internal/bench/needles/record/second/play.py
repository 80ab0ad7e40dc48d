"""play.py HOSTS TASKS writes an inventory of names for this machine, and a play."""
import sys

from words import noun, rand, unique, verb

hosts, tasks = int(sys.argv[1]), int(sys.argv[2])
names = [f"web{n:02d}.example.net" for n in range(1, hosts + 1)]
open("hosts", "w").write("[web]\n" + "".join(f"{n} ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n" for n in names))
text = "- hosts: web\n  gather_facts: false\n  tasks:\n"
for n, (package, action) in enumerate(zip(unique(noun, tasks), unique(verb, tasks))):
    text += f"    - name: the {package} {action} its {noun()}\n"
    if n == 6:
        text += "      command: \"{{ 'ls /etc/haproxy/certs/shop.pem' if inventory_hostname == 'web17.example.net' else 'true' }}\"\n"
    elif n % 4 == 0:
        text += f"      debug:\n        msg: \"{{{{ inventory_hostname }}}}: {package} {rand.randrange(9)}.{rand.randrange(20)}, failed=0\"\n"
    elif n % 4 == 1:
        text += f"      set_fact:\n        {package}: {rand.randrange(99)}\n"
    elif n % 4 == 2:
        text += f"      assert:\n        that: \"'{package}' is string\"\n"
    else:
        text += f"      debug:\n        msg: {package}\n      loop: [{noun()}, {noun()}, {noun()}]\n"
open("play.yml", "w").write(text)
