"""projects.py KIND COUNT writes the files of a project; see the text of that kind in fourth.sh for what fails in it."""
import os
import sys

from words import camel, hexa, noun, rand, trait, unique, verb


def write(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    open(name, "w").write(text)


def title():
    return f"{verb()} the {trait().replace('_', ' ')} {noun()}"


def phpunit(count):
    for s, suite in enumerate(unique(lambda: camel(noun(), noun()), count)):
        methods = ""
        for name in unique(lambda: camel("", verb(), noun(), trait()), 14):
            methods += f"    public function test{name}(): void {{ $this->assertSame({s}, {s}); }}\n"
        if s == count // 3:
            methods += "    public function testKeepsTheVatOfAPartialRefund(): void {\n        $this->assertSame('19.00', number_format(18.999, 1), 'the VAT of a refund');\n    }\n"
        if s == count // 2:
            methods += "    public function testOpensTheVoucherOfAGuest(): void {\n        $guest = null;\n        $this->assertSame('x', $guest->voucher());\n    }\n"
        write(f"tests/{suite}Test.php", f"<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class {suite}Test extends TestCase\n{{\n{methods}}}\n")


def rspec(count):
    for s, suite in enumerate(unique(lambda: f"{noun()}_{noun()}", count)):
        text = f"RSpec.describe '{suite.replace('_', ' ')}' do\n"
        for c in range(4):
            text += f"  context 'when {trait().replace('_', ' ')} {c}' do\n"
            for name in unique(title, 9):
                text += f"    it '{name}' do\n      expect({c} + 1).to eq({c + 1})\n    end\n"
            if s == count // 4 and c == 2:
                text += "    it 'settles the bonus once' do\n      expect([40, 2].sum).to eq(40)\n    end\n"
            text += "  end\n"
        write(f"spec/{suite}_spec.rb", text + "end\n")


def latex(count):
    body = ""
    for c in range(count):
        body += f"\\chapter{{{camel(noun())} and {noun()}}}\n"
        for p in range(6):
            words = " ".join(noun() + rand.choice([" ", ", ", " of the ", " and the "]) + verb() for _ in range(60))
            body += f"\\section{{{camel(verb(), noun())}}}\n{words} {'x' * rand.randrange(20, 90)}.\n\n"
        if c == count // 2:
            body += "The total is \\dispatchtotal{4} after tax.\n\n"
        if c == count * 2 // 3:
            body += "\\begin{tabular}{ll}\n a & b & c \\\\\n\\end{tabular}\n\n"
    write("book.tex", "\\documentclass{book}\n\\begin{document}\n" + body + "\\end{document}\n")


def bats(count):
    for s, suite in enumerate(sorted(unique(noun, count))):
        text = ""
        for name in unique(title, 20):
            text += f'@test "{name}" {{\n  [ 1 -eq 1 ]\n}}\n\n'
        if s == count // 5:
            text += '@test "mounts the archive read only" {\n  run printf "mode=rw\\n"\n  [ "$output" = "mode=ro" ]\n}\n'
        write(f"test/{suite}.bats", text)


def pylint(count):
    for m, module in enumerate(unique(lambda: f"{noun()}_{noun()}", count)):
        text = f'"""The {module}."""\nimport os, sys\n\n'
        for f in unique(lambda: f"{verb()}{camel(noun())}", 6):
            text += f"def {f}(a, b, unused):\n    X={rand.randrange(90)}\n    if a == None:\n        return X\n    return b\n\n\n"
        if m == count // 3:
            text += "def settle(order):\n    return settle_all(order, tax=TAX_RATE)\n"
        if m == count // 2:
            text += "class Basket:\n    def close(self):\n        return self.totl\n"
        write(f"shop/{module}.py", text)


def cppcheck(count):
    for n, name in enumerate(unique(lambda: f"{noun()}_{noun()}", count)):
        text = "#include <stdlib.h>\n#include <string.h>\n\n"
        for f in unique(verb, 5):
            text += f"int {name}_{f}(int a)\n{{\n\tint unused;\n\tint i = a;\n\tfor (i = 0; i < a; i++)\n\t\ta += i;\n\treturn a;\n}}\n\n"
        if n == count // 3:
            text += f"char *{name}_copy(const char *from)\n{{\n\tchar *to = malloc(8);\n\tfree(to);\n\tto[0] = from[0];\n\treturn to;\n}}\n"
        if n == count // 2:
            text += f"int {name}_last(void)\n{{\n\tint list[4] = {{0}};\n\treturn list[4];\n}}\n"
        write(f"src/{name}.c", text)


def ant(count):
    for n, name in enumerate(unique(lambda: camel(noun(), noun()), count)):
        methods = ""
        for m in unique(lambda: verb() + camel(trait(), noun()), 12):
            methods += f"    @Test public void {m}() {{ assertEquals({n}, {n}); }}\n"
        if n == 3:
            methods += '    @Test public void pricesTheSecondParcel() { assertEquals("parcels beyond the first", 450, 540); }\n'
        if n == 9:
            methods += "    @Test public void findsTheDepotOfAZone() { int[] depots = {1}; assertEquals(2, depots[3]); }\n"
        write(f"src/{name}Test.java", f"import static org.junit.Assert.*;\nimport org.junit.Test;\n\npublic class {name}Test {{\n{methods}}}\n")
    write("build.xml", """<project name="freight" default="test">
  <path id="p"><fileset dir="/usr/share/java" includes="junit4.jar,hamcrest*.jar"/><pathelement location="out"/></path>
  <target name="compile"><mkdir dir="out"/><javac srcdir="src" destdir="out" classpathref="p" includeantruntime="false"/></target>
  <target name="test" depends="compile">
    <junit haltonfailure="no" fork="no" showoutput="yes"><classpath refid="p"/><formatter type="plain" usefile="false"/>
      <batchtest><fileset dir="src" includes="*Test.java"/></batchtest></junit>
  </target>
</project>
""")


def dejagnu(count):
    for n, name in enumerate(unique(lambda: f"{noun()}-{noun()}", count)):
        text = ""
        for t in unique(title, 25):
            text += f'pass "{t}"\n'
        if n == count // 3:
            text += 'fail "relocation of a weak symbol in a shared object"\n'
        if n == count // 2:
            text += 'unresolved "linker map of an empty archive"\n'
        write(f"testsuite/ld.all/{name}.exp", text)


def pascal(count):
    names = unique(lambda: f"{noun()}{noun()}", count)
    for n, name in enumerate(names):
        text = f"unit {name};\n\n{{$mode objfpc}}\n\ninterface\n\n"
        functions = unique(verb, 5)
        for f in functions:
            text += f"function {f}{n}(a: Integer): Integer;\n"
        text += "\nimplementation\n\n"
        for f in functions:
            text += f"function {f}{n}(a: Integer): Integer;\nvar unused: Integer;\nbegin\n  {f}{n} := {n};\nend;\n\n"
        if n == count * 2 // 3:
            text += "procedure Balance;\nvar total: Integer;\nbegin\n  total := 'twelve';\nend;\n\n"
        write(f"{name}.pas", text + "end.\n")
    write("names", "\n".join(names) + "\n")


def xmllint(count):
    write("order.dtd", "<!ELEMENT order (item+)>\n<!ATTLIST order id ID #REQUIRED>\n<!ELEMENT item (#PCDATA)>\n<!ATTLIST item sku CDATA #REQUIRED>\n")
    for n, name in enumerate(sorted(unique(lambda: f"{noun()}-{hexa(6)}", count))):
        items = "".join(f'  <item sku="{hexa(8)}">{noun()}</item>\n' for _ in range(3))
        if n == count // 3:
            items += "  <gift>card</gift>\n"
        if n == count // 2:
            items += '  <item sku="1">unclosed\n'
        write(f"orders/{name}.xml", f'<?xml version="1.0"?>\n<order id="o{n}">\n{items}</order>\n')


def automake(count):
    names = unique(lambda: f"{noun()}-{verb()}", count)
    for n, name in enumerate(names):
        body = "exit 0"
        if n == count // 3:
            body = "echo 'replay: sequence 1771 follows 1769'; exit 1"
        if n % 41 == 7:
            body = "exit 77"
        write(f"tests/{name}.sh", f"#!/bin/sh\n{body}\n")
        os.chmod(f"tests/{name}.sh", 0o755)
    write("configure.ac", "AC_INIT([vault],[1.4])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n")
    write("Makefile.am", "TESTS = " + " \\\n\t".join(f"tests/{name}.sh" for name in names) + "\nEXTRA_DIST = $(TESTS)\n")


def tcltest(count):
    for n, name in enumerate(sorted(unique(noun, count))):
        text = "package require tcltest\nnamespace import ::tcltest::*\nconfigure -verbose {pass body error}\n\n"
        for k, t in enumerate(unique(title, 30)):
            text += f"test {name}-{n}.{k} {{{t}}} -body {{expr {{{k} + 1}}}} -result {k + 1}\n"
        if n == count // 3:
            text += f"test {name}-{n}.90 {{rounds a negative quota}} -body {{expr {{-7 / 2}}}} -result -3\n"
        write(f"tests/{name}.test", text + "cleanupTests\n")
    write("tests/all.tcl", "package require tcltest\n::tcltest::configure -testdir [file dirname [info script]] -singleproc 1 -verbose {pass body error}\n::tcltest::runAllTests\n")


def busted(count):
    for s, suite in enumerate(sorted(unique(lambda: f"{noun()}_{noun()}", count))):
        text = f"describe('{suite}', function()\n"
        for name in unique(title, 22):
            text += f"  it('{name}', function() assert.are.equal({s}, {s}) end)\n"
        if s == count // 3:
            text += "  it('quotes the reserve of a stale lease', function() assert.are.equal('4.50', '4.05') end)\n"
        if s == count // 2:
            text += "  it('walks a batch without a head', function() local batch; return batch.head end)\n"
        write(f"spec/{suite}_spec.lua", text + "end)\n")


def vitest(count, fails=True):
    for s, suite in enumerate(unique(lambda: f"{noun()}-{noun()}", count)):
        text = f"import {{ describe, expect, it }} from 'vitest'\n\ndescribe('{suite}', () => {{\n"
        for name in unique(title, 20):
            text += f"  it('{name}', () => {{ expect({s}).toBe({s}) }})\n"
        if fails and s == count // 3:
            text += "  it('merges the routes of two carriers', () => {\n    expect({ via: ['HAM', 'OSL'] }).toEqual({ via: ['HAM', 'CPH', 'OSL'] })\n  })\n"
        write(f"test/{suite}.test.js", text + "})\n")


def vitestpass(count):
    vitest(count, False)


def compileall(count):
    for n, name in enumerate(unique(lambda: f"{noun()}_{noun()}_{noun()}", count)):
        text = f"def {verb()}(a):\n    return a + {n}\n"
        if n == count // 4:
            text += "\ndef seal(parcel)\n    return parcel\n"
        write(f"pkg/{noun()}/{name}.py", text)


def ocaml(count):
    names = unique(lambda: f"{noun()}_{noun()}", count)
    for n, name in enumerate(names):
        text = ""
        for f in unique(lambda: f"{verb()}_{noun()}", 6):
            text += f"let {f} x =\n  let unused = {n} in\n  match x with\n  | Some y -> y + {n}\n\n"
        if n == count // 2:
            text += "let total rates = List.fold_left (+) 0.5 rates\n"
        write(f"{name}.ml", text)
    write("names", "\n".join(names) + "\n")


def sql(count):
    for n in range(count):
        table = f"{noun()}_{noun()}_{n}"
        print(f"CREATE TABLE {table} (id INT PRIMARY KEY, {noun()}_a VARCHAR(20), note VARCHAR(80));")
        for k in range(4):
            print(f"INSERT INTO {table} VALUES ({k}, '{noun()}', '{title()}');")
        if n == count // 3:
            print(f"INSERT INTO {table} VALUES (2, '{noun()}', 'the same key again');")
        if n == count // 2:
            print(f"UPDATE {table} SET settled_at = NOW() WHERE id = 1;")


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]))
