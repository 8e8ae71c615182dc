package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
)

// A look that is not a look, or that ends the process that tries it, changes nothing: not for the
// service, and not for processes that begin afterwards.
func TestLooksAreTriedElsewhere(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const good = "name: own\nbased: general\n"
	write("own.yaml", good)
	s := start(t, func(c *server.Config) {
		c.Looks, c.Process = dir, process
	})
	drawn := func(when string) {
		t.Helper()
		for range 2 { // in a process that is there, and in one that begins
			a := s.send(t, "/v1/render/ubl/to/svg?look=own", "application/xml", string(sample(t, "ubl-valid.xml")))
			if a.wants(t, http.StatusOK, ""); t.Failed() {
				t.Fatal(when)
			}
			s.RetireProcesses()
		}
	}
	drawn("at first")
	write("own.yaml", "name: own\nbased: nothing\n")
	s.Reload(t.Context())
	if body := string(s.asks(t, "/health/ready").body); strings.Contains(body, `"looks":{"ok":true}`) {
		t.Errorf("the mistake is not told: %s", body)
	}
	drawn("beside a look with a mistake")
	write("own.yaml", good+"colours: {accent: \"#112233\"}\n")
	s.Reload(t.Context())
	if body := string(s.asks(t, "/health/ready").body); !strings.Contains(body, `"looks":{"ok":true}`) {
		t.Errorf("the mistake is still told: %s", body)
	}
	drawn("after it was mended")
}
