"""Documents of services, made after the code that cuts them. python3 documents.py NAME"""
import json
import random
import sys

from words import NOUNS

name = sys.argv[1]
rand = random.Random("unseen " + name)


def hexes(n):
    return "".join(rand.choice("0123456789abcdef") for _ in range(n))


def at(i):
    return "2026-05-%02dT%02d:%02d:%02d.%03dZ" % (1 + i // 1440 % 28, i // 60 % 24, i % 60, rand.randrange(60), rand.randrange(1000))


def word():
    return rand.choice(NOUNS)


def show(value, **options):
    print(json.dumps(value, **options))


def stack_events():
    """aws cloudformation describe-stack-events: a resource could not be made, and the rest was taken back."""
    events = []
    for i in range(140):
        kind = rand.choice(("AWS::Lambda::Function", "AWS::IAM::Role", "AWS::SQS::Queue", "AWS::DynamoDB::Table"))
        e = {"StackId": "arn:aws:cloudformation:eu-west-1:123456789012:stack/orders/" + hexes(12), "EventId": hexes(32), "StackName": "orders",
             "LogicalResourceId": word().title() + word().title(), "PhysicalResourceId": "orders-" + hexes(10), "ResourceType": kind, "Timestamp": at(i),
             "ResourceStatus": "CREATE_COMPLETE" if i % 2 else "CREATE_IN_PROGRESS", "ResourceProperties": json.dumps({"Name": word(), "Tags": [{"Key": "team", "Value": word()}]})}
        if i == 77:
            e.update(LogicalResourceId="LedgerArchiveBucket", ResourceType="AWS::S3::Bucket", ResourceStatus="CREATE_FAILED",
                     ResourceStatusReason="ledger-archive already exists in stack arn:aws:cloudformation:eu-west-1:123456789012:stack/audit")
        events.append(e)
    show({"StackEvents": events}, indent=4)


def bulk():
    """The answer of a search engine to a bulk request of 600 documents, on one line: two were refused."""
    items = []
    for i in range(600):
        it = {"_index": "orders-2026.05", "_id": hexes(20), "_version": 1, "result": "created", "_shards": {"total": 2, "successful": 2, "failed": 0}, "_seq_no": 91000 + i, "_primary_term": 3, "status": 201}
        if i == 303:
            it = {"_index": "orders-2026.05", "_id": "9f3ac1d07e55b2aa4410", "status": 400, "error": {"type": "document_parsing_exception", "reason": "[1:214] failed to parse field [total] of type [scaled_float]", "caused_by": {"type": "number_format_exception", "reason": "For input string: \"12,50\""}}}
        if i == 551:
            it = {"_index": "orders-2026.04", "_id": "c0ffee5a1e0000000001", "status": 429, "error": {"type": "es_rejected_execution_exception", "reason": "rejected execution of coordinating operation"}}
        items.append({"index": it})
    show({"took": 348, "errors": True, "items": items}, separators=(",", ":"))


def targets():
    """The targets of a Prometheus server: one is down, one is slow."""
    active = []
    for i in range(150):
        host = "10.2.%d.%d:9100" % (i // 50, i % 50)
        down, slow = i == 61, i == 118
        active.append({"discoveredLabels": {"__address__": host, "__meta_kubernetes_pod_name": word() + "-" + hexes(5), "__metrics_path__": "/metrics", "__scheme__": "http", "job": "node"},
                       "labels": {"instance": "10.2.9.77:9100" if down else host, "job": "node", "zone": rand.choice("abc")}, "scrapePool": "node", "scrapeUrl": "http://%s/metrics" % host, "globalUrl": "http://%s/metrics" % host,
                       "lastError": "Get \"http://10.2.9.77:9100/metrics\": dial tcp 10.2.9.77:9100: connect: connection refused" if down else "", "lastScrape": at(i),
                       "lastScrapeDuration": 9.987 if slow else round(rand.random() / 20, 6), "health": "down" if down else "up", "scrapeInterval": "15s", "scrapeTimeout": "10s"})
    show({"status": "success", "data": {"activeTargets": active, "droppedTargets": [], "droppedTargetCounts": {"node": 0}}}, separators=(",", ":"))


def playwright():
    """playwright test --reporter=json: suites in suites; one test fails, one is flaky."""
    suites = []
    for f in range(30):
        specs = []
        for s in range(12):
            status, errors, ok = "expected", [], True
            title = "%s %s of a %s" % (rand.choice(("shows", "keeps", "sorts")), word(), word())
            results = [{"workerIndex": f % 4, "parallelIndex": f % 4, "status": "passed", "duration": rand.randrange(200, 4000), "errors": [], "stdout": [], "stderr": [], "retry": 0, "startTime": at(f), "attachments": []}]
            if (f, s) == (11, 7):
                title, status, ok = "pays with a voucher that has expired", "unexpected", False
                results[0].update(status="failed", error={"message": "Error: expect(locator).toHaveText(expected)\n\nExpected: \"expired\"\nReceived: \"paid\"", "location": {"file": "/srv/shop/e2e/pay.spec.ts", "line": 88, "column": 31}})
            if (f, s) == (23, 2):
                title, status = "keeps the cart over a reload", "flaky"
                results.insert(0, dict(results[0], status="timedOut", error={"message": "Test timeout of 30000ms exceeded."}))
                results[1]["retry"] = 1
            specs.append({"title": title, "ok": ok, "tags": [], "tests": [{"timeout": 30000, "annotations": [], "expectedStatus": "passed", "projectId": "chromium", "projectName": "chromium", "results": results, "status": status}], "id": hexes(32), "file": "e2e/%s.spec.ts" % f, "line": 10 + s * 9, "column": 3})
        suites.append({"title": "%d.spec.ts" % f, "file": "e2e/%d.spec.ts" % f, "column": 0, "line": 0, "specs": [], "suites": [{"title": word() + " page", "file": "e2e/%d.spec.ts" % f, "line": 3, "column": 6, "specs": specs}]})
    show({"config": {"rootDir": "/srv/shop/e2e", "forbidOnly": False, "workers": 4, "version": "1.48.2"}, "suites": suites, "errors": [], "stats": {"startTime": at(1), "duration": 88123.4, "expected": 358, "skipped": 0, "unexpected": 1, "flaky": 1}}, indent=2)


def sarif():
    """A scan in SARIF: 300 notes of two rules, and one error."""
    results = []
    for i in range(300):
        rule, level, text = rand.choice((("js/unused-local-variable", "note", "Unused variable %s." % word()), ("js/todo-comment", "note", "This comment has a TODO.")))
        line, path = rand.randrange(1, 400), "src/%s/%s.js" % (word(), word())
        if i == 208:
            rule, level, text, path = "js/sql-injection", "error", "This query depends on a user-provided value.", "src/billing/search_invoices.js"
        results.append({"ruleId": rule, "rule": {"id": rule, "index": 3 if level == "error" else 1, "toolComponent": {"index": 0}}, "level": level, "message": {"text": text},
                        "locations": [{"physicalLocation": {"artifactLocation": {"uri": path, "uriBaseId": "%SRCROOT%", "index": i}, "region": {"startLine": line, "startColumn": 7, "endColumn": 19}}}],
                        "partialFingerprints": {"primaryLocationLineHash": hexes(16) + ":1", "primaryLocationStartColumnFingerprint": "4"}})
    show({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"tool": {"driver": {"name": "CodeQL", "organization": "GitHub", "semanticVersion": "2.19.0", "rules": [{"id": r, "name": r, "defaultConfiguration": {"enabled": True}} for r in ("js/todo-comment", "js/unused-local-variable", "js/x", "js/sql-injection")]}}, "results": results, "columnKind": "utf16CodeUnits"}]}, separators=(",", ":"))


def graphql():
    """An answer of a GraphQL server: two of 200 orders have no customer, and the errors say why."""
    edges = []
    for i in range(200):
        customer = None if i in (42, 160) else {"id": "gid://shop/Customer/%d" % (70000 + i), "displayName": word().title() + " " + word().title(), "email": word() + "@example.com"}
        edges.append({"cursor": hexes(24), "node": {"id": "gid://shop/Order/%d" % (5000 + i), "name": "#%d" % (1001 + i), "createdAt": at(i), "displayFinancialStatus": "PAID", "displayFulfillmentStatus": rand.choice(("FULFILLED", "UNFULFILLED")), "totalPriceSet": {"shopMoney": {"amount": "%d.%02d" % (rand.randrange(500), rand.randrange(100)), "currencyCode": "EUR"}}, "customer": customer}})
    show({"data": {"orders": {"edges": edges, "pageInfo": {"hasNextPage": True, "endCursor": hexes(24)}}},
          "errors": [{"message": "Access denied for customer field of order 5042.", "path": ["orders", "edges", 42, "node", "customer"], "extensions": {"code": "ACCESS_DENIED"}},
                     {"message": "Customer 70160 was redacted.", "path": ["orders", "edges", 160, "node", "customer"], "extensions": {"code": "NOT_FOUND"}}],
          "extensions": {"cost": {"requestedQueryCost": 412, "actualQueryCost": 402}}}, separators=(",", ":"))


def nodes():
    """kubectl get nodes -o json: one is under disk pressure, one has not been heard of."""
    items = []
    for i in range(36):
        host = "worker-%02d" % i
        pressure, silent = i == 9, i == 27
        conditions = [{"lastHeartbeatTime": at(i), "lastTransitionTime": at(i), "message": m, "reason": r, "status": s, "type": t} for t, s, r, m in (
            ("MemoryPressure", "Unknown" if silent else "False", "NodeStatusUnknown" if silent else "KubeletHasSufficientMemory", "Kubelet stopped posting node status." if silent else "kubelet has sufficient memory available"),
            ("DiskPressure", "Unknown" if silent else "True" if pressure else "False", "NodeStatusUnknown" if silent else "KubeletHasDiskPressure" if pressure else "KubeletHasNoDiskPressure", "Kubelet stopped posting node status." if silent else "kubelet has disk pressure" if pressure else "kubelet has no disk pressure"),
            ("PIDPressure", "Unknown" if silent else "False", "NodeStatusUnknown" if silent else "KubeletHasSufficientPID", "Kubelet stopped posting node status." if silent else "kubelet has sufficient PID available"),
            ("Ready", "Unknown" if silent else "True", "NodeStatusUnknown" if silent else "KubeletReady", "Kubelet stopped posting node status." if silent else "kubelet is posting ready status"))]
        items.append({"apiVersion": "v1", "kind": "Node", "metadata": {"name": host, "uid": hexes(32), "creationTimestamp": at(i), "labels": {"kubernetes.io/hostname": host, "kubernetes.io/arch": "amd64", "topology.kubernetes.io/zone": "eu-west-1" + "abc"[i % 3]}},
                      "spec": {"podCIDR": "10.244.%d.0/24" % i, "providerID": "aws:///eu-west-1a/i-" + hexes(17), **({"taints": [{"effect": "NoSchedule", "key": "node.kubernetes.io/disk-pressure"}]} if pressure else {})},
                      "status": {"addresses": [{"address": "10.0.0.%d" % i, "type": "InternalIP"}, {"address": host, "type": "Hostname"}], "allocatable": {"cpu": "7910m", "memory": "31482288Ki", "pods": "110"}, "capacity": {"cpu": "8", "memory": "32499120Ki", "pods": "110"}, "conditions": conditions,
                                 "images": [{"names": ["registry.example.com/%s@sha256:%s" % (word(), hexes(64)), "registry.example.com/%s:1.%d" % (word(), k)], "sizeBytes": rand.randrange(10**8)} for k in range(25)],
                                 "nodeInfo": {"architecture": "amd64", "bootID": hexes(32), "containerRuntimeVersion": "containerd://1.7.21", "kernelVersion": "6.1.0-25-amd64", "kubeletVersion": "v1.29.1" if i == 9 else "v1.30.4", "operatingSystem": "linux", "osImage": "Debian GNU/Linux 12 (bookworm)"}}})
    show({"apiVersion": "v1", "items": items, "kind": "List"}, indent=4)


def dag():
    """The task instances of a run, as Airflow gives them: one failed, what depends on it did not run."""
    tasks = []
    for i in range(90):
        state = {33: "failed", 34: "upstream_failed"}.get(i, "success")
        tasks.append({"dag_id": "nightly", "dag_run_id": "scheduled__2026-05-04T00:00:00+00:00", "duration": None if i == 34 else rand.random() * 90, "end_date": at(i), "execution_date": "2026-05-04T00:00:00+00:00", "executor": None, "executor_config": "{}", "hostname": "" if i == 34 else "worker-%d" % (i % 5),
                      "map_index": -1, "max_tries": 2, "note": "Snowflake refused the key of role LOADER" if i == 33 else None, "operator": "PythonOperator", "pid": rand.randrange(9999), "pool": "default_pool", "pool_slots": 1, "priority_weight": 90 - i, "queue": "default", "queued_when": at(i), "rendered_fields": {"op_args": [], "op_kwargs": {"table": word() + "_" + word()}},
                      "start_date": at(i), "state": state, "task_id": {33: "load_settlements", 34: "report_settlements"}.get(i, "load_" + word() + str(i)), "try_number": 3 if i == 33 else 1, "unixname": "airflow"})
    show({"task_instances": tasks, "total_entries": 90}, indent=2)


def trivy():
    """trivy image -f json: 160 findings of low severity, one that is critical, and one secret."""
    found = []
    for i in range(160):
        cve = "CVE-20%d-%d" % (rand.randrange(18, 26), rand.randrange(1000, 60000))
        package, severity, title = "lib" + word(), rand.choice(("LOW", "LOW", "MEDIUM")), "%s: %s of %s" % (word(), rand.choice(("overflow", "leak")), word())
        if i == 97:
            cve, package, severity, title = "CVE-2024-3094", "liblzma5", "CRITICAL", "xz: malicious code in distributed source"
        found.append({"VulnerabilityID": cve, "PkgID": package + "@1.%d" % i, "PkgName": package, "InstalledVersion": "1.%d" % i, "Status": "affected", "Layer": {"Digest": "sha256:" + hexes(64), "DiffID": "sha256:" + hexes(64)}, "SeveritySource": "debian", "PrimaryURL": "https://avd.example.com/nvd/" + cve.lower(), "DataSource": {"ID": "debian", "Name": "Debian Security Tracker"}, "Title": title, "Description": " ".join(word() for _ in range(60)), "Severity": severity, "CweIDs": ["CWE-%d" % rand.randrange(900)], "References": ["https://example.com/%s/%d" % (word(), k) for k in range(5)], "PublishedDate": at(i), "LastModifiedDate": at(i)})
    secret = {"RuleID": "aws-access-key-id", "Category": "AWS", "Severity": "CRITICAL", "Title": "AWS Access Key ID", "StartLine": 12, "EndLine": 12, "Match": "AWS_ACCESS_KEY_ID=********************"}
    show({"SchemaVersion": 2, "CreatedAt": at(3), "ArtifactName": "shop/gateway:3.1.0", "ArtifactType": "container_image", "Results": [{"Target": "shop/gateway:3.1.0 (debian 12.5)", "Class": "os-pkgs", "Type": "debian", "Vulnerabilities": found}, {"Target": "/srv/app/.env.production", "Class": "secret", "Secrets": [secret]}]}, indent=2)


globals()[name]()
