// Package question asks a person whether a call may be made: the words of the question, and a terminal that shows it.
package question

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/spillway-go/spillway/config"
)

// Preview returns the lines of what a call would do. Nothing in them does anything to a terminal, hides what follows or
// turns its direction.
func Preview(ctx context.Context, call config.Call) (lines []string, err error) {
	text, err := call.Preview(ctx)
	return plainLines(text), err
}

func plainLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, Plain(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")))
	}
	return lines
}

// Plain returns a text on one line, with a dot for each character that cannot be printed.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, strings.ReplaceAll(text, "\t", "    "))
}

// Rules returns the rules that an answer for the session adds.
func Rules(call config.Call) string { return Plain(strings.Join(call.Session, ", ")) }

// Flags returns the flags of a program that allow what is asked about, as one types them in a shell; "" if no rule can say
// that.
func Flags(call config.Call) string {
	var flags []string
	if call.Host != "" {
		for _, entry := range call.Session {
			flags = append(flags, "-allow-host "+Quoted(Plain(entry)))
		}
		return strings.Join(flags, " ")
	}
	for _, rule := range call.Session {
		flags = append(flags, "-allow "+Quoted(Plain(rule)))
	}
	return strings.Join(flags, " ")
}

// Quoted returns a word of a command line, as one types it in a shell.
func Quoted(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+=") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Refusal is the error of a call for which nobody can be asked, because of what who says: "this client cannot ask the user".
func Refusal(call config.Call, who string) error {
	how := "No rule that allows it helps: make the call where somebody can be asked, or take away what asks"
	if flags := Flags(call); flags != "" {
		how = "The user can allow it by starting this program with " + flags
	}
	return fmt.Errorf("%s, and %s. %s", call.Why, who, how)
}
