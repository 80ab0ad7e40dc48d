"""pythontests.py unittest|pytest CLASSES TESTS writes two suites of tests. In the first, two tests fail."""
import os
import sys

from words import camel, noun, rand, trait, unique, verb

kind, classes, tests = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def write(suite, classes, fails):
    os.makedirs(suite)
    open(f"{suite}/__init__.py", "w").close()
    if fails:
        open(f"{suite}/rates.py", "w").write(
            "RATES = {'eur': 1.0, 'usd': 1.09}\n\n\ndef convert(amount, currency):\n    return amount * RATES[currency]\n")
    for c, (first, second) in enumerate(unique(lambda: (noun(), noun()), classes)):
        plain = kind == "pytest" and c % 3 == 0
        text = "import unittest\nimport warnings\n\n" + ("from .rates import convert\n\n" if fails else "")
        if not plain:
            text += f"\nclass {camel(first, second)}Test(unittest.TestCase):\n"
        for t, test in enumerate(unique(lambda: "_".join(("test", verb(), noun(), trait())), tests)):
            lines = ["assert True" if plain else "self.assertTrue(True)"]
            if fails and c == classes // 3 and t == 6:
                test, lines = "test_invoice_in_swiss_francs", ["convert(20, 'chf')"]
            if fails and c == classes // 2 and t == 3:
                test = "test_rounding_of_thirds"
                lines = ["parts = [33.33, 33.33, 33.33]", "assert sum(parts) == 100" if kind == "pytest" else "self.assertEqual(round(sum(parts), 2), 100)"]
            if rand.random() < 0.01:
                lines.insert(0, "warnings.warn('the old format is deprecated', DeprecationWarning)")
            if kind == "unittest" and rand.random() < 0.02:
                lines = ["self.skipTest('needs the network')"]
            if kind == "unittest" and rand.random() < 0.1:
                lines.insert(0, f"print('opened', {rand.randrange(9000)}, 'rows')")
            if plain:
                text += f"\ndef {test}():\n" + "".join(f"    {line}\n" for line in lines)
            else:
                text += f"\n    def {test}(self):\n" + "".join(f"        {line}\n" for line in lines)
        open(f"{suite}/test_{first}_{second}.py", "w").write(text)


write("first", classes, True)
write("second", classes // 3, False)
