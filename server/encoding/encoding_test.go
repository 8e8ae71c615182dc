package encoding_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"einvoice/server/encoding"

	"pgregory.net/rapid"
)

// What is compressed comes back as it was, in every coding.
func TestRoundTrip(t *testing.T) {
	for name := range strings.SplitSeq(encoding.Known(), ", ") {
		rapid.Check(t, func(t *rapid.T) {
			word := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "word")
			body := bytes.Repeat(word, 2000/len(word)+rapid.IntRange(20, 200).Draw(t, "times"))
			got, compressed := encoding.Compress(name, "application/json", body)
			if got != name || len(compressed) >= len(body) {
				t.Fatalf("%s: %d bytes became %d of %q", name, len(body), len(compressed), got)
			}
			open, window := encoding.Reader(name, bytes.NewReader(compressed))
			if open == nil || window == 0 {
				t.Fatalf("%s is not read", name)
			}
			r, err := open()
			if err != nil {
				t.Fatal(err)
			}
			back, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(back, body) {
				t.Fatalf("%s: %d of %d bytes came back: %v", name, len(back), len(body), err)
			}
		})
	}
}

// Clients get what they ask for, and nothing that they refuse.
func TestAccepted(t *testing.T) {
	body := []byte(strings.Repeat(`{"a": 1}`, 1000))
	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "GZIP": "gzip", "br": "br", "gzip, br": "br", "gzip, deflate, br, zstd": "zstd", "*": "zstd",
		"identity": "", "deflate": "", "gzip;q=1.0, br;q=0.5": "gzip", "zstd;q=0, *": "br", "*;q=0": "", "gzip;q=0": "", "gzip;q=x": "", "gzip; q=0.2, identity": "gzip",
	} {
		if got, _ := encoding.Compress(accept, "application/problem+json", body); got != want {
			t.Errorf("%q gives %q, want %q", accept, got, want)
		}
	}
	for kind, compressed := range map[string]bool{"application/json": true, "text/html; charset=utf-8": true, "image/svg+xml": true, "application/pdf": false, "application/zip": false, "image/png": false} {
		if got, _ := encoding.Compress("gzip", kind, body); (got != "") != compressed {
			t.Errorf("%s is compressed as %q", kind, got)
		}
	}
	if open, _ := encoding.Reader("deflate", nil); open != nil {
		t.Error("deflate is read")
	}
}
