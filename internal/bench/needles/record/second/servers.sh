# Texts of servers and of what loads, deploys and orchestrates them.
# shellcheck shell=bash

# nginx_log: 2,000 requests through a proxy, access and error log together; the server behind is away for a moment.
nginx_log() { # text
	fresh proxy
	mkdir -p logs tmp
	cp "$here/second/nginx.conf" .
	python3 "$here/second/upstream.py" 18481 2>/dev/null &
	upstream=$!
	while [ ! -e ready ]; do sleep 0.1; done
	/usr/sbin/nginx -p /srv/proxy -c nginx.conf -e stderr 2>error &
	proxy=$!
	sleep 1
	python3 "$here/second/requests.py" 18480 2000
	kill $proxy $upstream && wait $proxy || true
	cat both.log
}

# siege_log: siege's lines, one a request; the server is overloaded for four of them.
siege_log() { # text
	fresh load
	export HOME=/srv/load
	python3 "$here/second/upstream.py" 18482 hangs 2>/dev/null &
	upstream=$!
	while [ ! -e ready ]; do sleep 0.1; done
	printf 'verbose = true\ncolor = off\ntimeout = 2\nconnection = close\nprotocol = HTTP/1.1\nfailures = 1024\nshow-logfile = false\nlogging = false\n' >siegerc
	python3 -c 'from words import *
for n in range(400): print(f"http://127.0.0.1:18482/{noun()}/{noun()}?page={rand.randrange(9)}")' >urls
	stdbuf -oL siege -R siegerc -f urls -c 4 -r 700 -b 2>&1 | grep -v '^New\|^by editing\|siege.conf\|siege -C' || true
	kill $upstream
}

# terraform_apply: 420 resources of the provider that is built in; one provisioner exits with 3.
terraform_apply() { # text
	fresh infrastructure
	python3 "$here/second/infrastructure.py" 260
	export TF_CLI_CONFIG_FILE=/srv/infrastructure/rc CHECKPOINT_DISABLE=1 HOME=/srv/infrastructure
	: >rc
	terraform init -no-color >/dev/null 2>&1
	terraform apply -auto-approve -no-color -parallelism=4 2>&1 || true
}

# ansible_play: a play of 20 tasks on 24 hosts; a task fails on one of them.
ansible_play() { # text
	fresh ops
	python3 "$here/second/play.py" 24 20
	export HOME=/srv/ops ANSIBLE_NOCOLOR=1 ANSIBLE_FORKS=6 ANSIBLE_LOCAL_TEMP=/srv/ops/tmp ANSIBLE_RETRY_FILES_ENABLED=0
	PATH=/usr/bin:/usr/sbin:/bin /usr/bin/ansible-playbook -i hosts play.yml 2>&1 || true
}

# journal: made by a generator, as journalctl prints it; a unit fails, is started again and runs.
journal() { # text
	python3 "$here/second/journal.py" 3000
}

# kubernetes: made by a generator, as kubectl get events and kubectl logs --timestamps --prefix print them; a pod is killed.
kubernetes() { # text
	python3 "$here/second/kubernetes.py" 2000
}

# worker_log: made by a program for it: 20,000 lines of Python's logging, one of which is unlike all others.
worker_log() { # text
	python3 "$here/second/worker.py" 8000
}

# server_pass: made by a program for it: a server's log at level info, which says error_rate=0 and 0 failed.
server_pass() { # text
	python3 "$here/second/healthy.py" 2000
}
