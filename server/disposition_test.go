package server_test

import (
	"mime"
	"strings"
	"testing"
)

// TestFileNames of documents are the invoice number, in its own script, as a header has it.
func TestFileNames(t *testing.T) {
	for number, want := range map[string]struct{ header, name string }{
		"2026-0117": {`attachment; filename="2026-0117.xml"`, "2026-0117.xml"},
		"RE/2026 4": {`attachment; filename="RE-2026-4.xml"`, "RE-2026-4.xml"},
		"Größe-№ 1": {`attachment; filename="Gr__e---1.xml"; filename*=UTF-8''Gr%C3%B6%C3%9Fe---1.xml`, "Größe---1.xml"},
		"счёт-7":    {`attachment; filename="____-7.xml"; filename*=UTF-8''%D1%81%D1%87%D1%91%D1%82-7.xml`, "счёт-7.xml"},
		`a\"b`:      {`attachment; filename="a-b.xml"`, "a-b.xml"},
		"請求書":       {`attachment; filename="___.xml"; filename*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8.xml`, "請求書.xml"},
		`../../etc`: {`attachment; filename="etc.xml"`, "etc.xml"},
		`con`:       {`attachment; filename="_con.xml"`, "_con.xml"},
	} {
		a := shared().create(t, "ubl", smallest(t, `"number": "2026-0117"`, `"number": "`+number+`"`))
		a.wants(t, 200, "")
		got := a.Header.Get("Content-Disposition")
		_, params, err := mime.ParseMediaType("attachment; " + got[strings.LastIndex(got, "filename"):]) // the last is the one that counts
		if got != want.header || err != nil || params["filename"] != want.name {
			t.Errorf("%s: %s, which is %q (%v), want %s, which is %q", number, got, params["filename"], err, want.header, want.name)
		}
	}
}
