"""formats.py KIND COUNT prints a log in the format of a program that needs a cluster, or of one that is made up."""
import sys
from datetime import datetime, timedelta

from words import hexa, noun, rand, unique, verb

kind, count = sys.argv[1], int(sys.argv[2])
now = datetime(2026, 3, 2, 6, 0)


def tick(most=1500):
    global now
    now += timedelta(milliseconds=rand.randrange(most))
    return now.strftime("%Y-%m-%d %H:%M:%S,%f")[:-3]


def kafka():
    topics = unique(lambda: f"{noun()}-{rand.choice(['events', 'failed', 'errors', 'changes'])}", 14)
    for n in range(count):
        p = f"{rand.choice(topics)}-{rand.randrange(12)}"
        if n == 190:
            print(f"[{tick()}] ERROR Error while flushing log for invoice-events-4 in dir /var/lib/kafka/data with offset 918244 (exclusive) and recovery point 918244 (org.apache.kafka.storage.internals.log.LogDirFailureChannel)")
            print("java.io.IOException: No space left on device")
            for at in ["java.base/sun.nio.ch.FileDispatcherImpl.force0(Native Method)", "java.base/sun.nio.ch.FileDispatcherImpl.force(FileDispatcherImpl.java:82)",
                       "java.base/sun.nio.ch.FileChannelImpl.force(FileChannelImpl.java:461)", "org.apache.kafka.common.record.FileRecords.flush(FileRecords.java:197)",
                       "kafka.log.LocalLog.flush(LocalLog.scala:178)", "kafka.log.UnifiedLog.$anonfun$flush$2(UnifiedLog.scala:1686)"]:
                print(f"\tat {at}")
            print(f"[{tick()}] WARN [ReplicaManager broker=2] Stopping serving replicas in dir /var/lib/kafka/data (kafka.server.ReplicaManager)")
        print(f"[{tick()}] " + rand.choice([
            f"INFO [Partition {p} broker=2] ISR updated to 2,1,3 and version updated to {rand.randrange(90)} (kafka.cluster.Partition)",
            f"INFO [ProducerStateManager partition={p}] Wrote producer snapshot at offset {rand.randrange(900000)} with 0 producer ids in {rand.randrange(9)} ms. (org.apache.kafka.storage.internals.log.ProducerStateManager)",
            f"INFO [LocalLog partition={p}, dir=/var/lib/kafka/data] Rolled new log segment at offset {rand.randrange(900000)} in {rand.randrange(20)} ms. (kafka.log.LocalLog)",
            f"INFO [GroupCoordinator 2]: Stabilized group {noun()}-workers generation {rand.randrange(50)} (__consumer_offsets-{rand.randrange(50)}) with {rand.randrange(2, 9)} members (kafka.coordinator.group.GroupCoordinator)",
            f"INFO [GroupCoordinator 2]: Member {noun()}-{hexa(8)} in group {noun()}-workers has left, removing it on heartbeat expiration (kafka.coordinator.group.GroupCoordinator)",
        ]))


def kubectl():
    kinds = ["configmap", "secret", "service", "deployment.apps", "cronjob.batch", "ingress.networking.k8s.io", "horizontalpodautoscaler.autoscaling", "serviceaccount"]
    for n, name in enumerate(unique(lambda: f"{noun()}-{rand.choice(['', 'error-', 'failed-'])}{noun()}", count)):
        if n == 240:
            print('The Deployment "mailer-outbox" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "3Gi": must be less than or equal to memory limit of 2Gi')
        if n == 511:
            print('Error from server (Forbidden): error when creating "manifests/billing/role.yaml": roles.rbac.authorization.k8s.io "invoice-reader" is forbidden: user "deployer" (groups=["ci"]) is attempting to grant RBAC permissions not currently held')
        print(f"{rand.choice(kinds)}/{name} {rand.choice(['unchanged', 'unchanged', 'configured', 'created'])}")


def bazel():
    print(f"INFO: Analyzed {count} targets (311 packages loaded, 18204 targets configured).\nINFO: Found {count // 3} targets and {count - count // 3} test targets...")
    print("ERROR: /srv/monorepo/payments/ledger/BUILD:14:11: Compiling payments/ledger/rounding.cc failed: (Exit 1): gcc failed: error executing CppCompile command (from target //payments/ledger:rounding) /usr/bin/gcc -U_FORTIFY_SOURCE -fstack-protector -Wall ... (remaining 31 arguments skipped)")
    print("payments/ledger/rounding.cc: In function 'int64_t ledger::half_even(double)':\npayments/ledger/rounding.cc:41:12: error: 'lrint_even' was not declared in this scope; did you mean 'lrintl'?\n   41 |     return lrint_even(cents);\n      |            ^~~~~~~~~~\n      |            lrintl")
    names = sorted(unique(lambda: f"//{noun()}/{noun()}:{rand.choice(['', 'error_', 'failed_'])}{noun()}_test", count))
    for n, name in enumerate(names):
        if n == 302:
            print("FAIL: //search/ranking:freshness_test (see /srv/bazel/testlogs/search/ranking/freshness_test/test.log)\nINFO: From Testing //search/ranking:freshness_test:\n==================== Test output for //search/ranking:freshness_test:")
            print("Running main() from gmock_main.cc\n[ RUN      ] Freshness.DecaysByDay\nsearch/ranking/freshness_test.cc:88: Failure\nExpected equality of these values:\n  decay(30)\n    Which is: 0.3125\n  0.25\n[  FAILED  ] Freshness.DecaysByDay (0 ms)\n================================================================================")
        print(f"INFO: From Testing {name}:\n==================== Test output for {name}:\n[  PASSED  ] {rand.randrange(2, 40)} tests.\n================================================================================")
    for name in names:
        print(f"{name:76}{rand.choice(['PASSED in', '(cached) PASSED in'])} {rand.randrange(1, 90) / 10}s")
    print("//payments/ledger:rounding_test                                     FAILED TO BUILD\n//search/ranking:freshness_test                                              FAILED in 0.4s")
    print(f"\nExecuted 411 out of {count + 2} tests: {count} tests pass, 1 fails to build and 1 fails locally.")


def sensors():
    rooms = unique(noun, 16)
    for n in range(count):
        stamp = tick(60000)[:-4]
        if n == 505:
            print(f"{stamp} gatewayd[412]: clock stepped by -3600.412 s, 61 readings are now in the future")
        print(f"{stamp} gatewayd[412]: " + (f"batch {n // 20} uploaded, 20 readings" if n % 20 == 19 else
              f"sensor {rand.choice(rooms)} {rand.randrange(170, 240) / 10} C {rand.randrange(30, 60)} % battery {rand.randrange(40, 100)}"))


def consumer():
    for n in range(count):
        if n == 430:
            print(f"{tick()} consumer-1 partition 5 is now assigned to consumer-4, position 81734 is 2208 behind what was committed")
        print(f"{tick()} consumer-1 " + (f"commit offset={80000 + n} partition={n % 8}" if n % 10 == 9 else f"handled offset={80000 + n} partition={n % 8} key={hexa(8)} in {rand.randrange(40)} ms"))


{"kafka": kafka, "kubectl": kubectl, "bazel": bazel, "sensors": sensors, "consumer": consumer}[kind]()
