# Texts of programs that copy, list, unpack and compare files.
# shellcheck shell=bash

nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

# rsync_av: 4,300 files in two runs; one file and one directory cannot be read.
rsync_av() { # text
	fresh mirror
	python3 "$here/second/archive.py" projects 2600
	python3 "$here/second/archive.py" photos 1700
	chmod 777 . && chmod 600 "$(find projects -type f | sort | sed -n 700p)"
	locked=$(find projects -mindepth 2 -type d -links 2 | sort | sed -n 60p) && chmod 700 "$locked"
	nobody rsync -av projects/ backup-projects/ 2>&1 || true
	nobody rsync -av photos/ backup-photos/ 2>&1
}

# rsync_pass: nothing fails.
rsync_pass() { # text
	fresh mirror
	python3 "$here/second/archive.py" projects 2200
	rsync -av --stats projects/ backup/ 2>&1
}

# rsync_itemized: what a transfer would change: 3,200 new files, and one that would be deleted.
rsync_itemized() { # text
	fresh mirror
	python3 "$here/second/archive.py" projects 3200
	(cd projects && find . -type d -exec mkdir -p ../backup/{} \;)
	echo 1 >"backup/$(cd projects && find . -type d | sort | sed -n 200p)/accounts-2025.ods"
	rsync -ain --delete projects/ backup/ 2>&1
}

# find_ls: 2,000 files, one directory of which cannot be read.
find_ls() { # text
	fresh share
	python3 "$here/second/archive.py" archive 2000
	find archive -exec touch -h -d '2026-02-11 09:14' {} +
	chmod 700 "$(find archive -mindepth 2 -type d -links 2 | sort | sed -n 75p)"
	nobody find archive -ls 2>&1 || true
}

# unzip_t: an archive of 2,600 files, two of which are damaged.
unzip_t() { # text
	fresh release
	python3 "$here/second/archive.py" dataset 2600
	zip -qr dataset.zip dataset
	python3 - <<-'END'
		import zipfile
		entries = [e for e in zipfile.ZipFile("dataset.zip").infolist() if e.file_size > 40]
		data = bytearray(open("dataset.zip", "rb").read())
		entry = entries[500]
		at = entry.header_offset + 30 + len(entry.filename) + int.from_bytes(data[entry.header_offset + 28:entry.header_offset + 30], "little")
		data[at + 12] ^= 0x55
		crc = entries[804].CRC.to_bytes(4, "little")
		data = data.replace(crc, bytes([crc[0] ^ 0x10]) + crc[1:])
		open("dataset.zip", "wb").write(data)
	END
	unzip -t dataset.zip 2>&1 || true
}

# sftp_put: 1,800 files over sftp, without ssh between; one cannot be written.
sftp_put() { # text
	fresh site
	python3 "$here/second/archive.py" public 1800
	mkdir remote && chmod 777 remote && (cd public && find . -type d -exec mkdir -p ../remote/{} \;)
	chmod -R 777 remote
	(cd public && find . -type f | sort | sed -n '600p') | while read -r file; do echo old >"remote/$file" && chmod 444 "remote/$file"; done
	find public -type f | sort | sed -E 's#^public/(.*)#-put public/\1 /srv/site/remote/\1#' >batch
	chmod 644 batch && nobody sftp -D /usr/lib/openssh/sftp-server -b batch 2>&1 || true
	echo
}

# git_submodules: 260 submodules, one of which has not the commit that is asked for; then mirrors of all.
git_submodules() { # text
	fresh hub
	export GIT_CONFIG_GLOBAL=/srv/hub/config HOME=/srv/hub
	git config --global user.name Ada && git config --global user.email ada@example.com
	git config --global protocol.file.allow always && git config --global init.defaultBranch main
	git config --global advice.detachedHead false
	export GIT_AUTHOR_DATE='2026-01-05T10:00:00Z' GIT_COMMITTER_DATE='2026-01-05T10:00:00Z'
	python3 "$here/second/hub.py" 260 && cd /srv/hub
	git clone --recurse-submodules /srv/hub/top checkout 2>&1 || true
	for repository in */.git; do
		echo "mirroring $(dirname "$repository") for the next build"
		git clone --mirror "/srv/hub/$(dirname "$repository")" "mirror/$(dirname "$repository").git" 2>&1
	done
}

# git_stat: the history of a repository, with the files of each commit.
git_stat() { # text
	fresh history
	export GIT_CONFIG_GLOBAL=/srv/history/config HOME=/srv/history
	python3 "$here/second/history.py" 330
	git -C repository log --stat --date=iso
}
