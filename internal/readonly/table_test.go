package readonly

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTables reads the tables of the package, of which each row is one program or subcommand, in lines of 120 columns.
func TestTables(t *testing.T) {
	for name, text := range map[string]string{
		"table.txt": tableText, "network.txt": networkText, "writes.txt": writesText, "runs.txt": runsText, "go.txt": goText,
	} {
		for line := range strings.Lines(text) {
			if len(line) > 121 || strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
				t.Errorf("%s: %q is too long, or ends in a space", name, line)
			}
		}
		seen := map[string]bool{}
		rows, err := readRows(text, 3)
		require.NoError(t, err, name)
		for _, r := range rows {
			for _, command := range r.names {
				require.False(t, seen[command], "%s: %s is there twice", name, command)
				seen[command] = true
			}
		}
	}
	for _, text := range []string{tableText, networkText, goText} {
		_, err := readPrograms(text)
		require.NoError(t, err)
	}
}

// TestReadPrograms checks that a row which is not as it must be is an error.
func TestReadPrograms(t *testing.T) {
	all, err := readPrograms("# a comment\n$g = -a\n$h = $g -b\nx, y | exact operands=1 | $h\n    -c: | -d -e: writes; -f: runs it\n" +
		"x log, show | by=tar needs=-n | -n --a? --b= --c% -#\nz")
	require.NoError(t, err)
	require.Len(t, all, 3)
	x := all["y"]
	require.Same(t, all["x"], x)
	require.Equal(t, map[string]kind{"-a": flag, "-b": flag, "-c": value}, x.long)
	require.Equal(t, []harm{{"-d", "writes"}, {"-e", "writes"}, {"-f", "runs it"}}, x.harms)
	require.NotSame(t, x.subs["log"], x.subs["show"])
	require.Equal(t, map[string]kind{"--a": optional, "--b": value, "--c": format}, x.subs["show"].long)
	require.True(t, x.subs["log"].number && x.subs["log"].judge != nil)

	for _, text := range []string{
		"  -a",                         // continues nothing
		"x |  | -a | -b: does | more",  // a column too many
		"x |",                          // an empty one at the end
		"x | | -a",                     // one without its spaces
		"x | any\nx | any",             // twice
		"x, x | any",                   // twice in a row
		"x, | any",                     // no name
		", x | any",                    //
		"x  y | any",                   // two spaces
		"x y | any",                    // below nothing
		"x\nx y, y z | any",            // a name of two words behind a comma
		"x | all",                      // no attribute
		"x | exact=1",                  //
		"x | operands=0",               //
		"x | operands=-1",              //
		"x | operands=",                //
		"x | needs=-a",                 // none of the options
		"x | listing=-a,-b |  -a",      //
		"x | by=nobody",                //
		"x |  | a",                     // no options
		"x |  | -",                     //
		"x |  | --",                    //
		"x |  | -a:: -b",               //
		"x |  | $a",                    // no group
		"$a = \nx | any",               //
		"$a = -a\n$a = -b",             //
		"x |  | -a\t-b",                // a tab
		"x |  | -a | -b",               // does nothing
		"x |  | -a | b: writes a file", // no option
		"x |  | -a | -b: writes;",      //
	} {
		_, err := readPrograms(text)
		require.Error(t, err, text)
	}
}
