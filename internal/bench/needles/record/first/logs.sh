# Logs.
# shellcheck shell=bash

# java_log: a service's log as text; one exception with its cause.
java_log() { # text
	fresh orders
	mkdir -p com/example/orders && cp "$here/first/OrderService.java" com/example/orders/
	javac -g -d classes com/example/orders/OrderService.java
	java -cp classes com.example.orders.OrderService 2>&1
}

# go_log: the access log of an HTTP server; one request panics.
go_log() { # text
	fresh gateway
	cp "$here/first/gateway.go.txt" main.go
	printf 'module example.com/gateway\n\ngo 1.22\n' >go.mod
	go build -o gateway . && ./gateway 2>&1
}

# json_log: a service's log as log/slog writes it; one record of level ERROR.
json_log() { # text
	fresh billing
	cp "$here/first/billing.go.txt" main.go
	printf 'module example.com/billing\n\ngo 1.22\n' >go.mod
	go run . 2>&1
}

# python_log: a worker's log as logging writes it; one traceback.
python_log() { # text
	fresh worker
	cp "$here/first/worker.py" worker.py
	python3 worker.py 2>&1
}

# kernel_log: printed by a generator in the format of dmesg, as a machine with broken disks is not at hand.
kernel_log() { # text
	python3 "$here/first/printed.py" kernel
}

# pod_log: printed by a generator in the format of kubectl logs --prefix; one line is rare, and has no failing word.
pod_log() { # text
	python3 "$here/first/printed.py" pods
}

# docker_build: printed by a generator in the format of docker build --progress=plain, for there is no daemon.
docker_build() { # text
	python3 "$here/first/printed.py" docker
}

# ci_log: what make, go test and node --test print, run by a script that stamps every line as a CI service does.
ci_log() { # text
	fresh ci
	python3 "$here/first/cfiles.py" passes 90
	mkdir go && (cd go && python3 "$here/first/gotests.py" passes 40 10)
	mkdir web && (cd web && python3 "$here/first/nodetests.py" 7 48)
	{
		echo '##[group]Run make -j2' && make -j2 && echo '##[endgroup]'
		echo '##[group]Run go test -v ./...' && (cd go && go test -v -count=1 ./...) && echo '##[endgroup]'
		echo '##[group]Run npm test' && (cd web && node --test --test-reporter=spec --test-concurrency=1 test/ || echo '##[error]Process completed with exit code 1.')
		echo '##[group]Run upload-artifact' && find build go web -type f | sort | sed 's/^/uploading /' && echo '##[endgroup]'
		echo 'Cleaning up orphan processes'
	} 2>&1 | python3 "$here/first/stamp.py"
}
