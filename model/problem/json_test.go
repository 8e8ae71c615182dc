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

type shared struct {
	Milliseconds int `json:"milliseconds"`
	Inner        struct {
		Deep []shallow `json:"deep"`
	} `json:"inner"`
}

type shallow struct {
	further
	Name string `json:"name"`
}

type further struct {
	Data []byte `json:"data"`
}

// A mistake names members as the JSON has them, whatever structs hold them here, and what is
// base64 is a text to whoever writes it.
func TestMembersAsWritten(t *testing.T) {
	t.Parallel()
	type call struct {
		shared
		*further
		List []string `json:"list"`
	}
	for data, want := range map[string]string{
		`{"milliseconds": "x"}`:                         "milliseconds is of type string, and has to be of type integer",
		`{"inner": {"deep": 1}}`:                        "inner.deep is of type number, and has to be of type array",
		`{"inner": {"deep": [{"name": 1}]}}`:            "inner.deep.name is of type number, and has to be of type string",
		`{"inner": {"deep": [{"data": 1}]}}`:            "inner.deep.data is of type number, and has to be of type string",
		`{"inner": {"deep": [{"data": {}}]}}`:           "inner.deep.data is of type object, and has to be of type string",
		`{"inner": {"deep": [{"data": ["eA=="]}]}}`:     "inner.deep.data is of type array, and has to be of type string",
		`{"inner": {"deep": [{"data": "eA=="}, true]}}`: "inner.deep is of type boolean, and has to be of type object",
		`{"inner": {"deep": [{"data": "=="}]}}`:         "a text that has to be base64 is not, at its byte 0",
		`{"list": {}}`:                                  "list is of type object, and has to be of type array",
		`[]`:                                            "it is of type array, and has to be of type object",
	} {
		var c call
		if err := problem.ReadJSON([]byte(data), &c); err == nil || !strings.HasSuffix(problem.NotJSON(err, "").Message, "call: "+want) {
			t.Errorf("%s: %v", data, problem.NotJSON(err, "").Message)
		}
	}
}
