package loop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/tools/checkpoint"
)

// turn is a prompt of the user, and how all was before it.
type turn struct {
	prompt     string
	checkpoint string
	mind       memory
}

// chat has the model answer a prompt, and then each that the user types, up to the end of the input.
func (a *agent) chat(ctx context.Context, prompt string) error {
	for answered := false; ; answered = true {
		if command, number, _ := strings.Cut(strings.TrimSpace(prompt), " "); command == "/rewind" {
			if err := a.rewind(ctx, strings.TrimSpace(number)); err != nil {
				return err
			}
		} else if strings.TrimSpace(prompt) != "" {
			id, err := a.points.Take(ctx)
			if err != nil {
				return err
			}
			a.turns = append(a.turns, turn{prompt, id, a.mind.copied()})
			if err := a.run(ctx, prompt); err != nil {
				return err
			}
		}
		fmt.Fprintln(a.out.out)
		if !answered {
			a.out.line("  ◦ ", dim, "go on; /rewind puts back files and conversation; Ctrl-D ends")
		}
		var err error
		if prompt, err = a.user.Line(ctx, "> "); errors.Is(err, io.EOF) {
			fmt.Fprintln(a.out.out)
			return nil
		} else if err != nil {
			return err
		}
		if !a.out.terminal { // which shows what is typed
			fmt.Fprintln(a.out.out, prompt)
		}
	}
}

// rewind puts the files and the conversation back to how they were before a turn. Without a number it lists the turns.
func (a *agent) rewind(ctx context.Context, number string) error {
	if number == "" {
		for i, t := range a.turns {
			a.out.line(fmt.Sprintf("%3d  ", i+1), "", strings.Join(strings.Fields(t.prompt), " "))
		}
		a.out.line("  ◦ ", dim, "/rewind N puts files and conversation back to before turn N")
		return nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(a.turns) {
		a.out.line("  ◦ ", bad, "there is no turn "+number+": /rewind lists them")
		return nil
	}
	to := a.turns[n-1]
	d, err := a.points.Diff(ctx, to.checkpoint)
	if err != nil {
		return err
	}
	others := othersOf(d)
	about := fmt.Sprintf("Forget what was said from turn %d on, and undo what has changed since?", n)
	switch {
	case len(d.Files) == 0:
		about = fmt.Sprintf("Forget what was said from turn %d on? No file has changed since.", n)
	case len(others) > 0:
		about += " Somebody else has changed " + strings.Join(others, ", ") + ", too."
	}
	if yes, err := a.user.Confirm(ctx, about, d.Text); err != nil || !yes {
		return err
	}
	done, err := d.Rewind(ctx, others...)
	if err != nil { // such as that something has changed during the question
		a.out.paragraph("  ◦ ", "    ", bad, err.Error())
		return nil
	}
	a.suite.Forget() // what the model forgets must be shown to it again
	a.model.Cut(n - 1)
	a.mind.restore(to.mind)
	a.turns = a.turns[:n-1]
	a.out.line("  ◦ ", dim, fmt.Sprintf("back to before turn %d: %d %s put back", n, len(done.Files), Plural(len(done.Files), "file")))
	for _, f := range done.Left {
		a.out.line("  ◦ ", bad, f.Path+" is not covered, and stays as it is")
	}
	return nil
}

// othersOf returns what somebody else than the model has changed. The question names it.
func othersOf(d *checkpoint.Diff) (paths []string) {
	for _, f := range d.Files {
		if f.Others && !f.Lost {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
