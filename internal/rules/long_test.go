package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/rules"
	"github.com/spillway-go/spillway/internal/testkit"
)

// TestLong judges long lines of all kinds. What takes time in proportion to the square of their length takes 10 s.
func TestLong(t *testing.T) {
	set := rules.New([]string{"bash(a *)", "edit(src/**)", "bash(readonly)"}, []string{"bash(b * c)"},
		[]string{"bash(git push *)", "read(**/.env)", "edit(secrets/**/x/**/*.go)"})
	for _, part := range []string{
		"a ", "$x ", "*/", "a/*/b ", "a;", "a|", "a&&", ">x ", "<x ", ">$x ", "'\\\n'", "\"$x\" ", "{a,b}",
		"{a,b} ", "a=b ", "eval ", "env ", "nice ", "xargs ", "find . -exec ", "sh -c ", "$(a) ", "`a` ",
		"<(a) ", "<<E ", "a\n", "cd a;", "cd $x;", "f() { a; };", "for i in a; do cd x; done;", "a[1]=x ",
		"$((1)) ", "${x:-a} ", "\\\n", "'a' ", "~/a ", "a:b=c@d,", "../", "**/", "[a", "@(a|b) ", "export X=1;",
		"export X=$x;", "x=();", "[ $x ];", "a >x;", "git -c a=b ", "git push;", "trap a;", "'",
		"sudo x* ", "sudo ", "sudo env ", "sudo su -c a ", "su -c ", "ssh a ", "flock a -c a ", "docker exec ", "perl -e a ", "-x", "a,", ":(top)", "X=a ", "sudo cp ", "rm a;", "sort -o x;",
	} {
		// With -short it has a quarter of the length, and half of the time, as the most commands may fit into that, too.
		size, limit := commandline.MaxBytes, 3*time.Second
		if testing.Short() {
			size, limit = size/4, limit/2
		}
		text := strings.Repeat(part, size/len(part))
		for i, text := range []string{text, "a " + text, "cd a; cd b; cd c; a " + text} {
			if i > 0 && (testing.Short() || testkit.Race) {
				break
			}
			text = text[:min(len(text), size)]
			judged := func() time.Duration {
				start := testkit.Processor()
				set.Judge(bash(text))
				return testkit.Processor() - start
			}
			took := judged()
			for tries := 0; took > limit && tries < 4; tries++ { // what else the machine does makes it slower, too
				took = min(took, judged())
			}
			if took > limit {
				t.Errorf("%.40q...: %v", text, took)
			}
		}
	}
}

// TestManyWords puts more words behind sudo, and more texts into a word, than are looked at.
func TestManyWords(t *testing.T) {
	set := rules.New([]string{"bash"}, nil, []string{"bash(rm *)", "read(.env)"})
	for command, want := range map[string]rules.Decision{
		"sudo " + strings.Repeat("a ", 254) + "rm x":          rules.Denied,
		"sudo " + strings.Repeat("a ", 254) + "b":             rules.Allowed,
		"sudo " + strings.Repeat("a ", 255) + "b":             rules.Asked,
		"mount -o " + strings.Repeat("a,", 30) + "x=.env":     rules.Denied,
		"mount -o " + strings.Repeat("a,", 30) + "x=b":        rules.Allowed,
		"mount -o " + strings.Repeat("a,", 60) + "x=b":        rules.Asked,
		"git commit -m '" + strings.Repeat("a, b ", 30) + "'": rules.Allowed,
	} {
		if got := set.Judge(bash(command)); got.Decision != want {
			t.Errorf("%q is judged as %s: %s", command, decisions[got.Decision], got.Why)
		}
	}
}
