package ignore

import (
	"strings"
	"testing"

	gitignore "github.com/sabhiram/go-gitignore"
)

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

// BenchmarkIgnored compares with go-gitignore, which compiles every line to a regular
// expression.
func BenchmarkIgnored(b *testing.B) {
	b.Run("parse/ours", func(b *testing.B) {
		for b.Loop() {
			parseRules(b.Context(), []byte(typical), false)
		}
	})
	b.Run("parse/go-gitignore", func(b *testing.B) {
		for b.Loop() {
			gitignore.CompileIgnoreLines(strings.Split(typical, "\n")...)
		}
	})
	ours := dirOf(typical, false).Enter("pkg", nil, false)
	theirs := gitignore.CompileIgnoreLines(strings.Split(typical, "\n")...)
	for name, want := range map[string]bool{"handler.go": false, "lib.so": true, "npm-debug.log.1": true} {
		b.Run(name+"/ours", func(b *testing.B) {
			for b.Loop() {
				if ours.Ignored(name, false) != want {
					b.Fatal("a wrong answer")
				}
			}
		})
		b.Run(name+"/go-gitignore", func(b *testing.B) {
			for b.Loop() {
				if theirs.MatchesPath("pkg/"+name) != want {
					b.Fatal("a wrong answer")
				}
			}
		})
	}
}
