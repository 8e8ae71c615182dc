package problem_test

import (
	"strings"
	"testing"

	"einvoice/model/problem"
)

// Whatever is wrong with the JSON of a request is said without the words of Go.
func TestNotJSON(t *testing.T) {
	type request struct {
		Who   string            `json:"who"`
		Files map[string]string `json:"files"`
		Base  *int              `json:"base"`
		All   []bool            `json:"all"`
	}
	for text, want := range map[string]string{
		``:                            "it is empty",
		`{`:                           "it ends before it is complete",
		`{"who": "x`:                  "it ends before it is complete",
		`{"who": x}`:                  "it is not well-formed at byte 9",
		`[]`:                          "it is of type array, and has to be of type object",
		`{"who": 1}`:                  "who is of type number, and has to be of type string",
		`{"files": {"a.yaml": true}}`: "files is of type boolean, and has to be of type string",
		`{"base": "1"}`:               "base is of type string, and has to be of type integer",
		`{"base": 1.5}`:               "base is of type number, and has to be of type integer",
		`{"all": {}}`:                 "all is of type object, and has to be of type array",
		`{"whom": 1}`:                 `there is no member "whom"`,
		`{"who": "x"} {"who": "y"}`:   "text follows behind its end",
		`{"who": "x"}}`:               "text follows behind its end",
	} {
		var into request
		err := problem.ReadJSON([]byte(text), &into)
		if err == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		if got := problem.NotJSON(err, "see the docs"); !strings.HasSuffix(got.Message, ": "+want) || strings.Contains(got.Message, "Go") {
			t.Errorf("%s: %q, not %q", text, got.Message, want)
		}
	}
}
