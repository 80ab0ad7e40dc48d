// Command tokens counts the tokens that the tools cost a model: of each the description with its schema, and typical
// results, by the default estimate of package truncation and by a real tokenizer.
//
//	go -C internal/bench/tokens run .
//
// It writes the section of docs/models.md between its markers.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/docs/section"
)

func main() {
	root := flag.String("root", filepath.Join("..", "..", ".."), "the repository")
	printed := flag.Bool("print", false, "print the tables, and leave the page as it is")
	flag.Parse()
	text, err := tables(context.Background(), *root)
	switch {
	case err != nil:
	case *printed:
		fmt.Print(text)
	default:
		err = section.Write(filepath.Join(*root, "docs", "models.md"), "tokens", text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	}
}

// tables returns what the page has between its markers.
func tables(ctx context.Context, root string) (string, error) {
	c, err := newCounter()
	if err != nil {
		return "", err
	}
	descriptions, err := c.descriptions()
	if err != nil {
		return "", err
	}
	results, err := c.results(ctx, root)
	if err != nil {
		return "", err
	}
	return table("description and schema", descriptions) + "\n" + table("result", results), nil
}

// cost is what a text costs.
type cost struct {
	what                    string
	bytes, estimate, tokens int
}

func table(what string, costs []cost) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | estimate | o200k_base | bytes per token |\n|---|---|---|---|\n", what)
	for _, c := range costs {
		each := float64(c.bytes) / float64(max(c.tokens, 1))
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f |\n", c.what, c.estimate, c.tokens, each)
	}
	return b.String()
}
