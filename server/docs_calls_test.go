package server_test

import (
	"html"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
)

var curlLine = regexp.MustCompile(`(?s)<pre class="curl">(.*?)</pre>`)

// TestDocsCalls runs every line of curl on the page /docs as it is printed, against the
// server that printed it.
func TestDocsCalls(t *testing.T) {
	curl, err := exec.LookPath("curl")
	shell, other := exec.LookPath("bash")
	if err != nil || other != nil {
		t.Skip("curl or bash is not here, so no line was run")
	}
	keyFile := filepath.Join(t.TempDir(), "keys")
	key, _, err := keys.Add(keyFile, "for all operations by name, as publishing rules asks", keys.Limits{Operations: keys.Operations})
	if err != nil {
		t.Fatal(err)
	}
	sources := t.TempDir()
	if err := os.CopyFS(filepath.Join(sources, "in"), os.DirFS(filepath.Join("..", "cmd", "einvoice", "samples"))); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) {
		c.KeysFile, c.RulesetsDir, c.BulkSources, c.BulkResults = keyFile, folderOfRules(t), sources, t.TempDir()
	})
	var job struct{ ID string }
	begun := s.do(t, s.request(t, http.MethodPost, "/v1/bulk?source=in&operation=validate", nil, "Authorization", "Bearer "+key))
	begun.wants(t, http.StatusAccepted, "")
	begun.decode(t, &job)
	approving, approver, proposals := waitingProposals(t, 2)
	page := string(s.get(t, "/docs").body)
	calls := curlLine.FindAllStringSubmatch(page, -1)
	if want := len(document().Paths.InMatchingOrder()); len(calls) <= want {
		t.Fatalf("the page has %d lines for %d paths", len(calls), want)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".curlrc"), []byte("fail-with-body\nsilent\nshow-error\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		line := html.UnescapeString(call[1])
		if strings.HasSuffix(line, s.url) {
			t.Errorf("%s has no path", line)
		}
		usesKey, proposal := key, ""
		if strings.Contains(line, "$PROPOSAL") { // of a service that asks for approval
			line, usesKey, proposal, proposals = strings.ReplaceAll(line, s.url, approving.url), approver, proposals[0], proposals[1:]
		}
		command := exec.CommandContext(t.Context(), shell, "-c", line)
		command.Dir = dir
		command.Env = []string{"API_KEY=" + usesKey, "PROPOSAL=" + proposal, "JOB=" + job.ID, "HOME=" + dir, "PATH=" + filepath.Dir(curl)}
		out, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %.300s", line, err, out)
		}
		if _, file, saved := strings.Cut(line, " -o "); saved {
			file, _, _ = strings.Cut(file, " ")
			if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s is not there", line, file)
			}
		} else if len(out) == 0 && !strings.Contains(line, " -O ") {
			t.Errorf("%s: it prints nothing", line)
		}
	}
}

// TestDocsPage runs no script but its own, calls no other server, and shows no address that
// a shell would understand otherwise.
func TestDocsPage(t *testing.T) {
	s := shared()
	a := s.get(t, "/docs")
	a.wants(t, http.StatusOK, "")
	policy := a.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "script-src 'sha256-"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q has no %s", policy, want)
		}
	}
	page := string(a.body)
	script := page[strings.Index(page, "<script>")+len("<script>") : strings.Index(page, "</script>")]
	if !strings.Contains(policy, server.ScriptHash(script)) {
		t.Error("the policy is of another script than the page has")
	}
	for _, foreign := range []string{"src=", "@import", "url(", "<link"} {
		if strings.Contains(page, foreign) {
			t.Errorf("the page loads something: %s", foreign)
		}
	}
	if !strings.Contains(page, `name="viewport"`) || strings.Count(page, `<form class="try"`) < 20 {
		t.Error("the page has no forms, or is not made for small screens")
	}
	r := s.request(t, http.MethodGet, "/docs", nil)
	r.Host = "x$(id).example"
	if page := string(s.do(t, r).body); strings.Contains(page, "$(id)") || !strings.Contains(page, "http://localhost/") {
		t.Error("a host that a shell would run is shown")
	}
	for _, name := range []string{"invoice-ubl.xml", "invoice-cii.xml", "invoice.json", "invoice.pdf", "letter.pdf"} {
		s.get(t, "/docs/examples/"+name).wants(t, http.StatusOK, "")
	}
	s.get(t, "/docs/examples/other.xml").wants(t, http.StatusNotFound, "ROUTE-UNKNOWN")
}
