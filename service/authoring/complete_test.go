package authoring_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/model"
	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// Behind this. all fields of the context are offered, whatever it is about.
func TestFieldsOfEveryContext(t *testing.T) {
	for context, of := range map[string]*model.Type{
		"/invoice": model.InvoiceType(), "/invoice/lines": model.TypeOf[model.Line](), "/container": model.ContainerType(),
		"/batch": model.BatchType(), "/batch[number]": model.BatchType(), "/batch/preceding": model.TypeOf[model.BatchReference](),
	} {
		rule := "ruleset: a\nversion: 1\nlayer: cius\nrules:\n  - id: A-1\n    level: fatal\n    context: " + context + "\n    assert: this."
		w := authoring.Open(fstest.MapFS{"a/1/r.yaml": {Data: []byte(rule)}}, rulesets.FS)
		last := strings.Count(rule, "\n") + 1
		offered, err := w.Complete("a/1/r.yaml", last, len("    assert: this.")+1)
		if err != nil || len(offered) != len(of.Fields) || len(offered) == 0 {
			t.Errorf("%s: %d of %d fields are offered, %v", context, len(offered), len(of.Fields), err)
		}
	}
}

// In an overlay the code lists that it makes are offered too, for its own rules.
func TestListsOfAnOverlay(t *testing.T) {
	const overlay = `overlay: o
title: T
owner: ACME
on: {profiles: [en16931]}
codeLists:
  - {list: acme-sites, title: Our sites, codes: BER HAM}
  - {list: untdid-4461, without: 10}
rules:
  - id: O-1
    assert: this.buyerReference.isInCodeList("`
	w := authoring.Open(fstest.MapFS{"overlays/o.yaml": {Data: []byte(overlay)}}, rulesets.FS)
	last := overlay[strings.LastIndexByte(overlay, '\n')+1:]
	offered, err := w.Complete("overlays/o.yaml", strings.Count(overlay, "\n")+1, len(last)+1)
	count := map[string]int{}
	for _, c := range offered {
		count[c.Label]++
	}
	if err != nil || count["acme-sites"] != 1 || count["untdid-4461"] != 1 || count["iso-4217"] != 1 {
		t.Errorf("%d lists are offered, acme-sites %d times, untdid-4461 %d times; %v", len(offered), count["acme-sites"], count["untdid-4461"], err)
	}
}
