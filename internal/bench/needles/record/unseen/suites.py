"""suites.py KIND COUNT writes suites of tests; the text of that kind in tests.sh says what fails in them."""
import os
import sys

from words import camel, hexa, noun, rand, trait, unique, verb


def write(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    open(name, "w").write(text)


def title():
    return f"{verb()} the {trait().replace('_', ' ')} {noun()}"


def identifier():
    return camel(verb(), trait(), noun())


FEW = ["depot", "ledger", "parcel", "quota", "mailer", "search", "rates", "labels", "session", "stock"]


def few():
    return rand.choice(FEW)


def chatter():
    """What a program says while all is well, or nearly."""
    return rand.choice([
        lambda: f"connected to {few()}-{rand.randrange(3)} in {rand.randrange(9)} ms",
        lambda: f"WARN {few()} cache is cold, reading {rand.randrange(9)}00 rows",
        lambda: f"retrying {few()} after a failed attempt ({rand.randrange(1, 4)} of 5)",
        lambda: f"DEBUG {few()}.error_handler registered for {few()}",
        lambda: f"deprecated: option {few()}_{few()} will go, use {few()}",
        lambda: f"flushed {rand.randrange(40)} of {few()}, 0 errors",
        lambda: f"ignoring missing optional file {few()}.toml",
        lambda: f"expected failure simulated for {few()}: rejected as it should be",
    ])()


def googletest(count):
    text = '#include <gtest/gtest.h>\n#include <map>\n#include <stdexcept>\n#include <string>\n\n'
    for s, suite in enumerate(unique(lambda: camel(noun(), noun()) + "Test", count)):
        for t, name in enumerate(unique(identifier, 26)):
            body = f'EXPECT_EQ({t}, {t});'
            if rand.randrange(6) == 0:
                body = f'puts("{chatter()}"); ' + body
            if rand.randrange(40) == 0:
                body = 'GTEST_SKIP() << "needs a scanner";'
            text += f"TEST({suite}, {name}) {{ {body} }}\n"
        if s == count // 4:
            text += f"""TEST({suite}, RoundsHalfCentsToTheEven) {{
    puts("flushed 12 of ledger, 0 errors");
    const double price = 0.125;
    EXPECT_NEAR(price * 100, 12.0, 0.1) << "a discount of 12.5 cents";
}}
"""
        if s == count // 2:
            text += f"""TEST({suite}, LooksUpTheCarrierOfAClosedDepot) {{
    std::map<std::string, int> carriers;
    carriers.at("depot-17");
}}
"""
    write("suite.cpp", text)


def catch(count):
    text = '#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n#include <string>\n#include <vector>\n\n'
    for s, suite in enumerate(unique(lambda: f"{noun()} {noun()}", count)):
        text += f'TEST_CASE("{suite}", "[{noun()}]") {{\n    const int n = {s};\n'
        for k, name in enumerate(unique(title, 9)):
            text += f'    SECTION("{name}") {{ CHECK(n + {k} == {s + k}); CHECK_THROWS_AS(std::string("x").at({k + 2}), std::out_of_range); }}\n'
        if s == count // 3:
            text += '    SECTION("splits a shipment over two days") {\n        std::vector<int> parts = {40, 2};\n        REQUIRE(parts == std::vector<int>{21, 21});\n    }\n'
        if s == count * 3 // 5:
            text += '    SECTION("parses the weight of a pallet") {\n        CHECK(std::stoi("kg 40") == 40);\n    }\n'
        text += "}\n\n"
    write("suite.cpp", text)


def doctest(count):
    text = '#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n#include <string>\n\n'
    for s, suite in enumerate(unique(lambda: f"{noun()} {trait().replace('_', ' ')}", count)):
        text += f'TEST_CASE("{suite}: an error is reported") {{\n    const std::string failed = "{noun()} failed: {noun()} not found";\n'
        for k in range(5):
            text += f'    CHECK(failed.find("failed") != {500 + k});\n'
        text += "}\n"
    write("suite.cpp", text)


def testthat(count):
    for s, suite in enumerate(sorted(unique(noun, count))):
        text = ""
        for t in unique(title, 9):
            text += f'test_that("{t}", {{\n  expect_equal({s} + 1, {s + 1})\n  expect_true(is.numeric({s}))\n}})\n\n'
        if s == count // 3:
            text += 'test_that("weights the median of a thin stratum", {\n  rates <- c(1.5, 2.5, 10)\n  expect_equal(median(rates), 4.667, tolerance = 0.01)\n})\n\n'
        if s % 9 == 4:
            text += 'test_that("reads numbers from text", {\n  expect_true(is.na(as.integer("twelve")))\n})\n\n'
        if s == count // 2:
            text += 'test_that("joins cohorts by their key", {\n  cohorts <- data.frame(key = 1:3)\n  expect_equal(nrow(merge_cohorts(cohorts)), 3)\n})\n\n'
        write(f"tests/test-{suite}.R", text)


def exunit(count):
    text = "require Logger\nExUnit.start(trace: true, seed: 0, colors: [enabled: false])\n\n"
    for s, suite in enumerate(unique(lambda: camel(noun(), noun()), count)):
        text += f"defmodule Depot.{suite}Test do\n  use ExUnit.Case\n\n"
        for t in unique(title, 17):
            log = rand.choice(["", "", "", "", f'Logger.debug("{chatter()}"); ', f'Logger.warning("{chatter()}"); '])
            text += f'  test "{t}" do\n    {log}assert {s} + 1 == {s + 1}\n  end\n\n'
        if s == count // 4:
            text += '  @tag :skip\n  test "prints a manifest on both sides" do\n    assert false\n  end\n\n'
        if s == count // 3:
            text += '  test "reserves the last pallet once" do\n    reserved = %{pallet: 71, by: ["north", "south"]}\n    assert %{pallet: 71, by: ["north"]} = reserved\n  end\n\n'
        if s == count * 2 // 3:
            text += '  test "answers before the carrier gives up" do\n    send(self(), {:quote, 12})\n    assert_receive {:label, _}, 20\n  end\n\n'
        text += "end\n\n"
    write("suite.exs", text)


def eunit(count):
    names = unique(lambda: f"{noun()}_{noun()}", count)
    for s, suite in enumerate(names):
        text = f'-module({suite}_tests).\n-include_lib("eunit/include/eunit.hrl").\n\n'
        for t in unique(lambda: f"{verb()}_{trait()}", 20):
            text += f"{t}_test() -> ?assertEqual({s}, {s}).\n"
        if s == count // 3:
            text += 'drains_the_queue_of_a_dead_node_test() -> ?assertEqual([], [M || M <- [ack, {late, 71}], M =/= ack]).\n'
        if s == count // 2:
            text += "opens_a_lease_without_owner_test() -> {ok, _} = owner(none).\nowner(none) -> {error, enoent}.\n"
        write(f"{suite}_tests.erl", text)
    write("run.erl", "-module(run).\n-export([main/0]).\nmain() -> eunit:test([" +
          ", ".join(f"{n}_tests" for n in names) + "], [verbose]), halt().\n")


def tasty(count):
    groups = []
    for s, suite in enumerate(unique(lambda: f"{camel(noun())}.{camel(noun())}", count)):
        cases = [f'testCase "{t}" ({s} @?= ({s} :: Int))' for t in unique(title, 18)]
        if s == count // 9:
            cases.append('testCase "balances a journal of two currencies" (assertEqual "cents left over" 0 (sum [1250, -1249 :: Int]))')
        if s == count // 6:
            cases.append('testCase "finds the newest price" (maximum ([] :: [Int]) @?= 12)')
        groups.append(f'group{s} :: TestTree\ngroup{s} = testGroup "{suite}"\n  [ ' + "\n  , ".join(cases) + "\n  ]\n")
    write("Suite.hs", "module Main where\n\nimport Test.Tasty\nimport Test.Tasty.HUnit\n\n" + "\n".join(groups) +
          '\nmain :: IO ()\nmain = defaultMain (testGroup "journal" [' + ", ".join(f"group{s}" for s in range(count)) + "])\n")


def alcotest(count):
    write("dune-project", "(lang dune 2.9)\n")
    libraries = unique(noun, 5)
    for library in libraries:
        suites = ""
        for s, suite in enumerate(unique(lambda: f"{noun()}_{noun()}", count)):
            cases = [f'    test_case "{t}" `Quick (fun () -> check int "same" {s} {s});' for t in unique(title, 14)]
            if library == libraries[1] and s == count // 2:
                cases.insert(5, '    test_case "merges the stock of twin shelves" `Quick (fun () -> check (list string) "shelves" [ "A7"; "B2" ] [ "A7"; "A7"; "B2" ]);')
            if library == libraries[3] and s == 2:
                cases.insert(3, '    test_case "opens the ledger of last year" `Quick (fun () -> ignore (List.assoc 2019 [ (2020, "x") ]));')
            suites += f'  ("{suite}", [\n' + "\n".join(cases) + "\n  ]);\n"
        write(f"{library}/test_{library}.ml", f'let () = Alcotest.(run ~compact:false "{library}" [\n{suites}])\n')
        write(f"{library}/dune", f"(test (name test_{library}) (libraries alcotest) (action (run %{{test}} --color=never)))\n")


def nimtests(count):
    text = "import std/[unittest, tables, strutils]\n\n"
    for s, suite in enumerate(unique(lambda: f"{noun()} {noun()}", count)):
        names = [f'"{t}"' for t in unique(title, 20)]
        said = f'    if name.len mod 7 == 0: echo "{chatter()}"\n'
        text += f'suite "{suite}":\n  for name in [{", ".join(names)}]:\n    test name:\n  {said}      check {s} + 1 == {s + 1}\n'
        if s == count // 8:
            text += '  test "keeps the leading zero of a postcode":\n    let postcode = "01067"\n    check $parseInt(postcode) == postcode\n'
        if s == count // 6:
            text += '  test "asks the registry for a retired plug":\n    let plugs = {"schuko": 16}.toTable\n    check plugs["perilex"] == 16\n'
        text += "\n"
    write("suite.nim", text)


def ginkgo(count):
    write("go.mod", "module example.com/harbour\n\ngo 1.22\n")
    packages = unique(noun, count)
    for p, package in enumerate(packages):
        text = f'package {package}_test\n\nimport (\n\t"fmt"\n\t"testing"\n\n\t. "github.com/onsi/ginkgo/v2"\n\t. "github.com/onsi/gomega"\n)\n\n'
        text += f'func TestAll(t *testing.T) {{\n\tRegisterFailHandler(Fail)\n\tRunSpecs(t, "{camel(package)} Suite")\n}}\n\n'
        for d in range(3):
            text += f'var _ = Describe("{noun()} {noun()}", func() {{\n'
            for t in unique(title, 7):
                said = f'fmt.Fprintln(GinkgoWriter, "{chatter()}"); ' if rand.randrange(3) == 0 else ""
                text += f'\tIt("{t}", func() {{ {said}Expect({p} + 1).To(Equal({p + 1})) }})\n'
            if p == count // 3 and d == 1:
                text += '\tContext("when a berth is double booked", func() {\n\t\tIt("refuses the later vessel", func() {\n\t\t\tExpect([]string{"Aurora", "Borea"}).To(HaveLen(1), "vessels at berth 9")\n\t\t})\n\t})\n'
            if p == count * 2 // 3 and d == 0:
                text += '\tIt("reads the draught of a barge", func() {\n\t\tvar draught map[string]float64\n\t\tdraught["barge"] = 2.4\n\t})\n'
            text += "})\n\n"
        write(f"{package}/{package}_test.go", text)


def gosuite(count):
    write("go.mod", "module example.com/relay\n\ngo 1.22\n")
    for p, package in enumerate(unique(lambda: noun() + noun(), count)):
        text = f'package {package}\n\nimport "testing"\n\n'
        for t in unique(identifier, 24):
            text += f"func Test{t}(t *testing.T) {{ t.Log(`{chatter()}`) }}\n"
        if p == count // 3:
            text += 'func TestDeliversInTheOrderOfArrival(t *testing.T) {\n\tfor _, name := range []string{"one_sender", "two_senders", "a_sender_that_pauses"} {\n\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif name == "two_senders" {\n\t\t\t\tt.Errorf("message 8 of sender b arrived before message 7")\n\t\t\t}\n\t\t})\n\t}\n}\n'
        if p == count // 2:
            text += 'func TestClosesIdleRelays(t *testing.T) {\n\tvar open []int\n\t_ = open[len(open)-1]\n}\n'
        write(f"{package}/{package}_test.go", text)


def jupiter(count):
    for s, suite in enumerate(unique(lambda: camel(noun(), noun()), count)):
        text = f"import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\n\n@DisplayName(\"{suite}\")\nclass {suite}Test {{\n"
        for t in unique(lambda: verb() + camel(trait(), noun()), 11):
            text += f"    @Test void {t}() {{ assertEquals({s}, {s}); }}\n"
        if s % 17 == 3:
            text += '    @Test @Disabled("flaky on arm64") void printsTwice() { fail("never run"); }\n'
        if s == count // 3:
            text += '    @Test void creditsTheLoserOfADispute() { assertIterableEquals(java.util.List.of("fee", "refund"), java.util.List.of("fee"), "entries of dispute 41"); }\n'
        if s == count // 2:
            text += '    @Test void closesTheVaultOnFriday() { java.util.Map<String, String> keys = java.util.Map.of(); keys.get("friday").trim(); }\n'
        write(f"src/{suite}Test.java", text + "}\n")


def behave(count):
    write("features/steps/steps.py", """from behave import given, when, then


@given('a {kind} with {n:d} items')
def step_given(context, kind, n):
    context.items = n


@when('the clerk {action} it')
def step_when(context, action):
    context.action = action


@then('it holds {n:d} items')
def step_then(context, n):
    assert context.items == n, f"the basket holds {context.items} items, the receipt says {n}"
""")
    for f, feature in enumerate(sorted(unique(lambda: f"{noun()}_{noun()}", count))):
        text = f"Feature: {feature.replace('_', ' ')}\n\n"
        for s, name in enumerate(unique(title, 8)):
            n = rand.randrange(2, 90)
            wrong = n + 1 if f == count // 3 and s == 4 else n
            action = "weighs" if f != count // 3 else "voids"
            text += f"  Scenario: {name}\n    Given a {noun()} with {n} items\n    When the clerk {action} it\n    Then it holds {wrong} items\n"
            if f == count // 2 and s == 2:
                text += "    And the drawer opens by itself\n"
            text += "\n"
        write(f"features/{feature}.feature", text)


def ava(count):
    write("package.json", '{"type": "module"}\n')
    for s, suite in enumerate(unique(lambda: f"{noun()}-{noun()}", count)):
        text = "import test from 'ava';\n\n"
        for t in unique(title, 16):
            log = f"t.log('{chatter()}'); " if rand.randrange(4) == 0 else ""
            text += f"test('{t}', t => {{ {log}t.is({s}, {s}); }});\n"
        if s == count // 3:
            text += "test('signs a webhook with the newer secret', t => {\n  t.deepEqual({id: 7, secret: 'b'}, {id: 7, secret: 'a'});\n});\n"
        if s == count // 2:
            text += "test('replays a torn batch', async t => {\n  const batch = await Promise.resolve(undefined);\n  t.is(batch.rows.length, 3);\n});\n"
        write(f"test/{suite}.js", text)


def playwright(count):
    write("playwright.config.js", "module.exports = { retries: 1, workers: 2, reporter: 'list', projects: [{ name: 'chromium' }, { name: 'webkit' }] };\n")
    for s, suite in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}", count))):
        text = f"const {{ test, expect }} = require('@playwright/test');\n\ntest.describe('{suite}', () => {{\n"
        for t in unique(title, 14):
            text += f"  test('{t}', async () => {{ expect({s}).toBe({s}); }});\n"
        if s % 7 == 2:
            text += f"  test('loads the {noun()} after a reload', async ({{}}, info) => {{ expect(info.retry).toBe(1); }});\n"
        if s == count // 3:
            text += "  test('shows the coupon in the summary', async ({}, info) => {\n    const shown = info.project.name === 'webkit' ? '10 %' : '15 %';\n    expect(shown, 'the coupon of the summary').toBe('15 %');\n  });\n"
        text += "});\n"
        write(f"tests/{suite}.spec.js", text)


def shunit(count):
    for s, suite in enumerate(sorted(unique(noun, count))):
        text = "#!/bin/sh\n"
        for t in unique(lambda: camel(verb(), trait(), noun()), 18):
            text += f"test{t}() {{\n  assertEquals {s} {s}\n}}\n"
        if s == count // 20:
            text += "testRotatesTheJournalOfANamedHost() {\n  assertEquals 'generations kept' 7 8\n}\n"
        if s == count // 2:
            text += "testMountsThePoolTwice() {\n  assertTrue 'the pool is mounted read only' '[ rw = ro ]'\n}\n"
        write(f"tests/{suite}.sh", text + ". /usr/share/shunit2/shunit2\n")


def verilog(count):
    checks = ""
    for n in range(count):
        block = noun()
        checks += f'    @(posedge clk); value = 8\'d{n % 250}; #1;\n'
        checks += f'    if (value !== 8\'d{(n % 250) if n not in (count // 3, count // 2) else (n % 250) ^ 5})\n'
        checks += f'      $display("%0t {block}: MISMATCH at address %0h: read %0h, expected %0h", $time, 16\'h{n * 4:04x}, value, 8\'d{n % 250 ^ 5});\n'
        checks += f'    else $display("%0t {block}: address %0h ok, error=0", $time, 16\'h{n * 4:04x});\n'
        if n % 60 == 11:
            checks += f'    $display("WARNING: %0t {block}: timing not annotated, zero delay assumed", $time);\n'
        if n == count * 3 // 4:
            checks += '    $error("fifo overflow: write pointer passed read pointer in %m");\n'
    write("bench.v", f"`timescale 1ns/1ps\nmodule bench;\n  reg clk = 0;\n  reg [7:0] value = 0;\n  always #5 clk = ~clk;\n  initial begin\n{checks}    $finish;\n  end\nendmodule\n")


def tape(count):
    for s, suite in enumerate(sorted(unique(lambda: f"{noun()}-{noun()}", count))):
        text = "const test = require('tape');\n\n"
        for t in unique(title, 9):
            text += f"test('{t}', t => {{\n  t.equal({s}, {s}, '{title()}');\n  t.ok(true, '{title()}');\n  t.end();\n}});\n"
        if s == count // 9:
            text += "test('prices a bundle', t => {\n  t.equal(3 * 1.1, 3.3, 'three of 1.10 are 3.30');\n  t.ok(true, 'has a currency');\n  t.end();\n});\n"
        if s == count // 6:
            text += "test('polls a sleeping printer', { timeout: 30 }, t => {\n  // nobody answers\n});\n"
        write(f"test/{suite}.js", text)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]))
