package replay

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/internal/size"
)

// WriteText writes the comparison for a terminal: a table with a row for each tool, and which calls stay as they were.
func (c *Comparison) WriteText(to io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s, %d repeated or cut again with %s\n\n", notice.Count(c.Sum.Calls, "call"), c.Sum.Repeated, named(c.Changes))
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tool\tcalls\trepeated\tbytes\tnow\ttokens\tnow\tcut\tnow\tfetched\tnow\tstand out\tnow\t")
	for _, row := range append(slices.Clone(c.Tools), c.Sum) {
		fmt.Fprintf(w, "%s\t%d\t%d\t", rowName(row.Tool), row.Calls, row.Repeated)
		then, now := row.Then, row.Now
		for _, pair := range [][2]string{
			{size.Format(then.Bytes), size.Format(now.Bytes)}, {report.Grouped(then.Tokens), report.Grouped(now.Tokens)},
			{fmt.Sprint(then.Cut), fmt.Sprint(now.Cut)}, {fmt.Sprint(then.Fetched), fmt.Sprint(now.Fetched)},
			{fmt.Sprint(then.Standout), fmt.Sprint(now.Standout)},
		} {
			fmt.Fprintf(w, "%s\t%s\t", pair[0], pair[1])
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	c.writeLeft(&out)
	_, err := out.WriteTo(to)
	return err
}

// writeLeft says which calls stay as they were.
func (c *Comparison) writeLeft(w io.Writer) {
	for i, left := range c.Left {
		if i == 0 {
			fmt.Fprintf(w, "\n%s as recorded:\n", notice.Count(c.Sum.Calls-c.Sum.Repeated, "call"))
		}
		var list []string
		for _, name := range slices.Sorted(maps.Keys(left.Tools)) {
			list = append(list, fmt.Sprintf("%s %d", toolName(name), left.Tools[name]))
		}
		fmt.Fprintf(w, "  %d  %s (%s)", left.Calls, left.Why, strings.Join(list, ", "))
		if left.Why != whyChanges && left.Why != whyTool {
			fmt.Fprintf(w, ": %s", shortList(left.IDs, left.Calls))
		}
		fmt.Fprintln(w)
	}
	if c.Beyond > 0 {
		fmt.Fprintf(w, "\nThe last %s are not compared.\n", notice.Count(c.Beyond, "call"))
	}
	if c.Unread > 0 {
		fmt.Fprintf(w, "\n%s of the record could not be read.\n", notice.Count(c.Unread, "line"))
	}
}

// shortList names a few calls.
func shortList(ids []string, calls int) string {
	const most = 5
	var list []string
	for _, id := range ids[:min(len(ids), most)] {
		list = append(list, quote.Value(id))
	}
	if more := calls - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// bar is how many characters the longest bar of a chart has.
const bar = 40

// WriteSweep writes comparisons that change one option to several values: a row for each of them and a chart of what
// the model would read. The first row is what was recorded.
func WriteSweep(to io.Writer, all []*Comparison, option string) error {
	var out bytes.Buffer
	first := all[0]
	calls := notice.Count(first.Sum.Calls, "call")
	fmt.Fprintf(&out, "%s, %d repeated or cut again%s\n\n", calls, first.Sum.Repeated, fixed(first.Changes))
	most := first.Sum.Then.Tokens
	for _, c := range all {
		most = max(most, c.Sum.Now.Tokens)
	}
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tbytes\ttokens\tcut\tfetched\tstand out\t\n", option)
	row := func(name string, c Cost) {
		length := int((c.Tokens*bar + most - 1) / max(most, 1))
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t  %s\n", name, size.Format(c.Bytes), report.Grouped(c.Tokens),
			c.Cut, c.Fetched, c.Standout, strings.Repeat("#", length))
	}
	row("recorded", first.Sum.Then)
	for _, c := range all {
		row(c.Changes[len(c.Changes)-1].Value, c.Sum.Now)
	}
	w.Flush()
	first.writeLeft(&out)
	_, err := out.WriteTo(to)
	return err
}

func named(changes []Change) string {
	var list []string
	for _, c := range changes {
		list = append(list, c.Name+"="+c.Value)
	}
	return cmp.Or(strings.Join(list, ", "), "the same options")
}

// fixed names the changes that all comparisons of a sweep have.
func fixed(changes []Change) string {
	if len(changes) == 1 {
		return ""
	}
	return " with " + named(changes[:len(changes)-1])
}

func rowName(tool string) string {
	if tool == "" {
		return "all"
	}
	return toolName(tool)
}

func toolName(name string) string {
	const most = 24
	return cmp.Or(quote.Short(quote.Inline(name), most), "(none)")
}
