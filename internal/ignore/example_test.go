package ignore_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/ignore"
)

// A walk asks about every entry, and enters the directories that are not
// ignored with what it finds in them.
func Example() {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	for name, content := range map[string]string{
		".gitignore":      "*.log\n/build/\n",
		"a.log":           "",
		"main.go":         "",
		"build/out":       "",
		"logs/.gitignore": "!keep.log\n",
		"logs/b.log":      "",
		"logs/keep.log":   "",
	} {
		path := filepath.Join(root, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		os.WriteFile(path, []byte(content), 0o666)
	}

	var walk func(dir string, rules *ignore.Dir)
	walk = func(dir string, rules *ignore.Dir) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if rules.Ignored(e.Name(), e.IsDir()) {
				continue
			}
			path := filepath.Join(dir, e.Name())
			if !e.IsDir() {
				rel, _ := filepath.Rel(root, path)
				fmt.Println(filepath.ToSlash(rel))
				continue
			}
			content, _ := os.ReadFile(filepath.Join(path, ignore.FileName))
			_, err := os.Lstat(filepath.Join(path, ".git"))
			walk(path, rules.Enter(e.Name(), content, err == nil))
		}
	}
	top, err := ignore.Top(context.Background(), root, nil)
	if err != nil {
		log.Fatal(err)
	}
	walk(root, top)
	// Output:
	// .gitignore
	// logs/.gitignore
	// logs/keep.log
	// main.go
}

func ExampleDir_Ignored() {
	top, err := ignore.Top(context.Background(), os.TempDir(), nil)
	if err != nil {
		log.Fatal(err)
	}
	rules := top.Enter("project", []byte("*\n!*/\n!*.go\n"), false)
	fmt.Println(rules.Ignored("README.md", false), rules.Ignored("main.go", false), rules.Ignored("cmd", true))
	// Output: true false false
}
