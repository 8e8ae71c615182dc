package model

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// In JSON, texts and dates are strings, and numbers are numbers with all their digits.
// Numbers are also read from strings, because many JSON libraries convert numbers to
// floating point.

// MarshalJSON writes the text as a string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.Raw) }

// UnmarshalJSON reads a string; null leaves the term absent.
func (t *Text) UnmarshalJSON(b []byte) error {
	s, ok, err := jsonString(b)
	if err == nil && ok {
		*t = NewText(s)
	}
	return err
}

// MarshalJSON writes the base64 text.
func (b Binary) MarshalJSON() ([]byte, error) { return json.Marshal(b.Raw) }

// UnmarshalJSON reads base64 text; null leaves the term absent.
func (b *Binary) UnmarshalJSON(data []byte) error {
	s, ok, err := jsonString(data)
	if err != nil || !ok {
		return err
	}
	*b = Binary{Raw: s, Present: true}
	if _, err := b.Decode(); err != nil {
		return fmt.Errorf("not base64: %w", err)
	}
	return nil
}

// MarshalJSON writes a valid number as a number with all its digits, and anything else
// as a string.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return json.Marshal(n.Raw)
	}
	return n.Value.Append(nil), nil
}

// UnmarshalJSON reads a number, or a string that contains one; null leaves the term
// absent.
func (n *Number) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	raw := string(b)
	if b[0] == '"' {
		if err := json.Unmarshal(b, &raw); err != nil {
			return err
		}
	}
	read := NewNumber(raw)
	if !read.Valid {
		return fmt.Errorf("%s is not a decimal number such as 12.50", b)
	}
	*n = read
	return nil
}

// MarshalJSON writes a valid date in ISO 8601, and anything else as it was written.
func (d Date) MarshalJSON() ([]byte, error) {
	if !d.Valid {
		return json.Marshal(d.Raw)
	}
	return json.Marshal(d.ISO())
}

// UnmarshalJSON reads an ISO 8601 date; null leaves the term absent.
func (d *Date) UnmarshalJSON(b []byte) error {
	s, ok, err := jsonString(b)
	if err != nil || !ok {
		return err
	}
	read := NewDate(s)
	if !read.Valid {
		return fmt.Errorf("%s is not a date such as 2026-11-20", b)
	}
	*d = read
	return nil
}

// jsonString reads a string; ok is false for null.
func jsonString(b []byte) (s string, ok bool, err error) {
	if bytes.Equal(b, []byte("null")) {
		return "", false, nil
	}
	err = json.Unmarshal(b, &s)
	return s, true, err
}
