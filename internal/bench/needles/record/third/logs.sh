# Texts of servers, loggers and deployments.
# shellcheck shell=bash

# haproxy_log: 1,300 requests; for three of them no server was there.
haproxy_log() { # text
	fresh edge
	python3 "$here/second/upstream.py" 18486 2>/dev/null &
	upstream=$!
	while [ ! -e ready ]; do sleep 0.1; done
	haproxy -f "$here/third/haproxy.cfg" >log 2>&1 &
	proxy=$!
	sleep 1
	python3 "$here/third/requests.py" 18487 500
	kill $upstream && sleep 0.1 && wait $upstream || true
	python3 "$here/third/requests.py" 18487 3
	rm ready
	python3 "$here/second/upstream.py" 18486 2>/dev/null &
	upstream=$!
	while [ ! -e ready ]; do sleep 0.1; done
	sleep 0.2
	python3 "$here/third/requests.py" 18487 800
	kill $proxy $upstream && wait $proxy || true
	cat log
}

# flask_dev: Flask's development server; one request of 700 raises.
flask_dev() { # text
	fresh desk
	cp "$here/third/desk.py" .
	python3 desk.py 18488 2>log &
	desk=$!
	python3 "$here/third/requests.py" 18488 700 desk
	kill $desk && wait $desk || true
	grep -v WARNING log
}

# klog: a controller's log by k8s.io/klog; one item is given up.
klog() { # text
	fresh controller
	cp "$here/third/klog.go.txt" main.go
	go mod init example.com/controller >/dev/null 2>&1 && go get k8s.io/klog/v2@v2.130.1 >/dev/null 2>&1
	go run . 2>&1
}

# severity_json: Python's logging as a cloud's JSON; one entry is CRITICAL.
severity_json() { # text
	fresh orders
	cp "$here/third/severity.py" orders.py
	python3 orders.py 900 2>&1
}

# kafka_log: made by a program in the format of a broker's server.log; one partition's log cannot be flushed.
kafka_log() { # text
	python3 "$here/third/formats.py" kafka 620
}

# kubectl_apply: made by a program in the format of kubectl apply -f of a directory; two manifests are not accepted.
kubectl_apply() { # text
	python3 "$here/third/formats.py" kubectl 1300
}

# bazel_test: made by a program in the format of bazel test --noshow_progress; one target fails, one is not built.
bazel_test() { # text
	python3 "$here/third/formats.py" bazel 700
}

# maven_reactor: made by a program in the format of mvn -B test; one module of 40 has a failure and an error, and --fail-at-end goes on.
maven_reactor() { # text
	python3 "$here/third/maven.py" fails 40
}

# maven_pass: made by a program in the format of mvn -B test; nothing fails.
maven_pass() { # text
	python3 "$here/third/maven.py" passes 24
}

# sensors_log: made by a program: readings every minute; one line is of another kind and says nothing of failing.
sensors_log() { # text
	python3 "$here/third/formats.py" sensors 1400
}

# consumer_log: made by a program: a consumer's offsets; once the partition changes hands.
consumer_log() { # text
	python3 "$here/third/formats.py" consumer 1200
}
