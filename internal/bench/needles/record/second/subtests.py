"""subtests.py FILES writes two suites of unittest; two subtests of the first fail."""
import os
import sys

from words import camel, noun, rand, trait, unique, verb

files = int(sys.argv[1])
for suite, count in (("first", files // 3), ("second", files * 2)):
    os.makedirs(suite)
    open(f"{suite}/__init__.py", "w").close()
    for i, file in enumerate(unique(lambda: f"test_{noun()}_{noun()}", count)):
        text = f"import unittest\n\n\nclass {camel(file)}(unittest.TestCase):\n"
        for t, test in enumerate(unique(lambda: f"test_{verb()}_{trait()}", 11)):
            text += f"    def test_{test[5:]}(self):\n        for n in range({rand.randrange(2, 7)}):\n            with self.subTest(zone=n):\n"
            text += f"                print('zone', n, 'rate', {rand.randrange(300)} * n, 'errors 0')\n                self.assertEqual(n * 2, n + n)\n\n"
        if suite == "first" and i == 4:
            text += "    def test_rate_of_every_zone(self):\n        for zone, rate in {'DE': 19, 'LU': 17, 'MT': 18}.items():\n" \
                    "            with self.subTest(zone=zone):\n                self.assertEqual(rate % 2, 1, 'rates are odd since 2024')\n" \
                    "        with self.subTest(zone='XX'):\n            {}['XX']\n"
        open(f"{suite}/{file}.py", "w").write(text)
