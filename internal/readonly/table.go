package readonly

import (
	"strings"
	"sync"
)

// simple are programs of which no option and no operand writes or runs anything, in GNU's, BSD's and busybox's
// versions. Some also are commands of the shell. tail -f and yes never end, but change nothing.
const simple = `
	cat head tail nl wc tac rev cut paste join comm fold fmt expand unexpand tr tsort pr column
	od hexdump strings cksum sum md5sum b2sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum base32 cmp
	ls dir vdir stat du df basename dirname readlink realpath pwd
	grep egrep fgrep
	seq expr factor numfmt echo true false : sleep yes
	uname nproc whoami id groups users who tty uptime free locale printenv
	which type pidof locate jq zipinfo pdfinfo pdffonts cal ncal
	cd exit return break continue`

// Left out of simple, each for an option that is easily missed: man and less (pagers), history (-w), jobs (-x), top
// (saves its settings, and makes a directory for them), ldd (runs the program), objdump (debuginfod), sdiff (an editor), ack and
// ag (--pager), bc (dc on some systems), ifconfig and ip.

// programs returns what is known, by name.
var programs = sync.OnceValue(func() map[string]*program {
	all := map[string]*program{}
	for _, table := range []map[string]*program{utilities, inspecting, archives, services, languages, shell} {
		for names, p := range table {
			p.compile()
			p.name, _, _ = strings.Cut(names, " ")
			p.write(p.name)
			for _, name := range strings.Fields(names) {
				all[name] = p
			}
		}
	}
	for _, name := range strings.Fields(simple) {
		all[name] = &program{any: true}
	}
	git.compile()
	git.name = "git"
	for name, sub := range git.subs {
		sub.write("git " + name)
	}
	all["git"] = git
	return all
})

// utilities are programs of which some options are harmless.
var utilities = map[string]*program{
	"sort gsort": {
		options: `-b -d -f -g -h -i -M -n -R -r -V -c -C -k: -m -S: -s -t: -T: -u -z --ignore-leading-blanks
			--dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort
			--human-numeric-sort --numeric-sort --random-sort --random-source= --reverse --sort= --version-sort
			--batch-size= --check? --debug --files0-from= --key= --merge --buffer-size= --stable
			--field-separator= --temporary-directory= --parallel= --unique --zero-terminated --help --version`,
		harmful: `--compress-program: runs a program`,
	},
	"uniq": {
		options: `-c -d -D -f: -i -s: -u -w: -z --count --repeated --all-repeated? --skip-fields= --group?
			--ignore-case --skip-chars= --unique --zero-terminated --check-chars= --help --version`,
		operands: 1, // the second is written
	},
	"shuf": {
		options: `-e -i: -n: -r -z --echo --input-range= --head-count= --random-source= --repeat
			--zero-terminated --help --version`,
	},
	"base64": {
		options: `-d -D -i -w: --decode --ignore-garbage --wrap= --help --version`,
	},
	"iconv": {
		options: `-c -f: -l -s -t: --from-code= --to-code= --list --silent --help --version`,
	},
	"xxd": {
		exact: true,
		options: `-a -b -c: -C -d -e -E -g: -i -l: -n: -o: -p -ps -plain -postscript -r -R: -s: -u -v -len:
			-cols: -seek: -bits -include -revert -uppercase -version`,
		operands: 1, // the second is written, also without -r
	},
	"date": {
		options: `-d: -I? -R -u --date= --iso-8601? --rfc-email --rfc-3339= --utc --universal --reference=
			--debug --help --version`,
		harmful: `-s --set: sets the clock`,
		extra:   date,
	},
	"arch": { // that of macOS runs the program behind it
		options:  `--help --version`,
		operands: none,
	},
	"hostname": {
		options: `-a -A -d -f -i -I -s -y --alias --all-fqdns --domain --fqdn --long --ip-address
			--all-ip-addresses --short --help --version`,
		harmful:  `-F --file: sets the name; -b --boot: sets the name`,
		operands: none,
	},
	"diff": {
		options: `-a -b -B -c -C: -d -D: -e -E -F: -H -i -I: -L: -n -N -p -P -q -r -s -S: -t -T -u -U: -v -w -W:
			-x: -X: -y -Z -# --normal --brief --report-identical-files --context? --unified? --ed --rcs
			--side-by-side --width= --left-column --suppress-common-lines --show-c-function
			--show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty
			--recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case
			--no-ignore-file-name-case --exclude= --exclude-from= --starting-file= --from-file= --to-file=
			--ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change
			--ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef=
			--line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format=
			--new-group-format= --unchanged-group-format= --changed-group-format= --minimal --horizon-lines=
			--speed-large-files --color? --palette= --help --version`,
		harmful: `-l --paginate: runs pr`,
	},
	"file": {
		options: `-b -i -I -h -k -L -n -N -r -0 -E -l -v -e: -F: -m: -f: -P: --brief --mime --mime-type
			--mime-encoding --no-dereference --dereference --keep-going --no-buffer --no-pad --raw --print0
			--exclude= --separator= --files-from= --extension --apple --help --version`,
		harmful: `-C --compile: writes a file; -p --preserve-date: sets times; -z --uncompress: runs programs;
			-Z --uncompress-noreport: runs programs; -s --special-files: reads devices`,
	},
	"tree": {
		exact: true, // its clusters take their values from the words behind them
		options: `-a -d -l -f -x -L: -P: -I: -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -i -A -S -n -C -X -J
			-ad -da -aC -if -fi -dL: -aL: --inodes --device --gitignore --prune --noreport --dirsfirst
			--filesfirst --du --si --matchdirs --ignore-case --metafirst --help --version`,
		harmful: `-R: writes files`,
	},
	"rg": {
		options: `-A: -B: -C: -E: -F -H -I -L -M: -N -P -S -T: -U -V -a -c -d: -e: -f: -g: -h -i -j: -l -m: -n
			-o -p -q -r: -s -t: -u -v -w -x -0 -. --after-context= --before-context= --context=
			--auto-hybrid-regex --binary --block-buffered --byte-offset --case-sensitive --color= --colors=
			--column --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= --encoding=
			--engine= --field-context-separator= --field-match-separator= --file= --files --files-with-matches
			--files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --help
			--hidden --iglob= --ignore-case --ignore-file= --ignore-file-case-insensitive --include-zero
			--invert-match --json --line-buffered --line-number --line-regexp --max-columns=
			--max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline
			--multiline-dotall --no-config --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot
			--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
			--no-ignore-vcs --no-line-number --no-messages --no-mmap --no-pcre2-unicode --no-pre
			--no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru
			--path-separator= --pcre2 --pcre2-version --pretty --quiet --regex-size-limit= --regexp= --replace=
			--smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trace --trim --type=
			--type-add= --type-clear= --type-list --type-not= --unrestricted --version --vimgrep --with-filename
			--word-regexp`,
		harmful: `--pre: runs a program; --hostname-bin: runs a program; -z --search-zip: runs programs`,
	},
	"fd fdfind": {
		options: `-H -I -u -s -i -g -F -a -L -p -d: -t: -e: -E: -S: -c: -j: -0 -1 -q -o: -h -V --hidden
			--no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob
			--regex --fixed-strings --and= --absolute-path --relative-path --follow --full-path --print0
			--max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size=
			--changed-within= --changed-before= --owner= --color= --threads= --max-results= --quiet
			--show-errors --base-directory= --path-separator= --search-path= --strip-cwd-prefix
			--one-file-system --help --version`,
		harmful: `-x --exec: runs a program; -X --exec-batch: runs a program; -l --list-details: runs ls`,
	},
	"find": {
		exact: true,
		dirs:  true,
		options: `-H -L -P -O0 -O1 -O2 -O3 -D: -E -X -s -x -a -amin: -and -anewer: -atime: -cmin: -cnewer:
			-ctime: -d -daystart -depth -empty -executable -false -flags: -follow -fstype: -gid: -group:
			-ignore_readdir_race -ilname: -iname: -inum: -ipath: -iregex: -iwholename: -links: -lname: -ls
			-maxdepth: -mindepth: -mmin: -mount -mtime: -name: -newer: -newermt: -newerat: -newerct: -newermm:
			-nogroup -noignore_readdir_race -noleaf -not -nouser -nowarn -o -or -path: -perm: -print -print0
			-printf: -prune -quit -readable -regex: -regextype: -samefile: -size: -true -type: -uid: -used:
			-user: -warn -wholename: -writable -xdev -xtype: -help --help -version --version`,
		harmful: `-delete: deletes files; -exec -execdir -ok -okdir: runs a program`,
	},
	"yq": { // two programs of that name; one of them runs jq
		options: `-r -e -n -C -M -N -P -p: -c -y -Y -I: --raw-output --exit-status --null-input --colors
			--no-colors --no-doc --prettyPrint --input-format= --output-format= --indent= --compact-output
			--yaml-output --yaml-roundtrip --version --help`,
		harmful: `-i --inplace --in-place: writes files; -s --split-exp: writes files`,
	},
	"pgrep": {
		options: `-a -c -d: -f -g: -G: -i -l -L -n -o -P: -s: -t: -u: -U: -v -w -x --list-name --list-full
			--count --delimiter= --full --ignore-case --newest --oldest --parent= --exact --inverse --help
			--version`,
	},
	"ps":                 {judge: ps},
	"sed gsed":           {options: sedOptions, harmful: sedHarmful, extra: sed},
	"awk gawk mawk nawk": {options: `-F: -v: --version`, posix: true, harmful: awkHarmful, extra: awk},
	"getconf":            {options: `-a`}, // -v runs a program
	"lsblk lscpu":        {any: true},
}

// languages are programs that say their version, and run programs otherwise.
var languages = map[string]*program{
	"node perl ruby make gmake":          {options: `-v --version`, operands: none, needs: "-v --version"},
	"cmake cc gcc g++ c++ clang clang++": {options: `--version`, operands: none, needs: "--version"},
	"java": {exact: true, options: `-version --version -fullversion --full-version`, operands: none,
		needs: "-version --version -fullversion --full-version"},
	"javac":          {exact: true, options: `-version --version`, operands: none, needs: "-version --version"},
	"python python3": {options: `-V --version`, operands: none, needs: "-V --version"},
	"pip pip3": {operands: none, options: `--disable-pip-version-check`, subs: map[string]*program{
		"show":  {options: `-f -q -v --files --quiet --verbose --disable-pip-version-check`},
		"check": {options: `--disable-pip-version-check`, operands: none},
		"list": {
			options: `-e -l -q -v --editable --local --user --format= --not-required --exclude-editable --exclude=
				--disable-pip-version-check`,
			needs:    "--disable-pip-version-check", // up to pip 24 it asks the index for the newest pip
			harmful:  `--python: runs a program; --log: writes a file`,
			operands: none,
		},
	}},
}
