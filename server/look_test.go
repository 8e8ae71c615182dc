package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/text"
	"einvoice/server"
)

// pagesText is the text of the pages of a PDF.
func pagesText(t *testing.T, data []byte) string {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := text.Pages(c)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(pages, "\n")
}

// A folder of looks gives their names to requests; pages are English unless a request asks
// for another language, wherever the buyer is.
func TestLooks(t *testing.T) {
	folder := t.TempDir()
	for name, data := range map[string]string{
		"own.yaml":   "{name: own, based: din5008, before: {any: From our own look.}}",
		"short.yaml": "{name: short, based: general, sections: [parties, totals]}",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, func(c *server.Config) { c.NoAuth, c.Looks = true, folder })
	document := string(sample(t, "ubl-valid.xml"))
	const render, transform = "/v1/render/ubl/to/pdf", "/v1/transform/to/zugferd"
	for _, c := range []struct{ path, want, not string }{
		{render, "Invoice", "own look"}, {render + "?look=own", "From our own look.", "Facture"}, {render + "?look=general&language=de", "Rechnung", "own look"},
		{transform + "?look=own", "From our own look.", ""},
	} {
		a := s.send(t, c.path, "application/xml", document)
		a.wants(t, http.StatusOK, "")
		if got := pagesText(t, a.body); !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: the pages lack %q, or have %q:\n%s", c.path, c.want, c.not, got)
		}
	}
	for _, path := range []string{render, transform} {
		p := s.send(t, path+"?look=nothing", "application/xml", document).wants(t, http.StatusBadRequest, "OPTION-INVALID")
		if !strings.Contains(p.Detail, "din5008, french, general, own, short") {
			t.Errorf("%s: %s", path, p.Detail)
		}
	}
	body := smallest(t, `"number"`, `"typeCode": "380", "number"`, `{"invoice"`, `{"options": {"look": "short"}, "invoice"`)
	a := s.create(t, "zugferd", body)
	a.wants(t, http.StatusOK, "")
	if a.Header.Get("Invoice-Warnings") != "1" {
		t.Errorf("a look that leaves terms out gives %s warnings", a.Header.Get("Invoice-Warnings"))
	}
	s.create(t, "zugferd", smallest(t, `{"invoice"`, `{"options": {"look": "nothing"}, "invoice"`)).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
}

// A folder with a file that is not a look stops the start.
func TestFaultyLook(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.yaml"), []byte("{name: a, based: general, logos: {}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, looks := range []string{folder, filepath.Join(folder, "nothing")} {
		config := server.DefaultConfig()
		config.NoAuth, config.Looks = true, looks
		if _, err := server.New(config, nil); err == nil {
			t.Errorf("%s: the service starts", looks)
		}
	}
}

// An edited folder of looks is taken without a restart; one with a mistake changes nothing,
// and is told.
func TestLooksReloaded(t *testing.T) {
	folder := t.TempDir()
	write := func(name, data string) {
		t.Helper()
		// As editors do it: the file is there in whole, or not at all.
		temporary := filepath.Join(folder, "."+name)
		if err := os.WriteFile(temporary, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(temporary, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("own.yaml", "{name: own, based: general, before: {any: The first text.}}")
	s, stop := serve(t, func(c *server.Config) { c.Looks, c.ReloadInterval = folder, 20*time.Millisecond })
	defer stop()
	document := string(sample(t, "ubl-valid.xml"))
	shows := func(look, text string) bool {
		a := s.send(t, "/v1/render/ubl/to/html?look="+look, "application/xml", document)
		return a.StatusCode == http.StatusOK && strings.Contains(string(a.body), text)
	}
	if !shows("own", "The first text.") {
		t.Fatal("the look is not there at the start")
	}
	write("own.yaml", "{name: own, based: general, before: {any: The second text.}}")
	eventually(t, "the edit is in force", func() bool { return shows("own", "The second text.") })
	write("new.yaml", "{name: new, based: general, before: {any: A look that was added.}}")
	eventually(t, "the new look is there", func() bool { return shows("new", "A look that was added.") })
	write("own.yaml", "{name: own, based: general, logo: {file: nothing.svg, x: 10, y: 10, width: 20, height: 20}}")
	eventually(t, "the mistake is told", func() bool { return strings.Contains(string(s.get(t, "/health/ready").body), "nothing.svg") })
	s.logs(t, "looks not reloaded")
	if !shows("own", "The second text.") || !shows("new", "A look that was added.") {
		t.Error("a mistake changed the looks in force")
	}
	write("nothing.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>`)
	eventually(t, "the mended look is in force", func() bool { return shows("own", "data:image/svg+xml") })
	if body := string(s.get(t, "/health/ready").body); !strings.Contains(body, `"looks":{"ok":true}`) {
		t.Errorf("the mistake is still told: %s", body)
	}
	if err := os.Remove(filepath.Join(folder, "new.yaml")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the look is gone", func() bool {
		return s.send(t, "/v1/render/ubl/to/html?look=new", "application/xml", document).StatusCode == http.StatusBadRequest
	})
}
