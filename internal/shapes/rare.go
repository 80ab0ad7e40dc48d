package shapes

import (
	"slices"
)

// addRare adds the lines up to last whose shapes are rare.
func (r *Report) addRare(t *table, last int) {
	rare, news := t.rare(last)
	for _, i := range rare {
		line := t.line(&t.shapes[i])
		line.At = literalAt(line.Text, news)
		if !slices.ContainsFunc(r.Lines, func(s Standout) bool { return s.Number == line.Number }) {
			r.Lines = append(r.Lines, Standout{Line: line, Rank: rankRare})
			r.More += t.shapes[i].count - 1
			r.Rare += t.shapes[i].count
		}
	}
}

// rare returns the shapes of the lines up to last that few lines have, and that differ from others in more than one
// varying word. news reports whether a word is in none of the others.
func (t *table) rare(last int) (rare []int, news func(token) bool) {
	for i := range t.shapes {
		if s := &t.shapes[i]; s.count <= fewLines && s.kind == nothing && !s.passed && !s.hushed && s.first > leadIn && s.first <= last {
			rare = append(rare, i)
		}
	}
	const most = 512 // bounds the search
	if len(rare) > most {
		return nil, nil
	}
	rare, news = t.withNews(t.withoutVariable(rare))
	if len(rare) > maxRare {
		return nil, nil
	}
	return rare, news
}

// withNews returns the shapes with a word that no common shape has. news reports whether a token is such a word.
func (t *table) withNews(rare []int) (those []int, news func(token) bool) {
	known := map[token]bool{}
	var buffer [maxTokens]token
	for _, i := range rare {
		for _, token := range tokenize(t.line(&t.shapes[i]).Text, &buffer) {
			if token.literal() {
				known[token] = false
			}
		}
	}
	for i := range t.shapes {
		if t.shapes[i].count <= fewLines {
			continue
		}
		for _, token := range tokenize(t.line(&t.shapes[i]).Text, &buffer) {
			if _, ok := known[token]; ok {
				known[token] = true
			}
		}
	}
	news = func(token token) bool { return token.literal() && !known[token] }
	return slices.DeleteFunc(rare, func(i int) bool {
		return !slices.ContainsFunc(tokenize(t.line(&t.shapes[i]).Text, &buffer), news)
	}), news
}

// withoutVariable drops shapes that differ from others in a single word, if that word is one of many or stands where
// others have a name or a number.
func (t *table) withoutVariable(rare []int) []int {
	type family struct {
		words  int  // different words in that place
		masked bool // one of them is masked and common
	}
	families := map[uint64]*family{}
	var buffer [maxTokens]token
	each := func(i int, visit func(key uint64, at token)) {
		tokens := tokenize(t.line(&t.shapes[i]).Text, &buffer)
		whole := uint64(len(tokens))
		for at, token := range tokens {
			whole += token.mix(at)
		}
		for at, token := range tokens {
			visit(whole-token.mix(at)+uint64(at+1)*0x9e3779b97f4a7c15, token)
		}
	}
	for _, i := range rare {
		each(i, func(key uint64, _ token) { families[key] = &family{} })
	}
	for i := range t.shapes {
		each(i, func(key uint64, at token) {
			if f := families[key]; f != nil {
				f.words++
				f.masked = f.masked || at.masked() && t.shapes[i].count > fewLines
			}
		})
	}
	return slices.DeleteFunc(rare, func(i int) bool {
		variable := false
		each(i, func(key uint64, _ token) {
			f := families[key]
			variable = variable || f.masked || f.words > maxVariable
		})
		return variable
	})
}
