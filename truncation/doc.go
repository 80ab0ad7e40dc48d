// Package truncation bounds text and says what it left out.
//
// It bounds every text in this module; other tools can use it, too. A [Policy] says which part
// of a text to keep, within which [Limits], and what to put at the cut. It bounds a string
// ([Policy.Cut], [Policy.Truncate]) or, in bounded memory, a stream ([Policy.NewWriter]).
//
//	p := truncation.Policy{Strategy: truncation.Middle, Limits: truncation.Limits{Chars: 30_000}}
//	text := p.Cut(log)
//
// Read Policy, Limits and [Strategy] first; [Result] has the numbers of a cut.
//
// # Units
//
// Bytes are those of the text as valid UTF-8. Characters are Unicode code points, so a
// letter with a combining accent counts as two. Sizes use binary units: 30KB is 30,720
// bytes.
//
// # Lines
//
// A line is what sed -n prints: a newline ends it, and a newline at the very end of a
// text ends the last line and starts none. An empty text has no lines. The newline
// between two kept lines counts as a byte. The newline that ends the last line counts in the
// totals but not against the limit. It is kept if it fits; otherwise it is dropped, and the
// text does not count as truncated.
//
// # Guarantees
//
//   - Text that fits is returned unchanged. A result never exceeds its limits, even with its
//     marker and prefix.
//   - Strategies by lines keep lines whole, except those longer than the limit:
//     [Tail] keeps the end of the last line and sets LastLinePartial; [MiddleLines]
//     and [HeadTailLines], if no whole line fits, keep the beginning of the first
//     and the end of the last; [Digest] shows the first 320 bytes of a longer line, or the last 320 of the
//     last one.
//   - The result is valid UTF-8. An invalid byte becomes U+FFFD and counts as such.
//     A character that arrives in two writes stays whole.
//   - How a text is divided into writes does not affect the result.
package truncation
