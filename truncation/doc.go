// Package truncation bounds text and says what it left out.
//
// It is the one place of the module that cuts text. The five tools use it, and
// any other tool of an agent can. A [Policy] says which part of a text is kept,
// within what [Limits], and what stands at the cut; it bounds a string
// ([Policy.Cut], [Policy.Truncate]) or a stream ([Policy.NewWriter]), whose memory is
// bounded by the limits whatever is written to it.
//
//	p := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 30_000}}
//	text := p.Cut(log)
//
// [Policy], [Limits] and [Strategy] are all there is to read first; [Result] has the
// numbers of a cut.
//
// # Units
//
// Bytes are those of the text as valid UTF-8. Characters are Unicode code points,
// so an accent that is composed of two counts as two. Sizes are shown in binary
// units: 30KB is 30,720 bytes.
//
// # Lines
//
// A line is what sed -n prints: a newline ends it, and a newline at the very end
// of a text ends the last line and starts none. A text without any byte has no
// line. The newline between two kept lines counts as a byte; the one that ends
// the last line counts in the totals, but not against the limit: it is kept
// where it fits and dropped, without calling the text truncated, where it alone
// would go over.
//
// # Guarantees
//
//   - Text that fits is returned unchanged; a result is never over its limits,
//     its marker and prefix included.
//   - Strategies by lines keep lines whole. The one exception are lines that are
//     longer than the limit by themselves: of [Tail] the end of the last line is
//     kept, and LastLinePartial says so; of [MiddleLines] and [HeadTailLines] the
//     beginning of the first and the end of the last, if no whole line fits.
//   - The result is valid UTF-8. A byte that is part of no character becomes
//     U+FFFD and is counted as such. A character that arrives in two writes is
//     not broken.
//   - How a text is divided into writes makes no difference to the result.
package truncation
