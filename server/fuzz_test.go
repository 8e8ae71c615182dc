package server_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
)

// FuzzMultipart sends bodies and content types of any kind: each gets a designed
// answer, and all memory is given back.
func FuzzMultipart(f *testing.F) {
	document := sample(f, "ubl-valid.xml")
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n<a/>\r\n--b--\r\n"), "ubl")
	f.Add("multipart/form-data; boundary=b", append(append([]byte("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../x\"\r\n\r\n"), document...), "\r\n--b--\r\n"...), "xrechnung")
	f.Add("application/xml", document, "en16931")
	f.Add("multipart/form-data", []byte("--\r\n"), "cii")
	f.Add("multipart/form-data; boundary=\"\"", []byte("--b"), "zugferd")
	s := shared()
	f.Fuzz(func(t *testing.T, contentType string, body []byte, format string) {
		r := httptest.NewRequest(http.MethodPost, "/v1/validate/x", bytes.NewReader(body))
		r.URL.Path = "/v1/validate/" + format
		r.Header.Set("Authorization", "Bearer "+s.StartKey())
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 404, 413, 415, 422:
		default:
			t.Errorf("got %d %s", w.Code, w.Body)
		}
		if w.Code != 200 {
			(&answer{Response: w.Result(), body: w.Body.Bytes()}).isProblem(t)
		}
		if s.Buffered() != 0 {
			t.Error("memory was not given back")
		}
	})
}

// FuzzAuthorization tries headers of any kind: only the key itself opens.
func FuzzAuthorization(f *testing.F) {
	s := shared()
	for _, seed := range []string{"", "Bearer ", "bearer x", "Bearer " + s.StartKey(), "Basic eDp5", "Bearer einv_a_b", "Bearer \x00", "Bearer einv_" + strings.Repeat("_", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest(http.MethodGet, "/v1/rulesets", nil)
		r.Header["Authorization"] = []string{header}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		scheme, token, _ := strings.Cut(header, " ")
		right := strings.EqualFold(scheme, "Bearer") && strings.Trim(token, " ") == s.StartKey()
		if right != (w.Code == http.StatusOK) || !right && w.Code != http.StatusUnauthorized {
			t.Errorf("%q got %d", header, w.Code)
		}
	})
}

// FuzzKeyFile reads files of any kind: what is accepted names each key once.
func FuzzKeyFile(f *testing.F) {
	f.Add("# comment\nkey a sha256:" + strings.Repeat("0", 64) + " 2026-01-01T00:00:00Z name of it\nrevoked a 2026-01-02T00:00:00Z\n")
	f.Add("key\nrevoked")
	f.Fuzz(func(t *testing.T, text string) {
		keyFile, err := keys.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, k := range keyFile {
			if k.ID == "" || seen[k.ID] || k.Created.IsZero() && !strings.Contains(text, "0001-01-01") {
				t.Errorf("got %+v", k)
			}
			seen[k.ID] = true
		}
	})
}

// FuzzFileName cleans names of any kind: no folder and no control character is
// left.
func FuzzFileName(f *testing.F) {
	for _, seed := range []string{"invoice.xml", "../../etc/passwd", `C:\invoices\1.xml`, "a\nb", "..", "/", "\x00", strings.Repeat("x", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := server.CleanName(name)
		if strings.ContainsAny(got, "/\\\n\r\x00") || got == ".." || got == "." || len(got) > 200 {
			t.Errorf("%q became %q", name, got)
		}
	})
}
