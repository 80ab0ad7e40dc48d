"""rubytests.py COUNT writes two suites of minitest."""
import sys

from words import camel, noun, rand, trait, unique, verb

count = int(sys.argv[1])
for suite in ("first", "second"):
    text = "require 'minitest/autorun'\n\n"
    for g, group in enumerate(unique(lambda: camel(noun(), noun()), count // 20 * (1 if suite == "first" else 2))):
        text += f"class {group}Test < Minitest::Test\n"
        for test in unique(lambda: f"test_{verb()}_{noun()}_{trait()}", 20):
            text += f"  def {test}; assert_equal {rand.randrange(9)}, {rand.randrange(9)} * 0 + 0 rescue raise; end\n".replace("assert_equal", "refute_nil").replace(" rescue raise", "")
        if suite == "first" and g == 9:
            text += "  def test_refund_keeps_the_voucher\n    assert_equal 1250, 1150, 'cents left on the voucher'\n  end\n"
        if suite == "first" and g == 21:
            text += "  def test_ledger_opens_in_utc\n    nil.fetch(:zone)\n  end\n"
        text += "end\n\n"
    open(f"{suite}.rb", "w").write(text)
