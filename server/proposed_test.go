package server_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine"
	"einvoice/server"
	"einvoice/server/keys"
)

// leaningRules are rules that lean on files which a draft may change without them.
var leaningRules = map[string]string{
	"overlays/own.yaml": `overlay: own
title: Own
owner: Us
on: {profiles: [en16931]}
rules:
  - id: OWN-1
    level: fatal
    context: /invoice
    assert: filled(this.buyerReference) && this.buyerReference.isInCodeList("sites")
    btCodes: [BT-10]
    message: Write a site (BT-10).
    text: The buyer reference (BT-10) is a site.
    examples: [{passes: {buyerReference: A}}, {fires: {buyerReference: X}}]
  - id: OWN-2
    level: fatal
    context: /invoice
    assert: orElse(lookup("limits", invoice.currencyCode).limit, 0.0) > 1.0
    btCodes: [BT-5]
    message: Take another currency (BT-5).
    text: The currency (BT-5) has a limit.
    examples: [{passes: {currencyCode: EUR}}, {fires: {currencyCode: CHF}}]
`,
	"codelists/sites.yaml": "list: sites\ntitle: Sites\ncodes: A B\n",
	"tables/limits.yaml":   "table: limits\ntitle: Limits\nowner: Us\nkey: currency\ncolumns: {currency: text, limit: decimal}\n",
	"tables/limits.csv":    "currency,limit\nEUR,2\n",
}

// A draft whose files are right by themselves and do not go with what is in the folder is refused
// when it is proposed, as it is when it is published, and not only when somebody approves it.
func TestProposedAsPublished(t *testing.T) {
	drafts := map[string]struct {
		files map[string]string
		right bool
	}{
		"cell of another type":   {map[string]string{"tables/limits.csv": "currency,limit\nEUR,much\n"}, false},
		"two rows of one key":    {map[string]string{"tables/limits.csv": "currency,limit\nEUR,2\nEUR,3\n"}, false},
		"row of an example gone": {map[string]string{"tables/limits.csv": "currency,limit\nUSD,2\n"}, false},
		"column gone":            {map[string]string{"tables/limits.csv": "currency\nEUR\n"}, false},
		"column of another type": {map[string]string{"tables/limits.yaml": "table: limits\ntitle: Limits\nowner: Us\nkey: currency\ncolumns: {currency: text, limit: text}\n"}, false},
		"column renamed": {map[string]string{
			"tables/limits.yaml": "table: limits\ntitle: Limits\nowner: Us\nkey: currency\ncolumns: {currency: text, most: decimal}\n", "tables/limits.csv": "currency,most\nEUR,2\n",
		}, false},
		"code of an example gone": {map[string]string{"codelists/sites.yaml": "list: sites\ntitle: Sites\ncodes: B\n"}, false},
		"another cell":            {map[string]string{"tables/limits.csv": "currency,limit\nEUR,3\n"}, true},
		"another code":            {map[string]string{"codelists/sites.yaml": "list: sites\ntitle: Sites\ncodes: A B C\n"}, true},
	}
	type service struct {
		*testServer
		key string
	}
	open := func(t *testing.T, approval bool) *service {
		dir, keyFile := t.TempDir(), filepath.Join(t.TempDir(), "keys")
		for file, text := range leaningRules {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		key, _, err := keys.Add(keyFile, "one", keys.Limits{Operations: []string{"rules"}})
		if err != nil {
			t.Fatal(err)
		}
		return &service{start(t, func(c *server.Config) { c.KeysFile, c.RulesetsDir, c.PublishApproval = keyFile, dir, approval }), key}
	}
	unchanged := map[bool]*service{false: open(t, false), true: open(t, true)} // what is refused changes nothing
	for name, d := range drafts {
		t.Run(name, func(t *testing.T) {
			told := map[bool]string{}
			for _, approval := range []bool{false, true} {
				s := unchanged[approval]
				if d.right {
					s = open(t, approval)
				}
				a := s.rules(t, "publish", s.key, map[string]any{"files": maps.Clone(d.files), "who": "Ada", "why": "Trial", "from": string(engine.Today())})
				switch {
				case d.right && approval:
					a.wants(t, http.StatusAccepted, "")
				case d.right:
					a.wants(t, http.StatusOK, "")
				default:
					told[approval] = a.wants(t, http.StatusUnprocessableEntity, "RULES-NOT-PUBLISHED").Detail
				}
				if waiting := s.rules(t, "proposals", s.key, map[string]any{}); !d.right {
					var list struct{ Proposals []json.RawMessage }
					if waiting.decode(t, &list); len(list.Proposals) > 0 {
						t.Error("a proposal waits that cannot come into force")
					}
				}
			}
			if told[true] != told[false] {
				t.Errorf("published: %s\nproposed: %s", told[false], told[true])
			}
		})
	}
}
