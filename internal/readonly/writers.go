package readonly

import (
	"slices"
	"strings"
	"sync"
)

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

// writer is a line of writers.
type writer struct {
	letters [128]byte       // what stands behind a short option in the line
	long    map[string]byte // the same for all others; 0 is a flag
	starts  []string
	role    string // which operands are written to
	turns   bool   // they are only with an option

	words, isFor, below, remote bool
}

var parsedWriters = sync.OnceValue(func() map[string]*writer {
	all := map[string]*writer{}
	for names, text := range writers {
		w := &writer{long: map[string]byte{}}
		for _, token := range strings.Fields(text) {
			w.learn(token)
		}
		fields := strings.Fields(names)
		if fields[0] == "git" {
			fields = []string{names}
		}
		for _, name := range fields {
			all[name] = w
		}
	}
	return all
})

func (w *writer) learn(token string) {
	switch token {
	case "words":
		w.words = true
		return
	case "for":
		w.isFor = true
		return
	case "below":
		w.below = true
		return
	case "remote":
		w.remote = true
		return
	}
	option := strings.TrimRight(token, ">!*:~")
	mark := byte(0)
	if len(option) < len(token) {
		mark = token[len(option)]
	}
	w.turns = w.turns || mark == '!'
	switch {
	case token[0] == '^':
		w.starts = append(w.starts, option[1:])
	case token[0] != '-' || token == "--":
		w.role = token
	case len(option) == 2 && !w.words:
		w.letters[option[1]] = mark
	default:
		w.long[option] = mark
	}
}

// writing returns the options of a program, or of a subcommand of git, that have a path to which it writes.
func writing(name string) (options []string) {
	w := parsedWriters()[name]
	if w == nil || w.isFor {
		return nil
	}
	for letter, mark := range w.letters {
		if mark == '>' {
			options = append(options, "-"+string(rune(letter)))
		}
	}
	for option, mark := range w.long {
		if mark == '>' {
			options = append(options, option)
		}
	}
	slices.Sort(options)
	return options
}
