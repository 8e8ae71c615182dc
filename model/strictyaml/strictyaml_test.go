package strictyaml_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

func TestMapping(t *testing.T) {
	own := errors.New("x is too small")
	for _, c := range []struct {
		text     string
		mistakes []string
		read     []string
	}{
		{"id: 1\nname: a\n", nil, []string{"id", "name"}},
		{"{}", nil, nil},
		{"- id", []string{"1:1 a thing must be a mapping of keys to values, such as {name: value}"}, nil},
		{"id: 1\nid: 2\nname: b\n", []string{`2:1 the key "id" is written twice`}, []string{"id", "name"}},
		{"colour: 1\n  \nname: a\nsize: 3", []string{`1:1 unknown key "colour" in a thing`, `4:1 unknown key "size" in a thing`}, []string{"name"}},
		{"name: &n a\nid: *n", []string{"2:1 aliases are not supported in a thing"}, []string{"name"}},
		{"x: 1\nid: 2", []string{"x is too small"}, []string{"id"}},
	} {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(c.text), &n); err != nil {
			t.Fatal(err)
		}
		var read []string
		err := strictyaml.Mapping(n.Content[0], "a thing", func(key string, _ *yaml.Node) error {
			switch key {
			case "id", "name":
				read = append(read, key)
			case "x":
				return own
			default:
				return strictyaml.ErrUnknownKey
			}
			return nil
		})
		var mistakes strictyaml.Errors
		errors.As(err, &mistakes)
		var got []string
		for _, m := range mistakes {
			var at *strictyaml.Error
			if errors.As(m, &at) {
				got = append(got, fmt.Sprintf("%d:%d %s", at.Line, at.Column, at.Message))
			} else {
				got = append(got, m.Error())
			}
		}
		if !slices.Equal(got, c.mistakes) || !slices.Equal(read, c.read) || (err == nil) != (c.mistakes == nil) {
			t.Errorf("%q: %q, read %q", c.text, got, read)
		}
	}
}
