package jsoninvoice

import (
	"bytes"
	"encoding/json"
)

// Ordered is a JSON object whose members keep their order.
type Ordered []OrderedMember

// An OrderedMember is a name with any value that encoding/json can write.
type OrderedMember struct {
	Name  string
	Value any
}

// MarshalJSON writes the members one after another.
func (o Ordered) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
