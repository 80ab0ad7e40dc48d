package readonly

// writers are the options and operands by which programs, and subcommands of git, write to a path that the command line
// names. Those of programs that are harmless otherwise are harmful in the other tables, which take them from here.
//
// -x>, --long> and -long> have the path as their value, in the same word or the next; "^of=>" is what a word begins
// with. -x! and --long! are options with which the operands are written to, and -x* and --long* write to what the line
// does not name. -x: and --long: have another value, --long has none, and with -x~ nothing is written. Letters may
// stand in clusters, but for those of "words"; -long is an option of one dash or two, and --long may be abbreviated.
//
// The operands that are written to: all, the first, the second, the last, all of those that are moved to the last
// ("moved"), those behind the script of sed ("scripted") or behind --, and where find begins ("roots"). With -x! in the
// line they are only with that. Of a program "for" writing, a rule that allows it means what it writes to. "below" also
// changes what lies below the paths; the last operand of a "remote" one can be on another machine.
var writers = map[string]string{
	"git diff":         `--output>`,
	"git log":          `--output>`,
	"git show":         `--output>`,
	"git whatchanged":  `--output>`,
	"git rev-list":     `--output>`,
	"git diff-tree":    `--output>`,
	"git diff-index":   `--output>`,
	"git diff-files":   `--output>`,
	"git shortlog":     `--output>`,
	"git blame":        `--output>`,
	"git reflog":       `--output>`,
	"git stash":        `--output>`,
	"git format-patch": `-o> --output-directory> --output> -v: -n`,
	"git archive":      `-o> --output> --prefix: --add-file: --format:`,
	"git rm":           `all for below`,
	"git mv":           `moved for below`,
	"git restore":      `-s: --source: all for below`,
	"git checkout":     `-b: -B: -- for below`,
	"sort gsort":       `-o> --output> -k: -S: -t: -T: --key: --buffer-size: --field-separator:`,
	"shuf":             `-o> --output> -i: -n:`,
	"uniq":             `-f: -s: -w: second`,
	"base64":           `-o> --output> -w: -b: -i:`,
	"iconv":            `-o> --output> -f: -t:`,
	"tree":             `-o> -L: -P: -I:`,
	"split":            `-a: -b: -C: -l: -n: -t: second for`,
	"xxd":              `words -c: -g: -l: -o: -s: -n: -R: second`,
	"find":             `words -fprint> -fprint0> -fprintf> -fls> -delete! roots below`,
	"ss":               `-D> --diag> -A: -f: -F: -N:`,
	"journalctl":       `--cursor: --cursor-file> -b -g: -n -o: -p: -t: -u: -S: -U:`,
	"sed gsed":         `-i! -I! --in-place! -e: -f: -l: --expression: --file: scripted`,
	"perl ruby":        `-i! -e: -E: -f: -F: -I: -M: -m: -r: scripted`,
	"yq":               `-i! --inplace! --in-place! all`,
	"gofmt goimports":  `-w! all`,
	"clang-format":     `words -i! all`,
	"prettier":         `-w! --write! all`,
	"curl": `-o> --output> -D> --dump-header> -c> --cookie-jar> --trace> --trace-ascii> --stderr> --etag-save>
		--output-dir> --libcurl> --hsts> --alt-svc> -O* --remote-name* --remote-name-all* -K* --config*
		-A: -b: -C: -d: -e: -E: -F: -H: -m: -P: -Q: -r: -t: -T: -u: -U: -w: -x: -X: -y: -Y: -z:`,
	"wget": `-O> --output-document> -o> --output-file> -a> --append-output> -P> --directory-prefix>
		--save-cookies> --warc-file> --rejected-log> -A: -B: -D: -e: -i: -I: -l: -Q: -R: -t: -T: -U: -w: -X:`,
	"cc gcc g++ c++ clang clang++ ld": `words -o> ^-o> -MF>`,
	"go": `words -o> -coverprofile> -cpuprofile> -memprofile> -blockprofile> -mutexprofile> -trace>
		-outputdir> -pkgdir>`,
	"rustc":               `-o> --out-dir> -C: -L: -l:`,
	"cargo":               `--target: --target-dir> --out-dir>`,
	"javac":               `words -d>`,
	"pandoc gpg":          `-o> --output>`,
	"dot bison flex nasm": `-o>`,
	"openssl":             `words -out>`,
	"dd":                  `^of=>`,
	"tar gtar bsdtar": `-f> --file> -C> --directory> -b: -g: -H: -I: -K: -N: -T: -V: -X: -F: --exclude:
		--exclude-from:`,
	"zip":   `-b: -i: -n: -P: -t: -x: first for`,
	"unzip": `-d> -x: -P: for`,
	"gzip gunzip xz unxz bzip2 bunzip2 lzma zstd": `-c~ -l~ -t~ --stdout~ --to-stdout~ --list~ --test~ -S: -o> all for`,
	"cp":      `-t> --target-directory> -S: --suffix: last for`,
	"mv":      `-t> --target-directory> -S: --suffix: moved for below`,
	"ln":      `-t> --target-directory> -S: --suffix: last for`,
	"install": `-t> --target-directory> -d! --directory! -g: -m: -o: -S: last for`,
	"rsync": `--partial --backup --log-file> --backup-dir> --write-batch> --only-write-batch> --partial-dir>
		-B: -e: -f: -M: -T: last for
		below remote`,
	"scp":               `-c: -F: -i: -J: -l: -o: -P: -S: last for remote`,
	"rm rmdir unlink":   `all for below`,
	"shred":             `-n: -s: all for`,
	"tee sponge mkfifo": `all for`,
	"mkdir":             `-m: --mode: all for`,
	"touch":             `-d: -r: -t: -A: --date: --reference: all for`,
	"truncate":          `-s: -r: --size: --reference: all for`,
	"chmod chown chgrp": `all for below`,
	"patch": `-o> --output> -r> --reject-file> -d> --directory> -i: --input: -p: -F: -B: -D: -V: -Y: -z: first
		for`,
	"dos2unix unix2dos": `all for`,
	"history":           `-a! -w! all`,
	"script":            `-c: -E: -I: -O: -B: -T: -m: -o: first for`,
}
