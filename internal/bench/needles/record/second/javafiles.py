"""javafiles.py MODULES writes modules of Java; one does not compile."""
import os
import sys

from words import camel, noun, rand, unique, verb

for i, module in enumerate(sorted(unique(noun, int(sys.argv[1])))):
    package = f"com.example.{module}x"
    directory = f"modules/{module}/src/main/java/com/example/{module}x"
    os.makedirs(directory)
    for k, name in enumerate(unique(lambda: camel(noun(), rand.choice(["Service", "Store", "Exception", "Error", "View"])), 16)):
        body = "".join(f"    public int {verb()}{camel(noun())}{n}(int n) {{ return n + {rand.randrange(99)}; }}\n" for n in range(3))
        if i == 3 and k == 7:
            body += "    public java.time.Instant due(java.util.Map<String, Long> terms) {\n        java.time.LocalDate day = terms.get(\"net30\");\n        return day.plusDays(3).asInstant();\n    }\n"
        open(f"{directory}/{name}.java", "w").write(f"package {package};\n\npublic class {name} {{\n{body}}}\n")
