package xpath

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenKind says what a token can be part of. XPath has no reserved words:
// whether "and", "div" or "*" is an operator depends on what is before it, and
// what a name is, on what follows.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenFunction // a name before "(", node types included
	tokenAxis     // a name before "::"
	tokenVariable
	tokenLiteral
	tokenNumber
	tokenOperator
	tokenSymbol
)

type token struct {
	kind   tokenKind
	text   string // of a literal without its quotes, of a variable without $
	start  int    // in bytes
	end    int
	column int // in characters, from 1
}

// symbols are the tokens that are not names, longest first; those before the
// empty one are operators.
var symbols = []string{"//", "!=", "<=", ">=", "/", "|", "+", "-", "=", "<", ">", "", "::", "..", "(", ")", "[", "]", ".", "@", ","}

// A lexer cuts an expression into tokens, one at a time.
type lexer struct {
	text   string
	pos    int
	column int
	before token // the last one
}

func newLexer(text string) lexer { return lexer{text: text, column: 1} }

// next is the next token; an error says what can be none.
func (l *lexer) next() (token, *Error) {
	l.space()
	t := token{start: l.pos, column: l.column}
	mistake := l.scan(&t)
	if mistake != nil {
		return t, mistake
	}
	t.end = l.pos
	l.before = t
	return t, nil
}

func (l *lexer) scan(t *token) *Error {
	if l.pos == len(l.text) {
		return nil
	}
	rest := l.text[l.pos:]
	switch c := rest[0]; {
	case c == '\'' || c == '"':
		return l.literal(t, c)
	case isDigit(c), c == '.' && len(rest) > 1 && isDigit(rest[1]):
		t.kind, t.text = tokenNumber, l.number()
		return nil
	case c == '$':
		return l.variable(t)
	case beginsName(rest):
		l.name(t)
		return nil
	case c == '*':
		t.kind, t.text = tokenName, l.take(1)
		if l.afterOperand() {
			t.kind = tokenOperator
		}
		return nil
	}
	return l.symbol(t)
}

func (l *lexer) symbol(t *token) *Error {
	t.kind = tokenOperator
	for _, s := range symbols {
		switch {
		case s == "":
			t.kind = tokenSymbol
		case strings.HasPrefix(l.text[l.pos:], s):
			t.text = l.take(len(s))
			return nil
		}
	}
	_, size := utf8.DecodeRuneInString(l.text[l.pos:])
	return &Error{Column: t.column, Message: "unexpected character " + excerpt(l.text[l.pos:l.pos+size]) + inXPath(l.text[l.pos:])}
}

// afterOperand reports whether an operator must follow: a * or a name is one
// there, and nowhere else (XPath 1.0, 3.7).
func (l *lexer) afterOperand() bool {
	switch l.before.kind {
	case tokenEnd, tokenOperator, tokenAxis:
		return false
	case tokenSymbol:
		switch l.before.text {
		case "@", "::", "(", "[", ",":
			return false
		}
	}
	return true
}

func (l *lexer) literal(t *token, quoted byte) *Error {
	length := strings.IndexByte(l.text[l.pos+1:], quoted)
	if length < 0 {
		return &Error{Column: t.column, Message: "the text " + excerpt(l.text[l.pos:]) + " has no closing quote"}
	}
	written := l.take(length + 2)
	t.kind, t.text = tokenLiteral, written[1:len(written)-1]
	return nil
}

func (l *lexer) number() string {
	end := l.pos
	for point := false; end < len(l.text) && (isDigit(l.text[end]) || l.text[end] == '.' && !point); end++ {
		point = point || l.text[end] == '.'
	}
	return l.take(end - l.pos)
}

func (l *lexer) variable(t *token) *Error {
	l.take(1)
	if !beginsName(l.text[l.pos:]) {
		return &Error{Column: t.column, Message: "a $ without the name of a variable"}
	}
	l.name(t)
	t.kind = tokenVariable
	return nil
}

// name reads a name with its prefix, if any, and decides what it names.
func (l *lexer) name(t *token) {
	afterOperand := l.afterOperand()
	start := l.pos
	l.take(nameLength(l.text[l.pos:]))
	local := l.text[start:l.pos]
	if rest, prefixed := strings.CutPrefix(l.text[l.pos:], ":"); prefixed {
		if strings.HasPrefix(rest, "*") {
			l.take(2)
		} else if beginsName(rest) {
			l.take(1 + nameLength(rest))
		}
	}
	t.kind, t.text = tokenName, l.text[start:l.pos]
	following := strings.TrimLeft(l.text[l.pos:], white)
	switch {
	case afterOperand && (local == "and" || local == "or" || local == "div" || local == "mod"):
		t.kind = tokenOperator
	case strings.HasPrefix(following, "::"):
		t.kind = tokenAxis
	case strings.HasPrefix(following, "("):
		t.kind = tokenFunction
	}
}

// take moves on by so many bytes.
func (l *lexer) take(n int) string {
	taken := l.text[l.pos : l.pos+n]
	l.pos += n
	l.column += utf8.RuneCountInString(taken)
	return taken
}

// white is what separates tokens.
const white = " \t\r\n"

func (l *lexer) space() {
	rest := l.text[l.pos:]
	l.take(len(rest) - len(strings.TrimLeft(rest, white)))
}

// nameLength is how many bytes of s can be part of a name.
func nameLength(s string) int {
	for i, r := range s {
		if r == utf8.RuneError || !unicode.In(r, nameStart, nameRest) {
			return i
		}
	}
	return len(s)
}

// beginsName reports whether s begins with a name.
func beginsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r != utf8.RuneError && unicode.Is(nameStart, r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nameStart and nameRest are the characters with which names begin, and those
// that only follow (XML 1.0, fifth edition), without the colon.
var (
	nameStart = &unicode.RangeTable{
		R16: []unicode.Range16{
			{'A', 'Z', 1}, {'_', '_', 1}, {'a', 'z', 1}, {0xC0, 0xD6, 1}, {0xD8, 0xF6, 1}, {0xF8, 0x2FF, 1}, {0x370, 0x37D, 1},
			{0x37F, 0x1FFF, 1}, {0x200C, 0x200D, 1}, {0x2070, 0x218F, 1}, {0x2C00, 0x2FEF, 1}, {0x3001, 0xD7FF, 1}, {0xF900, 0xFDCF, 1}, {0xFDF0, 0xFFFC, 1},
		},
		R32:         []unicode.Range32{{0x10000, 0xEFFFF, 1}},
		LatinOffset: 5,
	}
	nameRest = &unicode.RangeTable{
		R16:         []unicode.Range16{{'-', '.', 1}, {'0', '9', 1}, {0xB7, 0xB7, 1}, {0x300, 0x36F, 1}, {0x203F, 0x2040, 1}},
		LatinOffset: 3,
	}
)
