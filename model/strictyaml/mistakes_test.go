package strictyaml_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// What package yaml says of a file is told with line, column and what to do.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: 1\nassert: x ? b : c\n", "2:15 a value with a colon and a space in it is put in quotation marks, as in assert: 'condition ? a : b'"},
		{"a: b: c\n", "1:5 a value with a colon and a space in it is put in quotation marks"},
		{"a: 1\n  b: 2\n", "2:3 the line is indented further than the one above, which has a value already"},
		{"a: 1\nb: @x\n", "2:4 a value that begins with @ is put in quotation marks"},
		{"a: `x`\n", "1:4 a value that begins with ` is put in quotation marks"},
		{"a: !has(x) && y\n", "1:4 a value that begins with ! is put in quotation marks"},
		{"b: 1\na: !e!x y\n", "2:4 a value that begins with ! is put in quotation marks"},
		{"a: !<x\n", "1:4 a value that begins with ! is put in quotation marks"},
		{"a: && x\n", "1:4 a value that begins with & is put in quotation marks"},
		{"a: * x\n", "1:4 a value that begins with * is put in quotation marks"},
		{"a: | x\n", "1:4 a value that begins with | is put in quotation marks"},
		{"a: > 1\n", "1:4 a value that begins with > is put in quotation marks"},
		{"a: ? x\n", "1:4 a value that begins with ? is put in quotation marks"},
		{"x: *a\n", "1:4 a value that begins with * is put in quotation marks"},
		{"a: 1\n\tb: 2\n", "2:1 lines are indented with spaces, and this one has a tab"},
		{"rules:\n  - id: A\n\tlevel: fatal\n", "3:1 lines are indented with spaces, and this one has a tab"},
		{"a:\n  b: |\n    text\n\n\tmore\n", "5:1 lines are indented with spaces, and this one has a tab"},
		{"a:\n  - x: 1\n  \ty: 2\n", "3:3 lines are indented with spaces, and this one has a tab"},
		{"\ta: 1\n", "1:1 lines are indented with spaces, and this one has a tab"},
		{"a:\n\t- b\n", "2:1 lines are indented with spaces, and this one has a tab"},
		{"a: 'x'\n\tb: c\n", "2:1 lines are indented with spaces, and this one has a tab"},
		{"a: b\n \tc: d\n", "2:2 lines are indented with spaces, and this one has a tab"},
		{"a: @b\n\tc\n", "1:4 a value that begins with @ is put in quotation marks"},
		{"a: [1, 2\nb: 3\n", "1:4 a [ is not closed, or a comma is missing in the list"},
		{"a: {b: 1\nc: 2\n", "1:4 a { is not closed, or a comma is missing after it; a text that begins with { is put in quotation marks"},
		{"a: \"x\nb: 1\n", "3:1 a quotation mark is not closed, here or above"},
		{"- a\nb: 1\n", "1:3 the lines of the list that begins here, or below, are not indented alike"},
		{"a: 1\nb\nc: 1\n", "2:1 a key has a colon and a space after it"},
		{"m: {this.x} is wrong\n", "1:4 the value goes on after its closing sign: put all of it in quotation marks, of the kind that it does not have inside"},
		{"a: 'x' y\n", "1:4 the value goes on after its closing sign: put all of it in quotation marks, of the kind that it does not have inside"},
		{"a: \"\\q\"\n", `1:5 between double quotation marks a \ is written \\; between single ones it is left as it is`},
		{"a: }\n", "1:1 a value is missing, or begins with a sign of YAML: put it in quotation marks"},
		{"a: \x01\n", "1:1 the file has bytes that are not text in UTF-8"},
		{"name: x\ncolour: red\n", `2:1 unknown key "colour"`},
		{"name: [x]\n", "1:1 expected a text, not a list: write one text, without [ ] and -"},
		{"list: x\n", `1:7 expected a list, not "x": write [x]`},
		{"map: x\n", `1:6 expected a mapping of keys to values, not "x"`},
		{"name: x\nname: y\n", `2:1 the key "name" is written twice, first in line 1`},
		{"name: x\n---\nname: y\n", "2:1 the file goes on with another document after ---, which is not read: make it a file of its own"},
	} {
		var into struct {
			Name, A, B, C, M, X, Assert string
			List                        []string
			Map                         map[string]string
		}
		var node yaml.Node
		err := strictyaml.Decode([]byte(c.text), &into)
		if strings.HasPrefix(c.want, "2:1 the file") {
			err = strictyaml.Decode([]byte(c.text), &node)
		}
		if err == nil {
			t.Errorf("%q is not a mistake", c.text)
			continue
		}
		first := strictyaml.Mistakes([]byte(c.text), err)[0]
		if got := fmt.Sprintf("%d:%d %s", first.Line, first.Column, first.Message); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A file with more mistakes than are told says so behind the last.
func TestMoreMistakesThanAreTold(t *testing.T) {
	for _, n := range []int{1000, 1001, 3000} {
		var keys struct{}
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: 1\n", i)
		}
		all := strictyaml.Mistakes([]byte(b.String()), strictyaml.Decode([]byte(b.String()), &keys))
		last := all[len(all)-1].Message
		if says := strings.Contains(last, "the file has 1000 mistakes up to here"); len(all) != min(n, 1001) || says != (n > 1000) {
			t.Errorf("of %d mistakes %d are told, and the last is %q", n, len(all), last)
		}
	}
}

// Whatever signs a value has, what is said of it is not in the words of the YAML library.
func TestNoMessageOfTheLibrary(t *testing.T) {
	foreign := regexp.MustCompile(`did not find|found (?:character|undefined|a |an |unexpected|invalid|duplicate|extra)|hexdecimal|in this context|not allowed|indicator|token|undefined tag|URI`)
	r := rand.New(rand.NewPCG(37, 1))
	const signs = "!&*|>?,%@`'\"\\{}[]:#-~<=() \tab1é"
	letters, told := []rune(signs), 0
	for range 20_000 {
		value := make([]rune, 1+r.IntN(6))
		for i := range value {
			value[i] = letters[r.IntN(len(letters))]
		}
		text := "name: x\nassert: " + string(value) + "\nb: 1\n"
		var into struct{ Name, Assert, B string }
		err := strictyaml.Decode([]byte(text), &into)
		if err == nil {
			continue
		}
		for _, m := range strictyaml.Mistakes([]byte(text), err) {
			if told++; foreign.MatchString(m.Message) {
				t.Errorf("%q: %d:%d %s", value, m.Line, m.Column, m.Message)
			}
		}
	}
	if told < 1000 {
		t.Errorf("only %d mistakes were found", told)
	}
}
