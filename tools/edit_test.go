package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
)

func TestPlay(t *testing.T) {
	files := map[string]string{
		"cart.go":   "package cart\n\n// TODO: round to cents.\nfunc Total(prices []float64) (t float64) {\n\tfor _, p := range prices {\n\t\tt += p  \n\t}\n\treturn t\n}\n\nfunc Count(prices []float64) (t float64) {\n\treturn t\n}\n",
		"dos.txt":   "one\r\ntwo\r\nthree\r\n",
		"latin.txt": "caf\xe9\n",
		"bin":       "\x7fELF\x00",
		"empty":     "",
		"quotes.md": "It’s “here” – now\n",
		"x.py":      "def f():\n    if x:\n        return 1\n",
	}
	s := newSuite(t, config.Config{}, files)
	dir := s.Workspace()
	for _, args := range []map[string]any{
		{"path": "cart.go", "old_string": "round to cents", "new_string": "round to whole cents"},
		{"path": "cart.go", "old_string": "return t", "new_string": "return t + 1"},
		{"path": "cart.go", "old_string": "return t", "new_string": "return t + 1", "replace_all": true},
		{"path": "cart.go", "old_string": "for _, q := range prices {\n\t\tt += p\n\t}", "new_string": "x"},
		{"path": "cart.go", "old_string": "for _, p := range prices {\n\t\tt += p\n\t}", "new_string": "for _, p := range prices {\n\t\tt += 2 * p\n\t}"},
		{"path": "cart.go", "old_string": "     4\tfunc Total", "new_string": "x"},
		{"path": "cart.go", "old_string": "func Sum(prices []float64)", "new_string": "x"},
		{"path": "cart.go", "old_string": "// TODO: round.", "new_string": "// TODO: round to whole cents."},
		{"path": "cart.go", "old_string": "completely different", "new_string": "y"},
		{"path": "cart.go", "old_string": "package cart", "new_string": "package cart"},
		{"path": "cart.go", "old_string": "", "new_string": "package cart"},
		{"path": "cart.go", "old_string": "x"},
		{"path": "cart.go"},
		{"path": "cat.go", "old_string": "x", "new_string": "y"},
		{"path": "dir/new.txt", "old_string": "", "new_string": "hello\n"},
		{"path": "empty", "old_string": "", "new_string": "hello\n"},
		{"path": "bin", "old_string": "x", "new_string": "hello\n"},
		{"path": "latin.txt", "old_string": "caf", "new_string": "thé"},
		{"path": "latin.txt", "old_string": "caf", "new_string": "th"},
		{"path": "dos.txt", "old_string": "one\ntwo\n", "new_string": "one\n2\n"},
		{"path": "quotes.md", "old_string": "It's \"here\" -", "new_string": "It's gone -"},
		{"path": "x.py", "old_string": "if x:\n    return 1", "new_string": "if x:\n    return 2\nreturn 3"},
		{"path": "x.py", "edits": []any{map[string]any{"old_string": "def f", "new_string": "def g"}, map[string]any{"oldText": "return 2", "newText": "return 5"}}},
		{"path": "x.py", "edits": []any{map[string]any{"old_string": "def f", "new_string": "def g"}, map[string]any{"oldText": "return 2", "newText": "return 5"}}},
		{"path": "x.py", "edits": []any{map[string]any{"old_string": "def g", "new_string": "def h"}, map[string]any{"old_string": "g():", "new_string": "x"}}},
		{"path": "x.py", "edits": []any{map[string]any{"old_string": "def g"}}},
		{"path": "x.py", "edits": []any{map[string]any{"old_string": "", "new_string": "a"}}},
		{"path": "x.py", "edits": []any{map[string]any{"old_string": "a", "new_string": "a", "foo": 1}}},
		{"path": "x.py", "edits": 5},
		{"command": "insert", "path": "x.py", "insert_line": 5, "new_str": "x"},
		{"command": "str_replace", "path": "x.py", "old_str": "return 3", "new_str": ""},
		{"path": "/etc/passwd", "old_string": "root", "new_string": "x"},
	} {
		res := call(t, s, "edit", args)
		fmt.Println("----", encode(t, args))
		fmt.Println(res.Text)
	}
	call(t, s, "read", map[string]any{"path": "x.py"})
	os.WriteFile(filepath.Join(dir, "x.py"), []byte("import x\ndef g():\n    if x:\n        return 7\n"), 0o644)
	fmt.Println(call(t, s, "edit", map[string]any{"path": "x.py", "old_string": "def g", "new_string": "def z"}).Text)
	os.WriteFile(filepath.Join(dir, "x.py"), []byte("import x\ndef g():\n    if x:\n        return 7\n"), 0o644)
	fmt.Println(call(t, s, "edit", map[string]any{"path": "x.py", "old_string": "return 5", "new_string": "def z"}).Text)
}
