"""scripts.py COUNT writes shell scripts with things that shellcheck notes; one compares with a fraction, one lacks a separator."""
import os
import sys

from words import noun, rand, unique, verb

os.makedirs("bin")
for n, name in enumerate(sorted(unique(lambda: f"{verb()}-{noun()}", int(sys.argv[1])))):
    a, b = noun(), noun()
    lines = ["#!/bin/bash", f"{a}_dir=/var/lib/{a}", f"{b}=$1"]
    for _ in range(rand.randrange(2, 7)):
        v = noun()
        lines += rand.choice([[f"cd ${a}_dir"], [f"for f in $(find . -name '*.{v}'); do", "  cp $f $1", "done"], [f"{v}=`date +%s`"],
                              [f"echo \"{v} failed\" > $2"], [f"cat ${b} | grep {v}"], [f"[ $? = 0 ] && rm -rf $1/{v}"], [f"read {v}"]])
    if n == 43:
        lines += ["if [ -n \"$1\" ] then", "  exit 3", "fi"]
    if n == 66:
        lines += ["if [[ $1 -gt 3.5 ]]; then", "  exit 3", "fi"]
    open(f"bin/{name}.sh", "w").write("\n".join(lines) + "\n")
