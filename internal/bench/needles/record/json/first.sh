# JSON documents that were there before the code that cuts them.
# shellcheck shell=bash

# kubectl_pods: a list of 120 pods; one waits for its image, one crashes.
kubectl_pods() { # text
	python3 "$here/json/documents.py" pods
}

# github_checks: the check runs of a commit on one line; one failed, one timed out.
github_checks() { # text
	python3 "$here/json/documents.py" checks
}

# docker_inspect: 40 containers; one was killed for its memory, one is unhealthy.
docker_inspect() { # text
	python3 "$here/json/documents.py" containers
}

# aws_instances: 80 instances; one was stopped by an error of its host, one has no address.
aws_instances() { # text
	python3 "$here/json/documents.py" instances
}

# eslint_json: eslint -f json of 170 files; two messages are errors.
eslint_json() { # text
	node_packages eslint@9
	fresh portal
	python3 "$here/third/jsfiles.py" 170
	node /srv/npm/node_modules/eslint/bin/eslint.js -f json src || true
	echo
}

# jest_json: jest --json of the second of 7 packages, where two tests fail.
jest_json() { # text
	node_packages jest@29
	fresh shop
	python3 "$here/third/jesttests.py" fails 7
	cd packages/01-*
	node /srv/npm/node_modules/jest/bin/jest.js --json --runInBand --no-cache 2>/dev/null || true
	echo
}

# npm_ls: npm ls --all --json of jest and eslint; one package has another version than is wanted, one is missing.
npm_ls() { # text
	node_packages jest@29 eslint@9
	fresh listed
	cp -r /srv/npm/. .
	rm -rf node_modules/picomatch
	sed -i 's/"version": "[0-9.]*"/"version": "0.0.1"/' node_modules/semver/package.json
	npm ls --all --json 2>/dev/null || true
}

# go_list: go list -e -json of a package with 1,200 files; an import is of a package that does not exist.
go_list() { # text
	fresh wide
	python3 "$here/json/gowide.py"
	go list -e -deps=false -json .
}

# cargo_metadata: 160 crates of a workspace; one has no license, one another edition.
cargo_metadata() { # text
	fresh crates
	python3 "$here/json/cratesof.py" 160
	cargo metadata --format-version 1 --offline --no-deps
}

# terraform_plan: terraform show -json of a plan with 300 resources; one is to be deleted, a condition fails.
terraform_plan() { # text
	fresh stacks
	python3 "$here/json/resources.py" 300 before
	terraform init -input=false >/dev/null
	terraform apply -auto-approve -input=false >/dev/null
	python3 "$here/json/resources.py" 300 after
	terraform plan -input=false -out=plan >/dev/null
	terraform show -json plan
}
