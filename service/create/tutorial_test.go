package create_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"einvoice/service/create"
	"einvoice/service/internal/kittest"
)

// The tutorial's request gives the tutorial's answer.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/create.md")
	if err != nil {
		t.Fatal(err)
	}
	request, answer := block(t, string(page), "json"), block(t, string(page), "xml")
	if lines := strings.Count(request, "\n"); lines != 10 {
		t.Errorf("the request has %d lines, not ten", lines)
	}
	r, err := create.ReadRequest(t.Context(), []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	creator := kittest.Kit(t)
	made, err := create.Document(context.Background(), creator.Pages, "xrechnung", r)
	if err != nil {
		t.Fatal(err)
	}
	if string(made.Data) != answer {
		t.Errorf("the answer is another:\n%s", made.Data)
	}
	if r, err = create.ReadRequest(t.Context(), []byte(strings.Replace(request, `, "buyerReference": "04011000-12345-03"`, "", 1))); err != nil {
		t.Fatal(err)
	}
	_, err = create.Document(context.Background(), creator.Pages, "xrechnung", r)
	f := finding(t, err, "BR-DE-15")
	if refusal := block(t, string(page), "text"); !strings.Contains(refusal, f.Message) || !strings.Contains(refusal, "error  BR-DE-15  BT-10  "+f.Fields[0]+"\n") {
		t.Errorf("the refusal is another: %+v", f)
	}
}

// block is the first fenced block of a language.
func block(t *testing.T, page, language string) string {
	t.Helper()
	_, rest, _ := strings.Cut(page, "```"+language+"\n")
	text, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatalf("the page has no block of %s", language)
	}
	return text
}
