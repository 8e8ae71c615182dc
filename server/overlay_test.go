package server_test

import (
	"net/http"
	"strings"
	"testing"

	"einvoice/server"
)

const companyOverlay = `overlay: acme
title: What ACME asks
owner: Compliance
on: {profiles: [en16931]}
rules:
  - id: ACME-1
    level: fatal
    context: /invoice
    assert: filled(this.buyerReference) && this.buyerReference == "ACME"
    effective: {from: 2026-01-01}
    btCodes: [BT-10]
    message: Write ACME.
    text: t
    examples: [{passes: {buyerReference: ACME}}, {fires: base}]
`

// A request chooses among the overlays that the service knows, and a setting says which
// apply otherwise.
func TestOverlays(t *testing.T) {
	e := newEdits(t)
	e.write("overlays/acme.yaml", companyOverlay)
	plain := start(t, func(c *server.Config) { c.RulesetsDir = e.dir })
	usual := start(t, func(c *server.Config) { c.RulesetsDir, c.Overlays = e.dir, []string{"acme"} })
	document := sample(t, "ubl-valid.xml")
	for _, c := range []struct {
		s      *testServer
		query  string
		status int
		code   string
		has    string
	}{
		{plain, "", http.StatusOK, "", `"valid":true`},
		{plain, "?overlay=acme", http.StatusBadRequest, "VALIDATION-FAILED", `"applied":true`},
		{plain, "?overlay=acme&at=2025-12-31", http.StatusOK, "", `"date":{"day":"2025-12-31","by":"asked"}`},
		{plain, "?overlay=xrechnung-3.0,acme", http.StatusBadRequest, "VALIDATION-FAILED", `"overlay":"acme"`},
		{plain, "?overlay=acm", http.StatusBadRequest, "OPTION-INVALID", "There are acme, germany"},
		{plain, "?overlay=acme&overlay=acme", http.StatusBadRequest, "OPTION-INVALID", "given twice"},
		{plain, "?overlay=a,b,c,d,e,f,g,h,i", http.StatusBadRequest, "OPTION-INVALID", "more than 8"},
		{plain, "?at=1.1.2027", http.StatusBadRequest, "OPTION-INVALID", "not a day"},
		{usual, "", http.StatusBadRequest, "VALIDATION-FAILED", `"rule":"ACME-1"`},
		{usual, "?overlay=", http.StatusOK, "", `"valid":true`},
	} {
		a := c.s.post(t, "ubl"+c.query, document)
		if a.wants(t, c.status, c.code); !strings.Contains(string(a.body), c.has) {
			t.Errorf("%s: got %.600s", c.query, a.body)
		}
	}
	if a := plain.get(t, "/v1/rulesets"); !strings.Contains(string(a.body), `"title":"What ACME asks"`) {
		t.Errorf("the overlay is not listed: %.300s", a.body)
	}
	config := server.DefaultConfig()
	config.Overlays = []string{"nobody"}
	if _, err := server.New(config, nil); err == nil || !strings.Contains(err.Error(), `setting overlay: there is no overlay "nobody"`) {
		t.Errorf("got %v", err)
	}
}

// A folder whose examples do not come out as they say does not come into force.
func TestReloadRunsExamples(t *testing.T) {
	e := newEdits(t)
	e.write("overlays/acme.yaml", companyOverlay)
	s := start(t, func(c *server.Config) { c.RulesetsDir = e.dir })
	e.write("overlays/acme.yaml", strings.Replace(companyOverlay, `== "ACME"`, `!= "ACME"`, 1))
	s.Reload(t.Context())
	if log := s.log.String(); !strings.Contains(log, "overlays/acme.yaml:14: ACME-1: the rule should accept this example and fires") {
		t.Errorf("got %s", log)
	}
}

// A rule that is not in force on the day that decides is explained as such, and one that is as
// it was decided.
func TestExplainsWhatIsNotInForce(t *testing.T) {
	e := newEdits(t)
	e.write("overlays/acme.yaml", companyOverlay)
	s := start(t, func(c *server.Config) { c.RulesetsDir = e.dir })
	document := sample(t, "ubl-valid.xml")
	for _, c := range []struct {
		query, has, hasNot string
		status             int
	}{
		{"&at=2025-12-31", "not in force on 2025-12-31", `"violated":true`, http.StatusOK},
		{"", `"ACME-1"`, "not in force", http.StatusBadRequest},
	} {
		a := s.post(t, "ubl?overlay=acme&explain=ACME-1"+c.query, document)
		if body := string(a.body); !strings.Contains(body, c.has) || strings.Contains(body, c.hasNot) {
			t.Errorf("%q: got %d %.800s", c.query, a.StatusCode, body)
		}
	}
}
