package ignore

import "testing"

// typical is a .gitignore as a project of some age has it.
const typical = `# Binaries
*.exe
*.exe~
*.dll
*.so
*.dylib
*.test
*.out
*.py[cod]
*$py.class
__pycache__/
/bin/
/dist
/vendor/
node_modules/
npm-debug.log*
yarn-error.log*
.env
.env.*
!.env.example
.idea/
.vscode/*
!.vscode/settings.json
*.swp
*~
.DS_Store
Thumbs.db
coverage/
*.tar.gz
[Bb]uild/
**/testdata/**/tmp
docs/_build/
third_party/**/*.o
`

func BenchmarkIgnored(b *testing.B) {
	const odd = "\n/pkg/*/gen_?.go\n**/x[0-9]*.pb.go\n"
	for _, bm := range []struct {
		kind, rules, name string
		want              bool
	}{
		{"none", "", "handler.go", false},
		{"typical/kept", typical, "handler.go", false},
		{"typical/name", typical, ".DS_Store", true},
		{"typical/suffix", typical, "lib.so", true},
		{"typical/regexp", typical, "npm-debug.log.1", true},
		{"anchored", "/pkg/api/handler.go", "handler.go", true},
		{"path/filtered", typical + odd, "handler.go", false},
		{"path/regexp", typical + odd, "gen_a.go", true},
		{"bytes", "*[\xe0-\xef]?", "a\xe9b", true},
	} {
		b.Run(bm.kind, func(b *testing.B) {
			d := dirOf(bm.rules, false).Enter("pkg", nil, false).Enter("api", nil, false)
			if d.Ignored(bm.name, false) != bm.want {
				b.Fatalf("Ignored(%q) is not %v", bm.name, bm.want)
			}
			b.ReportAllocs()
			for b.Loop() {
				d.Ignored(bm.name, false)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	content := []byte(typical)
	b.ReportAllocs()
	for b.Loop() {
		parseRules(b.Context(), content, false)
	}
}

func BenchmarkEnter(b *testing.B) {
	d := dirOf(typical, false)
	b.Run("no file", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.Enter("pkg", nil, false)
		}
	})
	b.Run("small file", func(b *testing.B) {
		content := []byte("*.o\n/tmp\n")
		b.ReportAllocs()
		for b.Loop() {
			d.Enter("pkg", content, false)
		}
	})
}
