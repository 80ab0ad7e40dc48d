// Package truncation bounds text and says what it left out.
//
// It is the one place of the module that cuts text. The five tools use it, and
// any other tool of an agent can: a string that is in memory goes through
// [Truncate], a stream through a [HeadWriter] or a [TailWriter], whose memory is
// bounded by their limits whatever is written to them.
//
//	r := truncation.Truncate(log, truncation.Tail, truncation.Limits{Lines: 2000, Bytes: 30 << 10})
//	if r.Truncated {
//		text := truncation.Append(r.Text, truncation.TailLines(r, ".clarvis/run.log"))
//	}
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
//   - Text that fits is returned unchanged; a result is never over its limits.
//   - Lines are kept whole. The one exception is the last line of [Tail] when
//     it is longer than the limit by itself: its end is kept, cut between two
//     characters, and LastLinePartial says so.
//   - The result is valid UTF-8. A byte that is part of no character becomes
//     U+FFFD and is counted as such. A character that arrives in two writes is
//     not broken.
//   - How a text is divided into writes makes no difference to the result.
//
// # Notices
//
// A cut that the reader is not told of is a lie. The sentences that tell it are
// the functions that return a [Notice]; [Append] puts them, in one bracket, at
// the end of a text.
package truncation
