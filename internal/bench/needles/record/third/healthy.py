"""healthy.py KIND COUNT prints, or makes, what nothing is wrong with."""
import http.client
import json
import os
import sys
from datetime import datetime, timedelta

from words import camel, hexa, noun, rand, trait, unique, verb

kind, count = sys.argv[1], int(sys.argv[2])


def chat():
    now = datetime(2026, 3, 2, 9, 0)
    said = ["did the {n} job fail again last night?", "no, it failed on Friday, since then it is fine", "I saw an error about the {n}, but it went away", "ERROR 1045 is the one with the password, right?",
            "right, access denied, that was my laptop", "shall we rename {n} to {m}?", "+1", "the {n} {v} the {m} now, see the pull request", "can somebody review it before lunch?",
            "lol, the test is called test_panics_on_{m}", "FATAL is just the level that the {n} prints at start, ignore it", "ok, thanks!", "what is the timeout of the {n}?", "30 s, it was 5 before the exception in May",
            "we should never crash because of a {n}", "agreed", "I'll be at the dentist at 3", "the {m} dashboard is green again", "deploying {n} 1.4.{k}", "done, no errors",
            "who knows why the {n} {v} every {m}?", "history: somebody was afraid that it fails :)", "let's talk about the {n} tomorrow"]
    for _ in range(count):
        now += timedelta(seconds=rand.randrange(200))
        print(f"[{now:%Y-%m-%d %H:%M}] <{rand.choice(['ada', 'bob', 'cyd', 'dora', 'emil'])}> " + " ".join(
            t.format(n=noun(), m=noun(), v=verb(), k=rand.randrange(60)) for t in rand.sample(said, rand.choice([1, 1, 2]))))


def sql():
    for name in unique(lambda: f"{rand.choice(['check', 'close', 'move', 'raise_error_of'])}_{noun()}_{noun()}", count):
        a, b = noun(), noun()
        print(f"CREATE OR REPLACE FUNCTION {name}(p_{a} bigint, p_{b} text) RETURNS void LANGUAGE plpgsql AS $$\nDECLARE\n    v_found {a}%ROWTYPE;\nBEGIN\n    SELECT * INTO STRICT v_found FROM {a} WHERE id = p_{a} FOR UPDATE;")
        if rand.random() < 0.6:
            print(f"    IF v_found.{b} IS NULL THEN\n        RAISE EXCEPTION '{a} % has no {b}', p_{a} USING ERRCODE = 'P0{rand.randrange(100, 999)}';\n    END IF;")
        if rand.random() < 0.3:
            print(f"    INSERT INTO failed_{b} ({a}_id, error) VALUES (p_{a}, 'fatal: ' || p_{b});")
        print(f"    UPDATE {a} SET {b} = p_{b}, errors = 0 WHERE id = p_{a};")
        if rand.random() < 0.7:
            print(f"EXCEPTION\n    WHEN no_data_found THEN\n        RAISE WARNING 'ERROR: {a} % not found', p_{a};\n    WHEN unique_violation THEN\n        NULL; -- {trait().replace('_', ' ')}")
        print("END;\n$$;\n")


def manifests():
    for name in unique(lambda: f"{rand.choice(['', 'error-', 'failover-'])}{noun()}-{noun()}", count):
        print(f"""apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  labels: {{app: {name}, tier: {rand.choice(['web', 'worker', 'batch'])}}}
  annotations:
    alerts.example.com/on-error: page-{noun()}
    alerts.example.com/message: "ERROR: {name} failed for 5 minutes"
spec:
  replicas: {rand.randrange(1, 9)}
  progressDeadlineSeconds: 600
  selector:
    matchLabels: {{app: {name}}}
  template:
    metadata:
      labels: {{app: {name}}}
    spec:
      restartPolicy: {rand.choice(['Always', 'OnFailure'])}
      containers:
        - name: {name}
          image: example/{name}:{rand.randrange(9)}.{rand.randrange(30)}.0
          args: [--log-level={rand.choice(['error', 'info', 'fatal'])}, --panic-on-warning=false, --queue={noun()}]
          env:
            - {{name: {noun().upper()}_URL, value: "https://{noun()}.example.com/{noun()}"}}
            - {{name: FAIL_FAST, value: "{rand.choice(['true', 'false'])}"}}
          livenessProbe:
            httpGet: {{path: /health/{noun()}, port: {rand.randrange(8000, 8999)}}}
            failureThreshold: {rand.randrange(2, 6)}
            timeoutSeconds: {rand.randrange(1, 10)}
          terminationMessagePolicy: FallbackToLogsOnError
          resources:
            requests: {{cpu: {rand.randrange(1, 20)}00m, memory: {rand.randrange(64, 900)}Mi}}
---
apiVersion: v1
kind: Service
metadata:
  name: {name}
spec:
  selector: {{app: {name}}}
  ports: [{{port: 80, targetPort: {rand.randrange(8000, 8999)}, name: {noun()}}}]
---""")


def notebook():
    cells = []
    for n in range(count):
        a, b = noun(), noun()
        cells.append({"cell_type": "markdown", "metadata": {}, "source": [f"## {camel(a)} and {b}\n", f"The standard error of `{a}` after failed {b}s are left out.\n"]})
        cells.append({"cell_type": "code", "execution_count": n + 1, "id": hexa(8), "metadata": {}, "source": [
            "try:\n", f"    {a} = frame.groupby('{b}').error_rate.mean()\n", "except KeyError as error:\n", "    raise ValueError('no such column') from error\n", f"{a}.describe()"],
            "outputs": [{"data": {"text/plain": [f"{x:8}{rand.random() * 90:12.6f}\n" for x in ("count", "mean", "std", "min", "max")]}, "execution_count": n + 1, "metadata": {}, "output_type": "execute_result"}]})
    json.dump({"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}, sys.stdout, indent=1)
    print()


def paths():
    rand.seed(5)
    return unique(lambda: f"{noun()}/{rand.choice(['', 'error-', 'failed-'])}{noun()}.html", 120)


def pages():
    for path in paths():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").write(path)


def fetch():
    known = paths()
    for _ in range(count):
        connection = http.client.HTTPConnection("127.0.0.1", 18489)
        connection.request("GET", f"/{rand.choice(known)}?page={rand.randrange(500)}")
        assert connection.getresponse().status == 200


def nightly():
    now = datetime(2026, 3, 2, 1, 0)
    forms = ["{n}: {k} rows copied, errors: none", "{n}: done rc=0 failed=0 skipped=0", "{n}: {k} sessions recovered from the {m} journal", "{n}: retry not needed, first attempt succeeded",
             "{n}: verify ok, 0 mismatches in {k} blocks", "{n}: cleaned {k} expired error reports", "{n}: no failed {m}s to resend", "{n}: lock taken, nobody held it", "{n}: checked {m}, exceptions=[] warnings=[]"]
    for _ in range(count):
        now += timedelta(seconds=rand.randrange(20))
        print(f"{now:%b %d %H:%M:%S} nightly[{rand.randrange(300, 340)}] info: " + rand.choice(forms).format(n=noun(), m=noun(), k=rand.randrange(9000)))


globals()[kind]()
