package server_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/service/workbench"
)

var pastInvoices = flag.Int("past-invoices", 24, "how many invoices TestImpactOfArchive compares")

// A server with an archive tells what a draft changes on it, which rules fire in it, and hands
// out each document of it, and nothing else. How long the impact takes is told.
func TestImpactOfArchive(t *testing.T) {
	archive := t.TempDir()
	text := string(workbench.Sample)
	for i := range *pastInvoices {
		name := filepath.Join(archive, fmt.Sprintf("2026-%02d", i%12+1), fmt.Sprintf("%05d.xml", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		one := strings.ReplaceAll(text, "2026-0417", fmt.Sprintf("2026-%05d", i))
		if i%2 == 1 {
			one = strings.ReplaceAll(one, "DE123456789", "DE111222333")
		}
		if err := os.WriteFile(name, []byte(one), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(archive, "note.xml"), []byte("<note/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(archive, "secret.txt"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) { c.Archive, c.Rate, c.KeyWork = archive, 0, 0 })
	drafts := map[string]map[string]string{
		"an overlay for one seller": {"overlays/lower.yaml": "overlay: lower\ntitle: Lower\nowner: us\non: {profiles: [en16931]}\ndocuments: {seller: [DE111222333]}\nlevels:\n  - {rules: [BR-CL-14], level: warning, reason: agreed, until: 2099-12-31}\n"},
		"an overlay for all":        {"overlays/lower.yaml": "overlay: lower\ntitle: Lower\nowner: us\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-14], level: warning, reason: agreed, until: 2099-12-31}\n"},
	}
	for name, want := range map[string]int{"an overlay for one seller": *pastInvoices / 2, "an overlay for all": *pastInvoices} {
		began, documents, changed, unread := time.Now(), 0, 0, 0
		for next, more := "", true; more; {
			var got workbench.Impact
			s.ask(t, "impact", map[string]any{"draft": drafts[name], "archive": next}, &got)
			documents, changed, unread = documents+got.Documents, changed+len(got.Changes), unread+len(got.Unread)
			if more = got.Next != nil; more {
				next = *got.Next
			}
		}
		t.Logf("%s: %d documents compared in %s, on %d processors", name, documents, time.Since(began).Round(time.Millisecond), runtime.NumCPU())
		if documents != *pastInvoices || changed != want || unread != 1 {
			t.Errorf("%s: %d documents, %d of them decided otherwise, %d unread; want %d, %d, 1", name, documents, changed, unread, *pastInvoices, want)
		}
	}
	var fires workbench.Fires
	s.ask(t, "fires", map[string]any{"archive": ""}, &fires)
	if len(fires.Fired) == 0 || fires.Fired[0].Document != "2026-01/00000.xml" || strings.Join(fires.Fired[0].Rules, " ") != "BR-07 BR-CL-14 BR-CL-23 BR-CO-09 BR-CO-16" || fires.Fired[0].Month != "2026-11" {
		t.Errorf("what fires is %+v", fires.Fired[:min(1, len(fires.Fired))])
	}
	// An overlay that is new in the draft may be chosen; one that nobody has, and a profile that is
	// not there, are mistakes of the request.
	chosen := map[string]any{"draft": drafts["an overlay for all"], "archive": "", "overlays": []string{"lower"}}
	var impact workbench.Impact
	s.ask(t, "impact", chosen, &impact)
	if len(impact.Changes) != *pastInvoices {
		t.Errorf("with the overlay of the draft chosen %d documents are decided otherwise, want %d", len(impact.Changes), *pastInvoices)
	}
	var adding workbench.Adding
	s.ask(t, "add", map[string]any{"draft": drafts["an overlay for all"], "overlays": []string{"lower"}, "text": text, "path": "despatchAdviceReference", "value": "B-1"}, &adding)
	if !adding.Possible {
		t.Error("with the overlay of the draft chosen no term can be added")
	}
	for call, with := range map[string]map[string]any{
		"impact":  {"draft": drafts["an overlay for all"], "archive": ""},
		"fires":   {"archive": ""},
		"explain": {"text": text, "rule": "BR-16"},
	} {
		for member, value := range map[string]any{"overlays": []string{"none"}, "profile": "none"} {
			request := maps.Clone(with)
			request[member] = value
			data, _ := json.Marshal(request)
			s.do(t, s.request(t, http.MethodPost, "/v1/workbench/"+call, strings.NewReader(string(data)), "Content-Type", "application/json")).wants(t, http.StatusBadRequest, "OPTION-INVALID")
		}
	}
	var one workbench.Archived
	s.ask(t, "archived", map[string]any{"name": "2026-01/00000.xml"}, &one)
	if !strings.Contains(string(one.File), "2026-00000") {
		t.Errorf("the document is %.80s", one.File)
	}
	for _, name := range []string{"secret.txt", "../x.xml", "/etc/passwd", "2026-01", ""} {
		data, _ := json.Marshal(map[string]any{"name": name})
		s.do(t, s.request(t, http.MethodPost, "/v1/workbench/archived", strings.NewReader(string(data)), "Content-Type", "application/json")).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	}
}

// ask calls the workbench.
func (s *testServer) ask(t *testing.T, call string, request, into any) {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	a := s.do(t, s.request(t, http.MethodPost, "/v1/workbench/"+call, strings.NewReader(string(data)), "Content-Type", "application/json"))
	a.wants(t, http.StatusOK, "")
	if err := json.Unmarshal(a.body, into); err != nil {
		t.Fatal(err)
	}
}
