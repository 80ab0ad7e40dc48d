//go:build !model

// Package ask is what the programs here do with what a tool gave: print it, or, with the tag model, ask a model about
// it by Anthropic's SDK. So their sizes tell what the tools add to a program, and what they add to one that has the SDK.
package ask

import "fmt"

// About prints the text.
func About(text string) error {
	_, err := fmt.Println(text)
	return err
}
