"""hub.py COUNT makes a repository with submodules beside it, one of which lost the commit that is recorded."""
import os
import subprocess
import sys

from words import noun, rand, unique

count = int(sys.argv[1])


def git(*arguments, at="."):
    subprocess.run(["git", "-C", at, *arguments], check=True, capture_output=True)


names = sorted(unique(lambda: f"{rand.choice(['lib', 'plugin', 'theme', 'driver'])}-{noun()}", count))
os.makedirs("top")
git("init", at="top")
modules = ""
for i, name in enumerate(names):
    os.makedirs(name)
    git("init", at=name)
    open(f"{name}/README", "w").write(name + "\n")
    git("add", ".", at=name)
    git("commit", "-m", "start", at=name)
    head = subprocess.run(["git", "-C", name, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    if i == count // 3:
        head = head[::-1]
    modules += f'[submodule "{name}"]\n\tpath = modules/{name}\n\turl = /srv/hub/{name}\n'
    git("update-index", "--add", "--cacheinfo", f"160000,{head},modules/{name}", at="top")
open("top/.gitmodules", "w").write(modules)
git("add", ".gitmodules", at="top")
git("commit", "-m", "modules", at="top")
