package readonly

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// inspecting are programs that show what is in files of a kind: source, object files, certificates, pages. Binutils read
// a word that begins with @ as a file of options, and GHC's programs have options of their own behind +RTS.
var inspecting = map[string]*program{
	"gofmt": {
		exact:   true,
		options: `-l -d -e -s -r: --l --d --e --s --r:`,
		harmful: `-w --w: writes files; -cpuprofile --cpuprofile: writes a file`,
		extra:   printing("-d -l --d --l"),
	},
	"readelf": {
		options: `-a -h -l -S -g -t -e -s -n -r -u -d -V -A -c -D -I -W -v -p: -x: -R: --all --file-header
			--program-headers --segments --section-headers --sections --section-groups --section-details --headers
			--syms --symbols --dyn-syms --notes --relocs --unwind --dynamic --version-info --arch-specific
			--archive-index --use-dynamic --histogram --wide --string-dump= --hex-dump= --relocated-dump= --version
			--help`,
		elsewhere: "@",
	},
	"nm": {
		options: `-A -a -B -D -f: -g -n -o -p -P -r -S -s -t: -u -v -V --print-file-name --debug-syms --dynamic
			--format= --extern-only --numeric-sort --no-sort --portability --reverse-sort --print-size --size-sort
			--print-armap --radix= --undefined-only --defined-only --version --help`,
		harmful:   `--plugin: loads a plugin`,
		elsewhere: "@",
	},
	"openssl": {operands: none, subs: map[string]*program{
		"version": {exact: true, options: `-a -b -d -o -p -v`, operands: none},
		"x509": {
			exact: true,
			options: `-in: -inform: -noout -text -serial -subject -issuer -dates -startdate -enddate -checkend:
				-fingerprint -sha1 -sha256 -md5 -hash -subject_hash -issuer_hash -email -ocsp_uri -purpose -pubkey
				-modulus -nameopt: -certopt: -ext: -alias`,
			operands: none, needs: "-noout", extra: certificate,
		},
	}},
	"shellcheck": {
		options: `-a -C? -i: -e: -f: -o: -P: -s: -S: -V -W: -x --check-sourced --color? --include= --exclude= --format=
			--norc --enable= --source-path= --shell= --severity= --version --wiki-link-count= --external-sources --help`,
		elsewhere: "+RTS",
	},
	"pdftotext": {
		exact:   true,
		options: `-f: -l: -r: -x: -y: -W: -H: -layout -fixed: -raw -nodiag -nopgbrk -enc: -eol: -q -v -h --help`,
		extra: func(name string, c call) string {
			if n := len(c.operands); n != 2 || !c.operands[1].Known || c.operands[1].Text != "-" {
				return name + " writes a file, unless - is behind the one that it reads"
			}
			return ""
		},
	},
	"bat batcat": {
		options: `-A -p -P -n -l: -H: -r: -d -L -V -h --plain --number --show-all --language= --line-range=
			--highlight-line= --file-name= --theme= --style= --color= --decorations= --wrap= --tabs= --terminal-width=
			--paging= --no-paging --squeeze-blank --no-config --diff --diff-context= --list-languages --list-themes
			--version --help`,
		harmful: `--pager: runs a program; --lessopen: runs a program`,
		needs:   "-P --paging --no-paging", extra: unpaged,
	},
}

// printing returns what demands one of some options, unless there is nothing but the standard input.
func printing(needs string) func(string, call) string {
	return func(name string, c call) string {
		if len(c.operands) > 0 && !c.has(needs) {
			return name + " is only known to change nothing with " + strings.ReplaceAll(needs, " ", " or ")
		}
		return ""
	}
}

// certificate refuses what openssl may take for a URI, which can name a module to load.
func certificate(name string, c call) string {
	for _, o := range c.given {
		if o.name != "-in" {
			continue
		}
		if start := o.value.Begin(); strings.Contains(start, ":") || !o.value.Known && !strings.Contains(start, "/") {
			return o.value.Text + " may name a module that " + name + " loads"
		}
	}
	return ""
}

// unpaged refuses other values of --paging than never, and the subcommand of bat.
func unpaged(name string, c call) string {
	for _, o := range c.given {
		if o.name == "--paging" && o.value.Text != "never" {
			return name + " --paging=" + o.value.Text + " may run a pager"
		}
	}
	if slices.ContainsFunc(c.operands, func(w commandline.Word) bool { return w.Text == "cache" || !w.Known && w.Prefix == "" }) {
		return name + " cache writes files, which may be what it is given"
	}
	return ""
}
