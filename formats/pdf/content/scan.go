package content

import "fmt"

// An Op is an operator with its operands.
type Op struct {
	Name     string
	Args     []any  // Name, String, Number, Array, Dict, bool or nil
	From, To int    // the position of the bytes of operands and operator
	Image    Dict   // the entries of an inline image (BI)
	Data     []byte // of an inline image
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
	maxOperands = 4096 // of an operator; those of PDF have 33 at most
	maxNesting  = 32   // of arrays and dictionaries
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

// Scan visits the operators of a content stream. The Op must not be used after visit
// returns. The error is an *Error, or that of visit, which ends the scan.
func Scan(data []byte, visit func(*Op) error) error {
	s := scanner{data: data}
	var op Op
	for {
		s.space()
		if s.at >= len(data) {
			return nil
		}
		if len(op.Args) == 0 {
			op.From = s.at
		}
		c := data[s.at]
		if isRegular(c) && !isNumeric(c) {
			word := s.word()
			if v, operand := keyword(word); operand {
				op.Args = append(op.Args, v)
				continue
			}
			op.Name, op.To = word, s.at
			if word == "BI" {
				if err := s.image(&op); err != nil {
					return err
				}
			}
			if err := visit(&op); err != nil {
				return err
			}
			op = Op{Args: op.Args[:0]}
			continue
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
		if s.at >= len(s.data) {
			return &Error{op.From, "an inline image has no end"}
		}
		if isRegular(s.data[s.at]) && !isNumeric(s.data[s.at]) {
			if s.word() != "ID" {
				return &Error{op.From, "an inline image has no data"}
			}
			break
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
