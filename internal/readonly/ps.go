package readonly

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

const (
	psValues     = "CGOUgopqstu" // behind a dash
	psFlags      = "AadefFHjlLTw"
	psLong       = " --sort --pid --ppid --cols --columns --width --user --group --tty "
	psLongFlags  = " --forest --no-headers --no-heading --headers --deselect --version --help "
	bsdPsFlags   = "acfghjlmnrsTuvwxXLSH"
	bsdPsValues  = "okpqtU"
	psFormats    = "fFjlTo" // of these, two do not go together
	environments = " e shows the environment of other processes, which may hold secrets"
)

// ps shows processes, but not their environment: a letter e without a dash. Linux' ps reads words with a dash like
// words without one if it cannot read them otherwise: -aux, or -e with options that conflict. So -e is only known with
// options that it always reads.
func ps(_ *program, name string, args []commandline.Word) string {
	var letters string
	bsd, users := false, false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.Known {
			return w.Text + " may be an option of " + name
		}
		flags, values := bsdPsFlags, bsdPsValues
		switch {
		case strings.HasPrefix(w.Text, "--"):
			long, _, attached := strings.Cut(w.Text, "=")
			switch {
			case strings.Contains(psLong, " "+long+" "):
				users = users || strings.Contains(" --user --group --tty ", long)
				if !attached {
					i++
				}
			case attached || !strings.Contains(psLongFlags, " "+long+" "):
				return name + " " + w.Text + " is not known to change nothing"
			}
			if i < len(args) && !args[i].Known {
				return args[i].Text + " may be an option of " + name
			}
			continue
		case strings.Trim(w.Text, "0123456789,") == "":
			continue // processes
		case w.Text[0] == '-' && !strings.HasPrefix(w.Text, "-aux"):
			flags, values = psFlags, psValues
		default:
			bsd = true
		}
		word := strings.TrimPrefix(w.Text, "-")
		for j := 0; j < len(word); j++ {
			switch letter := word[j : j+1]; {
			case letter == "e" && flags == bsdPsFlags:
				return name + environments
			case strings.Contains(values, letter):
				letters += letter
				users = users || strings.Contains("CGUgqstu", letter)
				if j == len(word)-1 {
					if i++; i < len(args) && !args[i].Known {
						return args[i].Text + " may be an option of " + name
					}
				}
				j = len(word)
			case strings.Contains(flags, letter):
				letters += letter
			default:
				return name + " " + w.Text + " is not known to change nothing"
			}
		}
	}
	if strings.Contains(letters, "e") && (bsd || users || formats(letters) > 1) {
		return name + environments
	}
	return ""
}

// formats returns how many formats the letters of ps ask for; -efl is one.
func formats(letters string) (n int) {
	for _, f := range psFormats {
		if strings.ContainsRune(letters, f) {
			n++
		}
	}
	if n == 2 && strings.Contains(letters, "f") && strings.Contains(letters, "l") {
		return 1
	}
	return n
}
