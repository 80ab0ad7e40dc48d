package docs_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// bad is a package with every mistake that the checks are to find. What is called
// good has none.
const bad = `package bad

import "github.com/spillway-go/spillway/other"

const (
	A = 1 // good
	B = 2
)

// Good is of a group with a comment.
const (
	C = 3
	D = 4
)

var V int

type T struct {
	Bare int
	Good int // good
	E
	Tagged int ` + "`" + `jsonschema:"good"` + "`" + `
	hidden int

	// These are a group.
	First int
	Second int

	Alone int
}

// E is good; [T.Gone], [E.Run] and [Lost] are not all there, nor is [other.Gone]. [other.There] is.
type E struct {
	Inner int // [Missing]
}

func (E) Run() {}

// This makes a T.
func NewT() *T { return other.There }

// The I is good.
type I interface {
	M()
	N() // good
}

// Good and Better are good.
func Good() {}

// Better is, too.
func Better() {}

// Error is good.
func (*T) Error() string { return "" }
`

const badExamples = `package bad_test

func ExampleGood() {
	bad.Good()
	// Output:
}

func ExampleBetter() { bad.Better() }

func ExampleT() {
	use(bad.NewT)
	// Output: x
}
`

func badPackages(t *testing.T, examples string) packages {
	return packages{
		parsed(t, modulePath+"/bad", map[string]string{"bad.go": bad, "bad_test.go": examples}),
		parsed(t, modulePath+"/other", map[string]string{"other.go": "// Package other is good.\npackage other\n\n// There is good.\nvar There int\n"}),
	}
}

func TestUndocumentedIsFound(t *testing.T) {
	all := badPackages(t, badExamples)
	var got []string
	for _, f := range all[0].undocumented() {
		got = append(got, f.symbol+" "+f.what)
	}
	require.ElementsMatch(t, []string{
		"bad has no package comment", "bad.T has no doc comment", "bad.T.Bare has no comment", "bad.T.Alone has no comment",
		"bad.E.Run has no doc comment", "bad.NewT has a doc comment that does not begin with its name", "bad.I.M has no comment",
		"bad.B has no comment, and its group has none", "bad.V has no comment, and its group has none",
	}, got)
	require.Equal(t, "bad.go:18:1: bad.T has no doc comment", all[0].undocumented()[2].String())
	require.Empty(t, all[1].undocumented())
}

func TestBrokenLinksAreFound(t *testing.T) {
	all := badPackages(t, badExamples)
	var got []string
	for _, f := range all[0].brokenLinks(all) {
		got = append(got, f.symbol+" "+f.what)
	}
	require.ElementsMatch(t, []string{
		"bad.E links to [T.Gone], which is not there", "bad.E links to [Lost], which is not there",
		"bad.E links to [other.Gone], which is not there", "bad.E links to [Missing], which is not there",
	}, got)
}

func TestGoneNamesAreFound(t *testing.T) {
	all := badPackages(t, badExamples)
	for markdown, want := range map[string][]string{
		"`bad.Good`, `other.There` and `bad.NewT().Error()`":   nil,
		"`T.Bare`, `T.Inner`, `T.E.Inner`, `E.Run` and `I.M`":  nil,
		"`t.First`, a value of T":                              nil,
		"`*bad.T`, `[]T.Good` and `Good()`":                    nil,
		"`os.Root`, `Unknown.Field`, `a.b`, `T.json`, `Gone`":  nil,
		"`examples/bad.Gone`, a file":                          nil,
		"bad.Gone, not in code":                                nil,
		"```go\nbad.Gone\n```\n":                               nil, // the compiler says so
		"`bad.Gone` and `bad.T.Gone(x)`":                       {"bad.Gone", "bad.T.Gone"},
		"`T.Gone`, `E.Bare`, `T.hidden`, `T.E.Gone`, `I.Gone`": {"T.Gone", "E.Bare", "T.E.Gone", "I.Gone"},
		"`t.Gone()`, `Gone()`":                                 {"t.Gone", "Gone"},
		"one\n\ntwo `T.Good` and\n`x(T.Lost,\nbad.Lost)`":      {"T.Lost", "bad.Lost"},
	} {
		require.Equal(t, want, all.gone(markdown), markdown)
	}
}

func TestMissingExamplesAreFound(t *testing.T) {
	p := badPackages(t, badExamples)[0]
	require.Equal(t, []string{"bad.E.Run", "bad.NewT"}, p.unshown()) // NewT is named and not called
	require.Equal(t, []string{"bad.ExampleBetter"}, p.silent())

	p = badPackages(t, "package bad_test\n\nfunc ExampleT_short() { bad.NewT() }\n\nfunc ExampleE_Run() {}\n")[0]
	require.Equal(t, []string{"bad.Better", "bad.Good"}, p.unshown())
	p = badPackages(t, "package bad_test\n\nfunc ExampleI() { bad.NewT(); bad.Run() }\n")[0]
	require.Equal(t, []string{"bad.Better", "bad.E.Run", "bad.Good", "bad.NewT"}, p.unshown())
}

// parsed is what parse makes of the texts of a test.
func parsed(t *testing.T, importPath string, files map[string]string) *source {
	p, err := parse(importPath, files)
	require.NoError(t, err)
	return p
}
