"""maven.py fails|passes MODULES prints what mvn -B test prints of a reactor's modules."""
import sys

from words import camel, noun, rand, trait, unique, verb

fails, names = sys.argv[1] == "fails", unique(lambda: f"{noun()}-{noun()}", int(sys.argv[2]))
bad = 13 if fails else -1
print("[INFO] Scanning for projects...\n[INFO] ------------------------------------------------------------------------\n[INFO] Reactor Build Order:\n[INFO] ")
for name in names:
    print(f"[INFO] {name:70} [jar]")
state = {}
for m, name in enumerate(names):
    head = f"--------------------< com.example.shop:{name} >"
    print(f"[INFO] \n[INFO] {head:-<72}\n[INFO] Building {name} 4.2.0-SNAPSHOT {f'[{m + 1}/{len(names)}]':>40}\n[INFO]   from {name}/pom.xml\n[INFO] --------------------------------[ jar ]---------------------------------")
    if fails and m in (bad + 9, bad + 14):
        print(f"[WARNING] The POM for com.example.legacy:{noun()}:jar:1.4 is missing, no dependency information available")
    for plugin, does in [("resources:3.3.1:resources (default-resources)", f"Copying {rand.randrange(9)} resources from src/main/resources to target/classes"),
                         ("compiler:3.13.0:compile (default-compile)", f"Compiling {rand.randrange(9, 90)} source files with javac [debug release 17] to target/classes"),
                         ("compiler:3.13.0:testCompile (default-testCompile)", f"Compiling {rand.randrange(9, 90)} source files with javac [debug release 17] to target/test-classes"),
                         ("surefire:3.2.5:test (default-test)", "Using auto detected provider org.apache.maven.surefire.junitplatform.JUnitPlatformProvider")]:
        print(f"[INFO] \n[INFO] --- {plugin} @ {name} ---\n[INFO] {does}")
    print("[INFO] \n[INFO] -------------------------------------------------------\n[INFO]  T E S T S\n[INFO] -------------------------------------------------------")
    total = 0
    for c, clazz in enumerate(unique(lambda: f"com.example.shop.{noun()}.{camel(noun(), rand.choice(['', 'error', 'exception', 'failure']), noun())}Test", 19)):
        n = rand.randrange(3, 40)
        total += n
        print(f"[INFO] Running {clazz}")
        if rand.random() < 0.3:
            print(f"06:{rand.randrange(10, 60)}:11.{rand.randrange(100, 1000)} [main] INFO {clazz.rsplit('.', 1)[0]} -- {noun()} {verb()} {trait()}: 0 errors, expected exception was thrown")
        if m == bad and c == 5:
            broken = clazz.rsplit('.', 1)[1]
            print(f"[ERROR] Tests run: {n}, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.187 s <<< FAILURE! -- in {clazz}")
            print(f"[ERROR] {clazz}.roundsHalfCentsToEven -- Time elapsed: 0.012 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <12.34> but was: <12.35>")
            for at in ["org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:39)", "org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)", f"{clazz}.roundsHalfCentsToEven({broken}.java:61)"]:
                print(f"\tat {at}")
            print(f"\n[ERROR] {clazz}.readsRateOfTheDay -- Time elapsed: 0.004 s <<< ERROR!\njava.util.NoSuchElementException: no rate for CHF on 2026-03-01")
            for at in ["java.base/java.util.Optional.orElseThrow(Optional.java:403)", "com.example.shop.rates.Rates.on(Rates.java:37)", f"{clazz}.readsRateOfTheDay({broken}.java:84)"]:
                print(f"\tat {at}")
            print()
        else:
            print(f"[INFO] Tests run: {n}, Failures: 0, Errors: 0, Skipped: {rand.choice([0, 0, 0, 1])}, Time elapsed: 0.{rand.randrange(100, 999)} s -- in {clazz}")
    if m == bad:
        print(f"[INFO] \n[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   {broken}.roundsHalfCentsToEven:61 expected: <12.34> but was: <12.35>\n[ERROR] Errors: \n[ERROR]   {broken}.readsRateOfTheDay:84 » NoSuchElement no rate for CHF on 2026-03-01\n[INFO] \n[ERROR] Tests run: {total}, Failures: 1, Errors: 1, Skipped: 0\n[INFO] ")
    else:
        print(f"[INFO] \n[INFO] Results:\n[INFO] \n[INFO] Tests run: {total}, Failures: 0, Errors: 0, Skipped: 0\n[INFO] ")
    state[name] = "FAILURE" if m == bad else "SUCCESS"
rule = "[INFO] ------------------------------------------------------------------------"
print(f"{rule}\n[INFO] Reactor Summary for shop 4.2.0-SNAPSHOT:\n[INFO] ")
for name in names:
    print(f"[INFO] {name + ' ':.<52} {state[name]} [  {rand.randrange(1000, 9999) / 1000} s]")
print(f"{rule}\n[INFO] BUILD {'FAILURE' if fails else 'SUCCESS'}\n{rule}\n[INFO] Total time:  03:11 min\n[INFO] Finished at: 2026-03-02T06:41:09Z\n{rule}")
if fails:
    print(f"[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project {names[bad]}: There are test failures.\n[ERROR] \n[ERROR] -> [Help 1]\n[ERROR] After correcting the problems, you can resume the build with the command\n[ERROR]   mvn <args> -rf :{names[bad]}")
