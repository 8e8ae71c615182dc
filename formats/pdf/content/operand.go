package content

import (
	"bytes"
	"strconv"
	"strings"
)

// A scanner reads the syntax of a content stream. It never goes back behind at.
type scanner struct {
	data     []byte
	at       int
	elements int         // of arrays and dictionaries of the current operator
	noEI     bool        // no inline image ends behind at
	bad      []BadString // of the current operator

	spend  func(bytes int) error
	spent  int // bytes that spend was told of
	failed error
}

// spendEvery is after how many bytes spend is told of them.
const spendEvery = 64 << 10

// stopped tells of the bytes that were read, if they are many, and whether to stop.
func (s *scanner) stopped() bool {
	if s.at-s.spent >= spendEvery {
		s.failed = s.told()
	}
	return s.failed != nil
}

// told tells of the bytes that were read.
func (s *scanner) told() error {
	if s.spend == nil || s.failed != nil {
		return s.failed
	}
	n := s.at - s.spent
	s.spent = s.at
	return s.spend(n)
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return strings.IndexByte("()<>[]{}/%", c) >= 0 }

func isRegular(c byte) bool { return !isSpace(c) && !isDelimiter(c) }

func isNumeric(c byte) bool { return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' }

// space skips white space and comments.
func (s *scanner) space() {
	for s.at < len(s.data) && !s.stopped() {
		switch c := s.data[s.at]; {
		case isSpace(c):
			s.at++
		case c == '%':
			for s.at < len(s.data) && s.data[s.at] != '\n' && s.data[s.at] != '\r' && !s.stopped() {
				s.at++
			}
		default:
			return
		}
	}
}

// word reads regular characters.
func (s *scanner) word() string {
	from := s.at
	for s.at < len(s.data) && isRegular(s.data[s.at]) {
		s.at++
	}
	return string(s.data[from:s.at])
}

// value reads an operand.
func (s *scanner) value(depth int) (any, error) {
	if depth > maxNesting {
		return nil, &Error{s.at, "operands lie too deep within one another"}
	}
	if s.at >= len(s.data) {
		return nil, &Error{s.at, "an operand is missing"}
	}
	switch c := s.data[s.at]; {
	case c == '/':
		s.at++
		return s.name(), nil
	case c == '(':
		return s.literal()
	case c == '[':
		s.at++
		return s.array(']', depth)
	case c == '<' && s.at+1 < len(s.data) && s.data[s.at+1] == '<':
		s.at += 2
		return s.dict(depth)
	case c == '<':
		return s.hex()
	case isNumeric(c):
		return s.number()
	case isRegular(c):
		if v, ok := keyword(s.word()); ok {
			return v, nil
		}
	}
	return nil, &Error{s.at, "there is something that is not an operand"}
}

// digit is the value of a hexadecimal digit; -1 if c is none.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// name reads a name after its slash.
func (s *scanner) name() Name {
	var n []byte
	for s.at < len(s.data) && isRegular(s.data[s.at]) {
		c := s.data[s.at]
		if c == '#' && s.at+2 < len(s.data) {
			if high, low := digit(s.data[s.at+1]), digit(s.data[s.at+2]); high >= 0 && low >= 0 {
				n = append(n, byte(high<<4|low))
				s.at += 3
				continue
			}
		}
		n = append(n, c)
		s.at++
	}
	return Name(n)
}

// number reads a number leniently, as PDF readers do.
func (s *scanner) number() (any, error) {
	from := s.at
	word := s.word()
	if len(word) > maxNumber {
		return nil, &Error{from, "there is a number that is too long"}
	}
	if v, err := strconv.Atoi(word); err == nil {
		return Number{float64(v), false}, nil
	}
	if v, err := strconv.ParseFloat(word, 64); err == nil && !strings.ContainsAny(word, "eExXpP_nN") {
		return Number{v, true}, nil
	}
	return nil, &Error{from, "there is a number that cannot be read"}
}

// array reads operands up to a delimiter.
func (s *scanner) array(end byte, depth int) (Array, error) {
	a := Array{}
	for {
		s.space()
		switch {
		case s.at >= len(s.data), s.stopped():
			return nil, &Error{s.at, "an array has no end"}
		case s.data[s.at] == end:
			s.at++
			return a, nil
		}
		v, err := s.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if s.elements++; s.elements > maxElements {
			return nil, &Error{s.at, "the operands of an operator are too many"}
		}
		a = append(a, v)
	}
}

// dict reads a dictionary after its opening delimiter.
func (s *scanner) dict(depth int) (Dict, error) {
	a, err := s.array('>', depth)
	if err != nil {
		return nil, err
	}
	if s.at < len(s.data) && s.data[s.at] == '>' {
		s.at++
	}
	d := Dict{}
	for i := 0; i+1 < len(a); i += 2 {
		if key, ok := a[i].(Name); ok {
			d[key] = a[i+1]
		}
	}
	return d, nil
}

// hex reads a hexadecimal string. Other characters than digits are skipped.
func (s *scanner) hex() (String, error) {
	from := s.at
	end := bytes.IndexByte(s.data[s.at:], '>')
	if end < 0 {
		s.at = len(s.data)
		return nil, &Error{from, "a string has no end"}
	}
	digits := s.data[s.at+1 : s.at+end]
	s.at += end + 1
	var result String
	half, bad := -1, false
	for _, c := range digits {
		v := digit(c)
		switch {
		case v < 0:
			bad = bad || !isSpace(c)
		case half < 0:
			half = v
		default:
			result = append(result, byte(half<<4|v))
			half = -1
		}
	}
	if half >= 0 {
		result = append(result, byte(half<<4))
		bad = true
	}
	if bad {
		s.bad = append(s.bad, BadString{from, s.at, result})
	}
	return result, nil
}

// literal reads a literal string.
func (s *scanner) literal() (String, error) {
	from := s.at
	s.at++
	result := String{}
	for depth := 1; s.at < len(s.data) && !s.stopped(); {
		c := s.data[s.at]
		s.at++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return result, nil
			}
		case '\r':
			if s.at < len(s.data) && s.data[s.at] == '\n' {
				s.at++
			}
			c = '\n'
		case '\\':
			result = s.escape(result)
			continue
		}
		result = append(result, c)
	}
	return nil, &Error{from, "a string has no end"}
}

// escape appends the character of an escape sequence, whose backslash was read.
func (s *scanner) escape(result String) String {
	if s.at >= len(s.data) {
		return result
	}
	c := s.data[s.at]
	s.at++
	switch c {
	case 'n':
		return append(result, '\n')
	case 'r':
		return append(result, '\r')
	case 't':
		return append(result, '\t')
	case 'b':
		return append(result, '\b')
	case 'f':
		return append(result, '\f')
	case '\n':
		return result
	case '\r':
		if s.at < len(s.data) && s.data[s.at] == '\n' {
			s.at++
		}
		return result
	}
	if c < '0' || c > '7' {
		return append(result, c)
	}
	code := int(c - '0')
	for range 2 {
		if s.at >= len(s.data) || s.data[s.at] < '0' || s.data[s.at] > '7' {
			break
		}
		code = code<<3 | int(s.data[s.at]-'0')
		s.at++
	}
	return append(result, byte(code))
}
