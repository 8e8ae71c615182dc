package server_test

import (
	"strings"
	"testing"

	"einvoice/server"
)

// Whatever cannot be listened on, the error names the flag or setting and says what to give.
func TestListenErrors(t *testing.T) {
	t.Parallel()
	taken, err := server.Listen(t.Context(), "x", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string]string{
		taken.Addr().String(): "something listens on",
		"192.0.2.1:9":         "give an address of this machine", // of documentation, and of no machine
		"":                    "write host:port",
		"1":                   "write host:port",
		":":                   "write host:port",
		"a:b":                 "write host:port",
		"127.0.0.1:65536":     "write host:port",
		"127.0.0.1:-1":        "write host:port",
		"[::1:80":             "write host:port",
		"1:2:3":               "write host:port",
	} {
		listener, err := server.Listen(t.Context(), "--metrics", address)
		if err == nil {
			_ = listener.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "--metrics: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", address, err)
		}
	}
}
