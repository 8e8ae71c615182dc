package server_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"einvoice/server"
)

// With a second address, /metrics and /health are there alone, and nothing else is.
func TestOperationAddress(t *testing.T) {
	s, _ := serve(t, func(c *server.Config) { c.OperationListen = "127.0.0.1:0" })
	var found []string
	eventually(t, "the log has the address", func() bool {
		found = regexp.MustCompile(`serving operation","address":"([^"]+)"`).FindStringSubmatch(s.log.String())
		return found != nil
	})
	status := func(url string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	for path, operation := range map[string]bool{"/metrics": true, "/health/live": true, "/health/ready": true, "/": false, "/docs": false, "/openapi.json": false} {
		first, second := http.StatusOK, http.StatusNotFound
		if operation {
			first, second = second, first
		}
		if got := status(s.url + path); got != first {
			t.Errorf("%s on the first address: %d, want %d", path, got, first)
		}
		if got := status("http://" + found[1] + path); got != second {
			t.Errorf("%s on the second address: %d, want %d", path, got, second)
		}
	}
}

// makeCertificate writes a certificate for a name, signed by itself, and its key.
func makeCertificate(t *testing.T, dir, name string) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: certificate}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

// TLS by files: a changed certificate is taken, a broken one is reported and changes
// nothing.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := makeCertificate(t, dir, "first.example")
	s, _ := serve(t, func(c *server.Config) { c.TLSCert, c.TLSKey, c.ReloadInterval = certFile, keyFile, 20*time.Millisecond })
	names := func() string {
		d := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // the certificate is what the test looks at
		c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return strings.Join(c.(*tls.Conn).ConnectionState().PeerCertificates[0].DNSNames, " ")
	}
	if got := names(); got != "first.example" {
		t.Errorf("the certificate is for %s", got)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // as above
	defer client.CloseIdleConnections()
	r := s.request(t, http.MethodPost, "/v1/validate/ubl", bytes.NewReader(sample(t, "ubl-valid.xml")), "Content-Type", "application/xml")
	r.URL.Scheme = "https"
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK || res.ProtoMajor != 1 {
		t.Errorf("got %d by %s", res.StatusCode, res.Proto)
	}
	makeCertificate(t, dir, "second.example")
	eventually(t, "the changed certificate is taken", func() bool { return names() == "second.example" })
	if err := os.WriteFile(certFile, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the broken one is reported", func() bool { return strings.Contains(s.log.String(), "certificate not reloaded") })
	if got := names(); got != "second.example" {
		t.Errorf("the certificate is for %s", got)
	}
	if _, err := server.New(func() server.Config { c := server.DefaultConfig(); c.TLSCert, c.TLSKey = certFile, keyFile; return c }(), nil); err == nil {
		t.Error("a server starts without a certificate that can be used")
	}
}
