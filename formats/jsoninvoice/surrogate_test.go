package jsoninvoice_test

import (
	"errors"
	"strings"
	"testing"

	"einvoice/formats/jsoninvoice"
)

// Half a pair of UTF-16 units is a mistake at its place, wherever it is.
func TestLoneSurrogates(t *testing.T) {
	for text, column := range map[string]int{
		`{"a": "\ud83d\ude00"}`:       0,
		`{"a": "x\ud83d"}`:            9,
		`{"a": "\ude00"}`:             8,
		`{"a": "\ud83d\u0041"}`:       8,
		`{"a": "\ud83dx\ude00"}`:      8,
		`{"a": "\ud83d\n\ude00"}`:     8,
		`{"a": "\ud83d\ud83d\ude00"}`: 8,
		`{"a": "\\ud83d"}`:            0,
		`{"\ud83d": 1}`:               3,
		`["\ud83d\ude00", "\udfff"]`:  19,
	} {
		_, err := jsoninvoice.Parse(t.Context(), []byte(text))
		if column == 0 {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		mistaken, ok := errors.AsType[*jsoninvoice.Error](err)
		if !ok || mistaken.Mistakes[0].Line != 1 || mistaken.Mistakes[0].Column != column || !strings.Contains(mistaken.Mistakes[0].Message, "half of a pair") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
