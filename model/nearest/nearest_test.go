package nearest_test

import (
	"strings"
	"testing"

	"einvoice/model/nearest"
)

func TestOf(t *testing.T) {
	names := []string{"issueDate", "paymentDueDate", "BR-CL-23", "xrechnung", ""}
	for name, want := range map[string]string{
		"isueDate": "issueDate", "dueDate": "paymentDueDate", "duedate": "paymentDueDate", "issuedate": "issueDate", "issue": "issueDate", "BR-CL-32": "BR-CL-23", "xrechung": "xrechnung",
		"zzzzzz": "", "": "", strings.Repeat("x", 10_000): "",
	} {
		if got := nearest.Of(name, names); got != want {
			t.Errorf("%.20s: got %q, want %q", name, got, want)
		}
	}
}
