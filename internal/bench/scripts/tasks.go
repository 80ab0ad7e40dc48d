package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// task is a question about the workspace.
type task struct {
	name   string
	steps  []step // the calls of a model that has no scripts
	script string
	by     string // an expression that the texts of the calls match, from which a model knows the answer
	said   string // an expression that the text of the script matches: the answer itself
}

// answer returns the expression for a way.
func (t task) answer(calls bool) string {
	if calls {
		return t.by
	}
	return t.said
}

// step is a call, or a call for each match of an expression in the text before, whose groups stand for $1 and $2.
type step struct {
	tool   string
	args   map[string]any
	follow string
}

// calls returns the arguments of the calls of a step.
func (s step) calls(before string) (list []map[string]any, err error) {
	if s.follow == "" {
		return []map[string]any{s.args}, nil
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(s.follow).FindAllStringSubmatch(before, -1) {
		if seen[m[0]] {
			continue
		}
		seen[m[0]] = true
		args := map[string]any{}
		for key, value := range s.args {
			if text, ok := value.(string); ok {
				for i, group := range m[1:] {
					text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i+1), group)
				}
				value = text
			}
			args[key] = value
		}
		list = append(list, args)
	}
	if list == nil {
		return nil, fmt.Errorf("%q is not in %.500s", s.follow, before)
	}
	return list, nil
}

type args = map[string]any

var tasks = []task{
	{"count Go files by directory",
		[]step{{"find", args{"pattern": "*.go"}, ""}},
		`const n = {};
for (const p of (await tools.find({pattern: "*.go"})).paths) { const d = p.split("/")[1]; n[d] = (n[d] ?? 0) + 1 }
return n`,
		`pkg/p11/f9\.go`, `"p11": ?12`},
	{"rename a function across files",
		[]step{{"grep", args{"pattern": `\bOldName\(`, "output_mode": "files_with_matches"}, ""},
			{"edit", args{"path": "$1", "old_string": "OldName(", "new_string": "NewName(", "replace_all": true}, `(?m)^(pkg/\S+\.go)$`}},
		`const {lines} = await tools.grep({pattern: "\\bOldName\\(", output_mode: "files_with_matches"});
for (const {path} of lines) await tools.edit({path, old_string: "OldName(", new_string: "NewName(", replace_all: true});
return lines.length`,
		`Edited pkg/p3/f0\.go`, `^12\n`},
	{"find the failing test, and show its source",
		[]step{{"bash", args{"command": "sh test.sh"}, ""},
			{"grep", args{"pattern": "func $1", "context": 0}, `--- FAIL: (\w+)`},
			{"read", args{"path": "$1", "offset": "$2", "limit": 8}, `(?m)^(\S+\.go):(\d+):`}},
		`const out = (await tools.bash({command: "sh test.sh"})).text;
const name = /--- FAIL: (\w+)/.exec((await tools.bash({command: "sh test.sh | grep -A1 -- '--- FAIL'"})).text)[1];
const [at] = (await tools.grep({pattern: "func " + name})).lines;
return name + "\n" + (await tools.read({path: at.path, offset: at.line, limit: 8})).text`,
		`balance\(\) == 1200`, `balance\(\) == 1200`},
	{"the ids that three responses have in common",
		[]step{{"bash", args{"command": "cat api/a.json"}, ""}, {"bash", args{"command": "cat api/b.json"}, ""}, {"bash", args{"command": "cat api/c.json"}, ""}},
		`const [a, b, c] = await Promise.all(["a", "b", "c"].map(async n => JSON.parse((await tools.read({path: "api/" + n + ".json"})).text).map(x => x.id)));
return a.filter(id => b.includes(id) && c.includes(id))`,
		`"id":60`, `^\[0,30,60,90`},
	{"bytes by kind of file",
		[]step{{"bash", args{"command": `find . -type f -not -path './.clarvis/*' -printf '%s %f\n' | awk '{n=split($2,a,"."); s[a[n]]+=$1} END {for (k in s) print k, s[k]}'`}, ""}},
		`return (await tools.bash({command: "find . -type f -not -path './.clarvis/*' -printf '%s %f\\n'"})).text.trim().split("\n").reduce((sum, l) => {
  const [n, name] = l.split(" "), kind = name.split(".").pop(); sum[kind] = (sum[kind] ?? 0) + Number(n); return sum }, {})`,
		`csv \d+`, `"csv": ?\d+`},
	{"files that have both of two patterns",
		[]step{{"grep", args{"pattern": "context.Context", "output_mode": "files_with_matches"}, ""}, {"grep", args{"pattern": "OldName", "output_mode": "files_with_matches"}, ""}},
		`const files = async (pattern) => (await tools.grep({pattern, output_mode: "files_with_matches"})).lines.map(l => l.path);
const [a, b] = await Promise.all([files("context.Context"), files("OldName")]);
return a.filter(p => b.includes(p))`,
		`pkg/p6/f0\.go`, `^\["pkg/p0/f0\.go","pkg/p1/f0\.go"`},
	{"the sum of a column by another",
		[]step{{"read", args{"path": "sales.csv"}, ""}},
		`const sum = {};
for (const l of (await tools.read({path: "sales.csv"})).text.trim().split("\n").slice(1)) { const [, region, n] = l.split(","); sum[region] = (sum[region] ?? 0) + Number(n) }
return sum`,
		`1500,north,`, `"north": ?\d+`},
	{"lines that one log has and another has not",
		[]step{{"read", args{"path": "old.log"}, ""}, {"read", args{"path": "new.log"}, ""}},
		`const [a, b] = await Promise.all(["old.log", "new.log"].map(async path => (await tools.read({path})).text.split("\n")));
const had = new Set(a); return b.filter(l => !had.has(l)).join("\n")`,
		`disk is nearly full`, `disk is nearly full`},
	{"TODOs by author",
		[]step{{"grep", args{"pattern": `TODO\(\w+\)`}, ""}, {"grep", args{"pattern": `TODO\(\w+\)`, "offset": 100}, ""}},
		`const n = {};
for (const {text} of (await tools.grep({pattern: "TODO\\(\\w+\\)"})).lines) { const who = /TODO\((\w+)\)/.exec(text)[1]; n[who] = (n[who] ?? 0) + 1 }
return n`,
		`TODO\(grace\)`, `"grace": ?\d+`},
	{"set a version in every manifest",
		[]step{{"find", args{"pattern": "manifest.json"}, ""}, {"edit", args{"path": "$1", "old_string": `"version": "1.0.0"`, "new_string": `"version": "1.1.0"`}, `(?m)^(apps/\S+)$`}},
		`const {paths} = await tools.find({pattern: "manifest.json"});
await Promise.all(paths.map(path => tools.edit({path, old_string: '"version": "1.0.0"', new_string: '"version": "1.1.0"'})));
return paths.length`,
		`Edited apps/a4/manifest\.json`, `^5\n`},
	{"the five longest files",
		[]step{{"bash", args{"command": "find . -name '*.go' | xargs wc -l | sort -rn | sed -n 2,6p"}, ""}},
		`return (await tools.bash({command: "find . -name '*.go' | xargs wc -l | sort -rn | sed -n 2,6p"})).text`,
		`pkg/p11/f11\.go`, `pkg/p11/f11\.go`},
	{"what no file imports",
		[]step{{"ls", args{"path": "pkg"}, ""}, {"grep", args{"pattern": `"example\.com/shop/pkg/\w+"`}, ""}, {"grep", args{"pattern": `"example\.com/shop/pkg/\w+"`, "offset": 100}, ""}},
		`const names = (await tools.ls({path: "pkg"})).names.map(n => n.replace("/", ""));
const used = new Set((await tools.grep({pattern: '"example\\.com/shop/pkg/\\w+"'})).lines.map(l => /pkg\/(\w+)"/.exec(l.text)[1]));
return names.filter(n => !used.has(n))`,
		`shop/pkg/p1"`, `^\["p11"\]\n`},
}

// build makes the workspace of a task.
func build(dir string) error {
	files := map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n"}
	authors := []string{"ada", "grace", "linus"}
	for p := range 12 {
		for f := range 12 {
			var b strings.Builder
			fmt.Fprintf(&b, "package p%d\n\nimport (\n\t\"context\"\n\n\t\"example.com/shop/pkg/p%d\"\n)\n\n", p, (p+f)%11)
			if f == 0 {
				b.WriteString("func run(ctx context.Context) { OldName(ctx) }\n\n")
			}
			fmt.Fprintf(&b, "// TODO(%s): this needs a second look\n", authors[(p+f)%3])
			for i := range 10 + p + f {
				fmt.Fprintf(&b, "func f%d_%d() int { return %d }\n", f, i, i*p)
			}
			files[fmt.Sprintf("pkg/p%d/f%d.go", p, f)] = b.String()
		}
	}
	files["pkg/p5/ledger_test.go"] = "package p5\n\nimport \"testing\"\n\nfunc TestRollback(t *testing.T) {\n\tif !(balance() == 1200) {\n\t\tt.Error(\"no\")\n\t}\n}\n"
	files["test.sh"] = "for i in $(seq 3000); do echo \"=== RUN   Test$i\"; echo \"--- PASS: Test$i (0.00s)\"; " +
		"if [ $i = 700 ]; then echo '--- FAIL: TestRollback (0.00s)'; echo '    ledger_test.go:6: no'; fi; done; echo FAIL\n"
	var sales, old, now strings.Builder
	sales.WriteString("id,region,amount\n")
	for i := range 1800 {
		fmt.Fprintf(&sales, "%d,%s,%d\n", i, []string{"north", "south", "east", "west"}[i%4], i*37%1000)
		fmt.Fprintf(&old, "2026-11-01 12:%02d worker %d done\n", i/60, i)
		fmt.Fprintf(&now, "2026-11-01 12:%02d worker %d done\n", i/60, i)
		if i == 100 {
			now.WriteString("2026-11-01 12:01 the disk is nearly full\n")
		}
	}
	files["sales.csv"], files["old.log"], files["new.log"] = sales.String(), old.String(), now.String()
	for name, every := range map[string]int{"a": 2, "b": 3, "c": 5} {
		var list []string
		for id := 0; id < 400; id += every {
			list = append(list, fmt.Sprintf(`{"id":%d,"name":"user %d","active":%t}`, id, id, id%7 == 0))
		}
		files["api/"+name+".json"] = "[" + strings.Join(list, ",") + "]\n"
	}
	for i := range 5 {
		files[fmt.Sprintf("apps/a%d/manifest.json", i)] = fmt.Sprintf("{\n  \"name\": \"a%d\",\n  \"version\": \"1.0.0\"\n}\n", i)
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
