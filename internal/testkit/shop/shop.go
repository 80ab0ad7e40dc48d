// Package shop builds the workspace of the twenty tasks by which the tools' texts are tried.
package shop

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// Build fills a directory. Its log is of so many megabytes; the error stands in the tenth.
func Build(dir string, megabytes int) error {
	files := map[string]string{
		".gitignore": "build/\n", "build/report.txt": "ok TestAdd\nok TestSub\nFAIL TestRound\n", "go.mod": "module example.com/shop\n", "README.md": "# The shop\n",
		"notes/todo.md": "- round the cents\n", "run.sh": "seq 1 60000\necho '--- FAIL: TestPrices (0.01s)'\nseq 60002 120000\n",
		"gosrc/net/http/server.go": "package http\n\nfunc ServeHTTP() {}\n",
		"dist/bundle.js":           "/* build 4711 */" + strings.Repeat("function(){};", 230_000) + "retryLimit=17;" + strings.Repeat("function(){};", 200) + `locale="fr-CA";` + strings.Repeat("function(){};", 130_000),
		"model.ipynb":              `{"cells": [{"cell_type": "code", "execution_count": 12, "source": ["fit()"], "outputs": [{"output_type": "stream", "name": "stdout", "text": ["accuracy 0.93\n"]}]}]}`,
	}
	for name, text := range map[string]string{"windows-1252 notes/menu.txt": "soupe à l'oignon 5,00\ncrème brûlée 7,50\n", "utf-16le notes/export.csv": "name,amount\r\ntotal,4200\r\n"} {
		label, path, _ := strings.Cut(name, " ")
		e, err := htmlindex.Get(label)
		if err != nil {
			return err
		}
		if files[path], err = e.NewEncoder().String(text); err != nil {
			return err
		}
	}
	for i := range 1200 {
		files[fmt.Sprintf("many/file-%04d.txt", i)] = ""
	}
	var items strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&items, "item %d\n", i+1)
	}
	files["items.txt"] = items.String()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return writeLog(filepath.Join(dir, "logs", "app.log"), megabytes)
}

func writeLog(path string, megabytes int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	log := bufio.NewWriter(file)
	block := bytes.Repeat([]byte("2026-01-02 12:00:00 info request=1 status=200 took=3ms\n"), 1_000_000/55)
	for i := range megabytes {
		_, _ = log.Write(block) // the writer keeps the error for Flush
		if i == 9 {
			_, _ = log.WriteString("2026-01-02 12:00:09 error request=77123 status=500 took=9ms\n")
		}
	}
	_, _ = log.WriteString("the end of the log\n")
	if err := log.Flush(); err != nil {
		return err
	}
	return file.Close()
}
