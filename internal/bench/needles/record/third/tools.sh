# Texts of programs that check, copy and plan.
# shellcheck shell=bash

nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

# git_fsck: a repository of 110 commits; one object is damaged, one is gone.
git_fsck() { # text
	fresh vault
	git init -q -b main . && git config gc.auto 0
	python3 "$here/third/commits.py" 110 | git -c fastimport.unpackLimit=100000 fast-import --quiet
	blob=$(git rev-parse "main~20:notes/1.txt") && gone=$(git rev-parse "main~70:notes/2.txt")
	chmod u+w ".git/objects/${blob:0:2}/${blob:2}" && printf 'damaged' >".git/objects/${blob:0:2}/${blob:2}"
	rm -f ".git/objects/${gone:0:2}/${gone:2}"
	git fsck --full --verbose 2>&1 || true
}

# openssl_verify: 1,100 certificates; one has expired, one is of another authority.
openssl_verify() { # text
	fresh certificates
	python3 "$here/third/certificates.py" 1100
	openssl verify -CAfile ca.pem hosts/*.pem 2>&1 || true
}

# sha256_check: 1,100 files' sums; one file has changed, one cannot be read.
sha256_check() { # text
	fresh depot
	python3 "$here/second/archive.py" release 1100
	find release -type f -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS
	printf x >>"$(sed -n '312{s/^[^ ]*  //;p}' SHA256SUMS)"
	rm "$(sed -n '470{s/^[^ ]*  //;p}' SHA256SUMS)"
	sha256sum -c SHA256SUMS 2>&1 || true
}

# sqlite_import: statements with -echo; one violates a constraint, one names no column.
sqlite_import() { # text
	fresh tills
	python3 "$here/third/inserts.py" 1500 >import.sql
	sqlite3 -echo tills.db ".read import.sql" 2>&1 || true
}

# terraform_plan: 210 resources change in place, nothing fails; one would be replaced.
terraform_plan() { # text
	fresh infrastructure
	export TF_CLI_CONFIG_FILE=/srv/infrastructure/rc CHECKPOINT_DISABLE=1 HOME=/srv/infrastructure
	: >rc
	python3 "$here/third/plan.py" 210 1 >main.tf
	terraform init -no-color >/dev/null 2>&1 && terraform apply -no-color -auto-approve >/dev/null 2>&1
	python3 "$here/third/plan.py" 210 2 >main.tf
	terraform plan -no-color 2>&1
}

# wget_mirror: wget -r of 480 pages, three requests fail in two ways.
wget_mirror() { # text
	fresh site
	python3 "$here/third/pages.py" 18485 480 2>/dev/null &
	pages=$!
	while [ ! -e ready ]; do sleep 0.1; done
	http_proxy=http://127.0.0.1:18485 wget -r -l inf --no-verbose --tries=1 http://docs.example.net/index.html 2>&1 || true
	kill $pages
}

# borg_create: a backup of 1,500 files and a second one; one file cannot be read.
borg_create() { # text
	fresh backup
	export BORG_BASE_DIR=/srv/backup/borg BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes
	python3 "$here/second/archive.py" data 900
	chmod 777 . && chmod 600 "$(find data -type f | sort | sed -n 333p)"
	nobody borg init -e none repo 2>/dev/null
	nobody borg create --list --stats --show-rc repo::monday data 2>&1 || true
	python3 "$here/second/archive.py" media 600
	nobody borg create --list --stats --show-rc repo::media media 2>&1 || true
}

# cmake_configure: 9 projects are configured one after the other; the second needs a package that is not there.
cmake_configure() { # text
	fresh workspace
	python3 "$here/third/cmakelists.py" 9
	for project in projects/*; do
		cmake -S "$project" -B "build/$(basename "$project")" 2>&1 || true
	done
}
