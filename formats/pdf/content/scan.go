package content

import (
	"errors"
	"fmt"
)

// An Op is an operator with its operands.
type Op struct {
	Name     string
	Args     []any  // Name, String, Number, Array, Dict, bool or nil
	From, To int    // the position of the bytes of operands and operator
	Image    Dict   // the entries of an inline image (BI)
	Data     []byte // of an inline image
	// BadStrings are hexadecimal strings among the operands that are read leniently: with an
	// odd number of digits, or with characters that are not digits.
	BadStrings []BadString
}

// A BadString is such a string, with the position of its bytes.
type BadString struct {
	From, To int
	Value    String
}

// The types of operands, beside bool and nil.
type (
	// Name is a name, without the slash.
	Name string
	// String is the bytes of a string, without escapes.
	String []byte
	// Number is an integer or a real number.
	Number struct {
		Value float64
		Real  bool // it is written with a decimal point
	}
	// Array is an array of operands.
	Array []any
	// Dict is a dictionary.
	Dict map[Name]any
)

// The limits of what is read.
const (
	maxOperands = 4096    // of an operator; those of PDF have 33 at most
	maxElements = 1 << 16 // of the arrays and dictionaries of an operator, all together
	maxNesting  = 32      // of arrays and dictionaries
	maxNumber   = 400     // bytes of a number; the longest number of type float64 has fewer
)

// An Error is a syntax error at an offset.
type Error struct {
	At     int
	Reason string
}

// Error is reason and offset.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.At) }

// Code is the string as a number of up to four bytes, the first the highest: a
// character code in a string of text or in a CMap.
func (s String) Code() (code int) {
	for _, b := range s[:min(len(s), 4)] {
		code = code<<8 | int(b)
	}
	return code
}

// Arg is the operand at an index; nil if it is not there.
func (o *Op) Arg(i int) any {
	if i < 0 || i >= len(o.Args) {
		return nil
	}
	return o.Args[i]
}

// A Scan says how a content stream is read. The zero Scan ends at the first syntax
// error.
type Scan struct {
	// Spend is told how many bytes were read since it was last told, at most some
	// 64 KiB and the length of one token. Its error ends the scan. It may be nil.
	Spend func(bytes int) error
	// SkipErrors goes on behind what cannot be read. No byte is read twice, so that the
	// work is linear in the length of the stream, whatever is wrong with it: what has no
	// end ends the scan.
	SkipErrors bool
}

// Operators visits the operators of a content stream. The Op must not be used after
// visit returns. The error is an *Error, or that of visit or Spend, which ends the scan.
func (how Scan) Operators(data []byte, visit func(*Op) error) error {
	s := scanner{data: data, spend: how.Spend}
	var op Op
	for {
		err := s.operator(&op)
		if s.failed != nil {
			return s.failed
		}
		if syntax, ok := errors.AsType[*Error](err); ok && how.SkipErrors {
			s.at = max(s.at, syntax.At+1)
			op = Op{Args: op.Args[:0]}
			continue
		}
		if err != nil {
			return err
		}
		if op.Name == "" {
			return s.told()
		}
		if err := visit(&op); err != nil {
			return err
		}
		op = Op{Args: op.Args[:0]}
	}
}

// operator reads one operator with its operands. The operator has no name at the end of
// the stream.
func (s *scanner) operator(op *Op) error {
	s.elements, s.bad = 0, nil
	defer func() { op.BadStrings = s.bad }()
	for {
		s.space()
		if s.at >= len(s.data) || s.stopped() {
			return nil
		}
		if len(op.Args) == 0 {
			op.From = s.at
		}
		c := s.data[s.at]
		if isRegular(c) && !isNumeric(c) {
			word := s.word()
			if v, operand := keyword(word); operand {
				op.Args = append(op.Args, v)
				continue
			}
			op.Name, op.To = word, s.at
			if word == "BI" {
				return s.image(op)
			}
			return nil
		}
		v, err := s.value(0)
		if err != nil {
			return err
		}
		if op.Args = append(op.Args, v); len(op.Args) > maxOperands {
			return &Error{s.at, "there are too many operands"}
		}
	}
}

// keyword is the value of a word that is an operand, and not an operator.
func keyword(word string) (any, bool) {
	switch word {
	case "true":
		return true, true
	case "false":
		return false, true
	case "null":
		return nil, true
	}
	return nil, false
}

// image reads an inline image: its entries up to ID, and its data up to EI.
func (s *scanner) image(op *Op) error {
	op.Image = Dict{}
	for {
		s.space()
		if s.at >= len(s.data) || s.stopped() {
			return &Error{op.From, "an inline image has no end"}
		}
		if isRegular(s.data[s.at]) && !isNumeric(s.data[s.at]) {
			if s.word() != "ID" {
				return &Error{op.From, "an inline image has no data"}
			}
			break
		}
		if len(op.Image) > maxOperands {
			return &Error{op.From, "an inline image has too many entries"}
		}
		key, err := s.value(0)
		if err != nil {
			return err
		}
		name, ok := key.(Name)
		if !ok {
			return &Error{s.at, "an entry of an inline image has no name"}
		}
		s.space()
		var v any
		if s.at < len(s.data) && isRegular(s.data[s.at]) && !isNumeric(s.data[s.at]) {
			v, _ = keyword(s.word())
		} else if v, err = s.value(0); err != nil {
			return err
		}
		op.Image[name] = v
	}
	s.at++ // the white space after ID
	end, next := s.imageEnd(op.Image)
	if end < 0 {
		return &Error{op.From, "an inline image has no end"}
	}
	op.Data, op.To = s.data[s.at:end], next
	s.at = next
	return nil
}
