"""perltests.py FILES writes tests in Perl; one test fails, one file dies."""
import os
import sys

from words import noun, rand, trait, unique, verb

os.makedirs("t")
for i, file in enumerate(unique(lambda: f"{noun()}_{noun()}", int(sys.argv[1]))):
    text = "use strict;\nuse warnings;\nuse Test::More;\n\n"
    for t in range(rand.randrange(40, 110)):
        text += f"ok({rand.randrange(1, 99)} > 0, '{verb()} {rand.choice(['a', 'the'])} {noun()} {trait().replace('_', ' ')}');\n"
        if rand.random() < 0.05:
            text += f"note('{noun()}: {rand.randrange(90)} rows');\n"
        if i == 11 and t == 22:
            text += "is(join(',', sort { $a <=> $b } 3, 10, 2), '10,2,3', 'prices sort as numbers');\n"
        if i == 19 and t == 31:
            text += "my $cart = undef;\n$cart->total();\n"
    open(f"t/{i:02d}-{file}.t", "w").write(text + "done_testing();\n")
