package layout

import (
	"strings"
	"testing"
)

func TestFaultyLayouts(t *testing.T) {
	for text, want := range map[string]string{
		"facts: [nothing]":                                 "no field nothing",
		"facts: [{at: number, show: x}]":                   "is a term",
		"facts: [seller]":                                  "",
		"title: {number: '{number'}":                       "without a }",
		"title: {number: '{number}]'}":                     "without a [",
		"title: {number: '{seller}'}":                      "is a group",
		"facts: [{at: seller, show: '{tradeName}'}]":       "no field tradeName",
		"lines: {per: '{price.baseQuantity}'}":             "two parts in brackets",
		"unknown: 1":                                       "unknown",
		"totals: [{show: totals.sum}]":                     "no field sum",
		"lines: {details: [[{at: period, show: '{to}'}]]}": "no field to",
	} {
		_, err := parseLayout([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
