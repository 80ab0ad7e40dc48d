package readonly

import "strings"

// list reads expressions with commas between them.
func (a *awkProgram) list(greater bool) {
	a.expression(true, greater)
	for a.has(",") {
		for a.has("\n") {
		}
		a.expression(true, greater)
	}
}

// until reads a list, which may be empty, and its end.
func (a *awkProgram) until(end string, greater bool) {
	if a.depth++; a.depth > maxAwkDepth {
		a.fail()
	}
	if !a.has(end) {
		a.list(greater)
		a.need(end)
	}
	a.depth--
	a.unclear = false
}

// expression reads operands and operators. Which of them bind stronger does not matter. It may begin with a regular
// expression, and have a > outside of parentheses.
func (a *awkProgram) expression(slash, greater bool) {
	questions := 0
	for a.operand(slash, greater); !a.failed; {
		slash = false
		if a.word() == "in" {
			a.take(awkName)
			a.variable()
			continue
		}
		if a.operandFollows() {
			a.operand(false, greater)
			continue
		}
		switch operator := a.operator(greater); operator {
		case "":
			if questions != 0 {
				a.fail()
			}
			return
		case "?":
			questions, slash = questions+1, true
		case ":":
			if questions--; questions < 0 {
				a.fail()
			}
			slash = true
		case "&&", "||":
			for a.has("\n") {
			}
			slash = true
		case "~", "!~", "=", "==":
			slash = true
		}
		a.operand(slash, greater)
	}
}

// operandFollows reports whether the next operand follows without an operator: both are joined.
func (a *awkProgram) operandFollows() bool {
	c := a.peek()
	return c != 0 && strings.IndexByte(letters+`_0123456789."$(`, c) >= 0
}

// operator reads an operator between two operands; "" if there is none that is the same to all.
func (a *awkProgram) operator(greater bool) string {
	if a.peek() == '/' && a.unclear {
		return ""
	}
	if operator := a.take(awkOperator); operator != "" {
		return operator
	}
	if greater && a.has(">") {
		if a.has(">") && !a.lenient {
			a.fail()
		}
		return ">"
	}
	return ""
}

// operand reads what stands between operators. It may be a regular expression if slash is true.
func (a *awkProgram) operand(slash, greater bool) {
	c := a.peek()
	for strings.IndexByte("!-+$", c) >= 0 && c != 0 {
		slash = c == '!'
		a.rest = a.rest[1:]
		c = a.peek()
	}
	a.unclear = false
	switch {
	case c == '"':
		text := a.take(awkString)
		if text == "" || strings.Contains(text, "/inet") && !a.lenient {
			a.fail()
		}
	case c == '/' && slash:
		if a.unclear = true; a.take(awkRegexp) == "" {
			a.fail()
		}
	case c == '(':
		a.need("(")
		a.until(")", true)
	case strings.IndexByte("0123456789.", c) >= 0:
		if a.take(awkNumber) == "" || a.rest != "" && strings.IndexByte(letters+"_.0123456789", a.rest[0]) >= 0 {
			a.fail()
		}
	default:
		a.named(greater)
	}
	for a.has("++") || a.has("--") {
		a.unclear = true
	}
}

// named reads a variable, an element of an array or a call.
func (a *awkProgram) named(greater bool) {
	switch name := a.word(); {
	case name == "getline":
		a.take(awkName)
		if a.lenient {
			return
		}
		if a.word() != "" {
			a.variable()
		}
		if !a.ended() {
			a.fail() // the name of a file may follow
		}
	case awkFunctions[name]:
		a.take(awkName)
		if a.has("(") {
			a.until(")", true)
		} else if a.unclear = true; name != "length" {
			a.fail()
		}
	case strings.HasPrefix(a.rest[len(name):], "(") && a.isFree(name):
		a.take(awkName)
		a.called = append(a.called, name)
		a.need("(")
		a.until(")", true)
	default:
		if a.variable(); a.has("[") {
			a.until("]", greater)
		}
	}
}
