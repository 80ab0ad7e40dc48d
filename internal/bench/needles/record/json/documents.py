"""Documents as services and programs print them that need a cluster, an account or a daemon. python3 documents.py NAME"""
import hashlib
import json
import random
import sys

from words import NOUNS

WORDS = list(NOUNS)
name = sys.argv[1]
rand = random.Random(name)


def hexes(n):
    return "".join(rand.choice("0123456789abcdef") for _ in range(n))


def short(n):
    return "".join(rand.choice("bcdfghjklmnpqrstvwxz2456789") for _ in range(n))


def uid():
    return "-".join(hexes(n) for n in (8, 4, 4, 4, 12))


def when(minute):
    return "2026-03-%02dT%02d:%02d:%02dZ" % (2 + minute // 1440 % 27, minute // 60 % 24, minute % 60, rand.randrange(60))


def address():
    return "10.%d.%d.%d" % (rand.randrange(4), rand.randrange(256), rand.randrange(1, 255))


def pretty(value, indent):
    print(json.dumps(value, indent=indent))


def compact(value):
    print(json.dumps(value, separators=(",", ":")))


def pods():
    """kubectl get pods -A -o json: one waits for its image, one crashes."""
    items = []
    for i in range(120):
        app = rand.choice(WORDS)
        pod = "%s-%s-%s" % (app, short(9), short(5))
        bad = {31: "ImagePullBackOff", 88: "CrashLoopBackOff"}.get(i)
        if bad:
            pod = {31: "ledger-6f5c8d7b9f-xk2lp", 88: "mailer-77c9d4b5c6-q8wzt"}[i]
        image = "registry.example.com/%s:1.%d.%d" % (app, rand.randrange(30), rand.randrange(9))
        state = {"running": {"startedAt": when(i)}}
        if i == 31:
            state = {"waiting": {"reason": bad, "message": "Back-off pulling image \"registry.example.com/ledger:2.0.0-rc9\""}}
        if i == 88:
            state = {"waiting": {"reason": bad, "message": "back-off 5m0s restarting failed container=mailer pod=" + pod}}
        status = {
            "phase": "Pending" if i == 31 else "Running",
            "conditions": [{"lastProbeTime": None, "lastTransitionTime": when(i), "status": "False" if bad and t != "PodScheduled" and t != "Initialized" else "True", "type": t}
                           for t in ("Initialized", "Ready", "ContainersReady", "PodScheduled")],
            "containerStatuses": [{
                "containerID": "" if i == 31 else "containerd://" + hexes(64), "image": image, "imageID": image + "@sha256:" + hexes(64),
                "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled", "finishedAt": when(i)}} if i == 88 else {},
                "name": app, "ready": not bad, "restartCount": 41 if i == 88 else rand.choice((0, 0, 0, 1)), "started": not bad, "state": state}],
            "hostIP": address(), "podIP": address(), "podIPs": [{"ip": address()}], "qosClass": "Burstable", "startTime": when(i)}
        items.append({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"annotations": {"cni.projectcalico.org/podIP": address() + "/32", "prometheus.io/scrape": "true"},
                         "creationTimestamp": when(i), "generateName": pod[:-5], "labels": {"app": app, "pod-template-hash": short(9)},
                         "name": pod, "namespace": rand.choice(("shop", "billing", "default")),
                         "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": True, "controller": True, "kind": "ReplicaSet", "name": pod[:-6], "uid": uid()}],
                         "resourceVersion": str(rand.randrange(10**7)), "uid": uid()},
            "spec": {"containers": [{"image": image, "imagePullPolicy": "IfNotPresent", "name": app,
                                     "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                                     "resources": {"limits": {"memory": "256Mi"}, "requests": {"cpu": "50m", "memory": "128Mi"}},
                                     "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
                                     "volumeMounts": [{"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "kube-api-access-" + short(5), "readOnly": True}]}],
                     "dnsPolicy": "ClusterFirst", "enableServiceLinks": True, "nodeName": "node-%d" % rand.randrange(6), "preemptionPolicy": "PreemptLowerPriority", "priority": 0,
                     "restartPolicy": "Always", "schedulerName": "default-scheduler", "serviceAccount": "default",
                     "tolerations": [{"effect": "NoExecute", "key": k, "operator": "Exists", "tolerationSeconds": 300} for k in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")]},
            "status": status})
    pretty({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}, 4)


def checks():
    """The check runs of a commit, as the API of GitHub gives them: two did not succeed."""
    runs = []
    for i in range(96):
        bad = {40: "failure", 71: "timed_out"}.get(i)
        title = {40: "integration (postgres-16, arm64)", 71: "e2e (webkit, shard 3)"}.get(i, "%s (%s, %s)" % (rand.choice(("unit", "lint", "build", "race")), rand.choice(WORDS), rand.choice(("linux", "macos", "windows"))))
        n = rand.randrange(10**10)
        url = "https://api.github.example/repos/acme/shop"
        runs.append({"id": n, "name": title, "node_id": "CR_kw" + short(14), "head_sha": "4f1c" + "9" * 36, "external_id": uid(),
                     "url": url + "/check-runs/%d" % n, "html_url": "https://github.example/acme/shop/actions/runs/%d/job/%d" % (n // 3, n), "details_url": "https://github.example/acme/shop/actions/runs/%d/job/%d" % (n // 3, n),
                     "status": "completed", "conclusion": bad or "success", "started_at": when(i), "completed_at": when(i + 4),
                     "output": {"title": None, "summary": "2 tests failed: LedgerRollback, PartialRefund" if i == 40 else None, "text": None, "annotations_count": 2 if i == 40 else 0, "annotations_url": url + "/check-runs/%d/annotations" % n},
                     "check_suite": {"id": n // 7}, "app": {"id": 15368, "slug": "github-actions", "node_id": "MDM6QXBw", "owner": {"login": "github", "id": 9919, "type": "Organization", "site_admin": False}, "name": "GitHub Actions", "external_url": "https://help.github.example/en/actions", "permissions": {"actions": "write", "checks": "write", "contents": "read"}},
                     "pull_requests": []})
    compact({"total_count": len(runs), "check_runs": runs})


def containers():
    """docker inspect of all containers: one was killed for its memory, one is unhealthy."""
    out = []
    for i in range(40):
        app = rand.choice(WORDS)
        label = {12: "/shop-indexer-1", 29: "/shop-gateway-2"}.get(i, "/shop-%s-%d" % (app, i))
        killed, sick = i == 12, i == 29
        log = [{"Start": when(i), "End": when(i), "ExitCode": 1 if sick else 0, "Output": "curl: (7) Failed to connect to 127.0.0.1 port 8443" if sick else "ok"} for _ in range(5)]
        out.append({"Id": hexes(64), "Created": when(i), "Path": "/usr/bin/" + app, "Args": ["--port", "8080"],
                    "State": {"Status": "exited" if killed else "running", "Running": not killed, "Paused": False, "Restarting": False, "OOMKilled": killed, "Dead": False, "Pid": 0 if killed else rand.randrange(90000), "ExitCode": 137 if killed else 0, "Error": "", "StartedAt": when(i), "FinishedAt": when(i) if killed else "0001-01-01T00:00:00Z",
                              "Health": {"Status": "unhealthy" if sick else "healthy", "FailingStreak": 17 if sick else 0, "Log": log}},
                    "Image": "sha256:" + hexes(64), "ResolvConfPath": "/var/lib/docker/containers/%s/resolv.conf" % hexes(64), "Name": label, "RestartCount": 0, "Driver": "overlay2", "Platform": "linux", "MountLabel": "", "ProcessLabel": "", "AppArmorProfile": "docker-default", "ExecIDs": None,
                    "HostConfig": {"Binds": ["shop_data:/data:rw"], "NetworkMode": "shop_default", "PortBindings": {}, "RestartPolicy": {"Name": "always", "MaximumRetryCount": 0}, "AutoRemove": False, "CapAdd": None, "CapDrop": None, "CgroupnsMode": "private", "Dns": [], "DnsOptions": [], "DnsSearch": [], "ExtraHosts": [], "GroupAdd": None, "IpcMode": "private", "Memory": 536870912, "NanoCpus": 0, "CpuShares": 0, "MemorySwap": 1073741824, "PidsLimit": None, "Ulimits": None, "OomKillDisable": None, "ShmSize": 67108864, "Runtime": "runc", "ConsoleSize": [0, 0], "Isolation": "", "MaskedPaths": ["/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys"], "ReadonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq"], "Privileged": False, "PublishAllPorts": False, "ReadonlyRootfs": False, "SecurityOpt": None, "UTSMode": "", "UsernsMode": "", "OomScoreAdj": 0, "BlkioWeight": 0, "CpuPeriod": 0, "CpuQuota": 0},
                    "GraphDriver": {"Data": {"LowerDir": "/var/lib/docker/overlay2/%s/diff" % hexes(64), "MergedDir": "/var/lib/docker/overlay2/%s/merged" % hexes(64)}, "Name": "overlay2"},
                    "Config": {"Hostname": hexes(12), "User": "", "Tty": False, "Env": ["PATH=/usr/local/sbin:/usr/local/bin", "APP=" + app], "Cmd": ["serve"], "Image": "shop/%s:%d" % (app, rand.randrange(99)), "Labels": {"com.docker.compose.project": "shop", "com.docker.compose.service": app, "com.docker.compose.version": "2.24.5"}},
                    "NetworkSettings": {"Networks": {"shop_default": {"IPAddress": address(), "Gateway": "172.18.0.1", "MacAddress": "02:42:ac:12:00:%02x" % i, "NetworkID": hexes(64)}}}})
    pretty(out, 4)


def instances():
    """aws ec2 describe-instances: one was stopped by its host, one has no address."""
    reservations = []
    for i in range(80):
        stopped, lost = i == 23, i == 64
        iid = {23: "i-0d3adbeef41c77e02", 64: "i-0a9911bb22cc33dd4"}.get(i, "i-0" + hexes(16))
        reservations.append({"Groups": [], "Instances": [{
            "AmiLaunchIndex": 0, "ImageId": "ami-0" + hexes(16), "InstanceId": iid, "InstanceType": rand.choice(("t3.medium", "m6i.large", "c6g.xlarge")), "KeyName": "fleet", "LaunchTime": when(i),
            "Monitoring": {"State": "disabled"}, "Placement": {"AvailabilityZone": "eu-west-1" + rand.choice("abc"), "GroupName": "", "Tenancy": "default"},
            "PrivateDnsName": "ip-10-0-%d-%d.eu-west-1.compute.internal" % (rand.randrange(256), rand.randrange(256)), "PrivateIpAddress": None if lost else address(), "ProductCodes": [], "PublicDnsName": "",
            "State": {"Code": 80, "Name": "stopped"} if stopped else {"Code": 16, "Name": "running"},
            "StateTransitionReason": "Server.InternalError (2026-03-04 02:11:09 GMT)" if stopped else "", "SubnetId": "subnet-0" + hexes(16), "VpcId": "vpc-0f00d", "Architecture": "x86_64",
            "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"AttachTime": when(i), "DeleteOnTermination": True, "Status": "attached", "VolumeId": "vol-0" + hexes(16)}}],
            "ClientToken": uid(), "EbsOptimized": False, "EnaSupport": True, "Hypervisor": "xen",
            "NetworkInterfaces": [{"Attachment": {"AttachTime": when(i), "AttachmentId": "eni-attach-0" + hexes(16), "DeleteOnTermination": True, "DeviceIndex": 0, "Status": "attached"}, "Description": "", "MacAddress": "06:%s:%s" % (hexes(2), hexes(2)), "NetworkInterfaceId": "eni-0" + hexes(16), "Status": "in-use"}],
            "RootDeviceName": "/dev/xvda", "RootDeviceType": "ebs", "SecurityGroups": [{"GroupName": "fleet", "GroupId": "sg-0" + hexes(16)}], "SourceDestCheck": True,
            **({"StateReason": {"Code": "Server.InternalError", "Message": "Server.InternalError: Internal error on launch"}} if stopped else {}),
            "Tags": [{"Key": "Name", "Value": rand.choice(WORDS) + "-%d" % i}, {"Key": "team", "Value": rand.choice(("payments", "search"))}], "VirtualizationType": "hvm"}],
            "OwnerId": "123456789012", "ReservationId": "r-0" + hexes(16)})
    pretty({"Reservations": reservations}, 4)


globals()[name]()
