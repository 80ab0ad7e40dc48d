"""cmakelists.py PROJECTS writes projects that cmake configures; the second needs a package that is not there."""
import os
import sys

from words import camel, noun, rand, trait, unique

for p, project in enumerate(unique(lambda: f"{noun()}-{noun()}", int(sys.argv[1]))):
    root = f"projects/{p:02d}-{project}"
    os.makedirs(root)
    text = f"cmake_minimum_required(VERSION 3.20)\nproject({project.replace('-', '_')} LANGUAGES C)\n"
    for c, check in enumerate(unique(lambda: f"{rand.choice(['', 'error_', 'fail_'])}{noun()}_{trait()}", 90)):
        text += f"message(CHECK_START \"Looking for {check}\")\nmessage({rand.choice(['CHECK_PASS', 'CHECK_PASS', 'CHECK_FAIL'])} \"{{}}\")\n".replace(
            "{}", "found" if rand.random() < 0.8 else "not found")
        if rand.random() < 0.05:
            text += f"find_package({camel(noun())}Lib QUIET)\nmessage(STATUS \"{camel(noun())} support: disabled (not found)\")\n"
        if rand.random() < 0.03:
            text += f"message(DEPRECATION \"WITH_{noun().upper()} goes away, use ENABLE_{noun().upper()}\")\n"
        if p == 1 and c == 60:
            text += "find_package(Ledger 2.4 REQUIRED)\n"
    open(f"{root}/CMakeLists.txt", "w").write(text)
