package answer_test

import (
	"errors"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/answer"
)

// A client is told all names that there are in place of one that there is not.
func TestNamesAreTold(t *testing.T) {
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	language, err := library.Language("de")
	if err != nil {
		t.Fatal(err)
	}
	_, err = jsoninvoice.Decode(t.Context(), []byte(`{"qqq": 1}`))
	of, ok := errors.AsType[*jsoninvoice.Error](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	told, _ := answer.Mistakes(of.Mistakes, language)
	fields := model.InvoiceType().Fields
	if last := fields[len(fields)-1].Name; !strings.HasSuffix(told[0].Message, " "+last) {
		t.Errorf("the message does not end with %s: %s", last, told[0].Message)
	}
	of.Mistakes[0].Message = strings.Repeat("ä", 1<<20)
	if told, _ := answer.Mistakes(of.Mistakes, language); len(told[0].Message) > 5000 {
		t.Errorf("a message of %d bytes is told", len(told[0].Message))
	}
}
