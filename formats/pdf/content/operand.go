package content

import (
	"bytes"
	"strconv"
	"strings"
)

// A scanner reads the syntax of a content stream.
type scanner struct {
	data []byte
	at   int
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

func isRegular(c byte) bool { return !isSpace(c) && !isDelimiter(c) }

func isNumeric(c byte) bool { return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' }

// space skips white space and comments.
func (s *scanner) space() {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case isSpace(c):
			s.at++
		case c == '%':
			for s.at < len(s.data) && s.data[s.at] != '\n' && s.data[s.at] != '\r' {
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
	return nil, &Error{s.at, "there is something that is no operand"}
}

// name reads a name after its slash.
func (s *scanner) name() Name {
	var n []byte
	for s.at < len(s.data) && isRegular(s.data[s.at]) {
		c := s.data[s.at]
		if c == '#' && s.at+2 < len(s.data) {
			if v, err := strconv.ParseUint(string(s.data[s.at+1:s.at+3]), 16, 8); err == nil {
				n = append(n, byte(v))
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
		case s.at >= len(s.data):
			return nil, &Error{s.at, "an array has no end"}
		case s.data[s.at] == end:
			s.at++
			return a, nil
		}
		v, err := s.value(depth + 1)
		if err != nil {
			return nil, err
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
	end := bytes.IndexByte(s.data[s.at:], '>')
	if end < 0 {
		return nil, &Error{s.at, "a string has no end"}
	}
	digits := s.data[s.at+1 : s.at+end]
	s.at += end + 1
	var result String
	half := -1
	for _, c := range digits {
		v, err := strconv.ParseUint(string(c), 16, 8)
		switch {
		case err != nil:
		case half < 0:
			half = int(v)
		default:
			result = append(result, byte(half<<4|int(v)))
			half = -1
		}
	}
	if half >= 0 {
		result = append(result, byte(half<<4))
	}
	return result, nil
}

// literal reads a literal string.
func (s *scanner) literal() (String, error) {
	from := s.at
	s.at++
	result := String{}
	for depth := 1; s.at < len(s.data); {
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
