package readonly

import "github.com/spillway-go/spillway/internal/commandline"

// gitConfig refuses the words that are subcommands since git 2.46, which finds them behind options, too.
func gitConfig(name string, c call) string {
	words := c.operands
	for _, o := range c.given {
		if !o.attached && o.value.Text != "" {
			words = append(words, o.value)
		}
	}
	for _, w := range words {
		switch {
		case !w.Known:
			return w.Text + " may be a subcommand of " + name
		case w.Text == "edit":
			return name + " edit runs an editor"
		case w.Text == "set" || w.Text == "unset" || w.Text == "rename-section" || w.Text == "remove-section":
			return name + " " + w.Text + " writes the configuration"
		}
	}
	return ""
}

// anyButHelp is for subcommands of which no option writes or runs anything, but --help, which shows a manual page.
func anyButHelp(_ *program, name string, args []commandline.Word) string {
	if len(args) > 0 && args[0].Known && args[0].Text == "--help" {
		return name + " --help runs man"
	}
	return ""
}
