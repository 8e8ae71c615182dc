package webhook

import (
	"context"
	"encoding/base64"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// What is signed is what the examples of the specification have.
func TestSignature(t *testing.T) {
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := signatures([][]byte{secret, secret[:24]}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	if got != want+" "+want {
		t.Errorf("got %s", got)
	}
}

// No address that is not of a public host is connected to, in whatever form it is written, unless
// it is listed; and each address of the list is.
func TestNoInnerAddress(t *testing.T) {
	h, err := ParseHosts([]string{"erp.example", "10.1.0.0/16", "192.168.7.7", "fd00:1::/32"})
	if err != nil {
		t.Fatal(err)
	}
	inner := []string{"10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4", "::1/128", "::/128", "fc00::/7", "fe80::/10", "ff00::/8"}
	chance := rand.New(rand.NewPCG(36, 1))
	listed := func(a netip.Addr) bool {
		for _, p := range []string{"10.1.0.0/16", "192.168.7.7/32", "fd00:1::/32"} {
			if netip.MustParsePrefix(p).Contains(a) {
				return true
			}
		}
		return false
	}
	for _, text := range inner {
		prefix := netip.MustParsePrefix(text)
		for range 2000 {
			a := within(chance, prefix)
			forms := []netip.Addr{a}
			if a.Is4() { // as other networks carry it
				four := a.As4()
				for _, head := range []string{"64:ff9b::", "::"} {
					b := netip.MustParseAddr(head).As16()
					copy(b[12:], four[:])
					forms = append(forms, netip.AddrFrom16(b))
				}
				b := netip.MustParseAddr("2002::").As16()
				copy(b[2:], four[:])
				forms = append(forms, netip.AddrFrom16(b))
			}
			for i, form := range forms {
				refused := h.control("tcp", net.JoinHostPort(form.String(), "443"), nil) != nil
				if want := i > 0 || !listed(a); refused != want {
					t.Fatalf("%s: refused is %t", form, refused)
				}
			}
			if a.Is4() {
				mapped := netip.AddrFrom16(a.As16())
				if refused := h.control("tcp", net.JoinHostPort(mapped.String(), "443"), nil) != nil; refused == listed(a) {
					t.Fatalf("%s: refused is %t", mapped, refused)
				}
			}
		}
	}
	for _, public := range []string{"8.8.8.8", "93.184.216.34", "2606:4700::1111"} {
		if err := h.control("tcp", net.JoinHostPort(public, "443"), nil); err != nil {
			t.Error(err)
		}
	}
}

func within(chance *rand.Rand, p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := range b {
		for bit := range 8 {
			if i*8+bit >= p.Bits() && chance.IntN(2) == 1 {
				b[i] |= 0x80 >> bit
			}
		}
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func TestCheck(t *testing.T) {
	h, err := ParseHosts([]string{"erp.example", "10.1.0.0/16"})
	if err != nil {
		t.Fatal(err)
	}
	for url, fine := range map[string]bool{
		"https://erp.example/a": true, "https://ERP.example.:8443/a?b=c": true, "https://10.1.2.3/": true, "http://10.1.2.3:8080/": true,
		"http://erp.example/": false, "https://other.example/": false, "https://erp.example.evil.example/": false, "https://10.2.0.1/": false,
		"https://user@erp.example/": false, "ftp://erp.example/": false, "//erp.example/": false, "": false, "https://[::1]/": false,
		"https://2130706433/": false, "https://0x7f.1/": false, "file:///etc/passwd": false, "https://erp.example/#a": false,
	} {
		if err := h.Check(url); (err == nil) != fine {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, wrong := range []string{"", "https://erp.example", "*.example", "10.0.0.0/33", "a b"} {
		if _, err := ParseHosts([]string{wrong}); err == nil {
			t.Errorf("%q is taken for a host", wrong)
		}
	}
}

func secretFile(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const secretLine = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"

// A receiver that is gone, busy, elsewhere, or slow to wake gets each message until it takes it,
// under the same id, also when the sender was stopped in between; a redirect leads nowhere.
func TestSent(t *testing.T) {
	before := delays
	delays = []time.Duration{time.Millisecond, time.Millisecond, 2 * time.Millisecond, time.Millisecond}
	defer func() { delays = before }()
	var mu sync.Mutex
	ids := map[string]map[string]int{} // by path
	elsewhere := 0
	secret, _ := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		id := r.Header.Get("webhook-id")
		at, _ := time.Parse(time.RFC3339, "1970-01-01T00:00:00Z")
		var seconds int64
		for _, c := range r.Header.Get("webhook-timestamp") {
			seconds = 10*seconds + int64(c-'0')
		}
		at = at.Add(time.Duration(seconds) * time.Second)
		if r.Header.Get("webhook-signature") != signatures([][]byte{secret}, id, at, body) || time.Since(at).Abs() > time.Minute {
			t.Errorf("signed is %v", r.Header)
		}
		if ids[r.URL.Path] == nil {
			ids[r.URL.Path] = map[string]int{}
		}
		ids[r.URL.Path][id]++
		n := ids[r.URL.Path][id]
		switch r.URL.Path {
		case "/elsewhere":
			elsewhere++
		case "/moved":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/busy":
			if n < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}
	}))
	defer receiver.Close()
	folder, secrets := t.TempDir(), secretFile(t, secretLine)
	open := func() (*Sender, func()) { return sending(t, folder, secrets) }
	s, stop := open()
	want := map[string]string{"taken": Delivered, "busy": Delivered, "moved": GivenUp, "gone": GivenUp}
	for name := range want {
		if err := s.Expect(name, receiver.URL+"/"+name); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	s, stop = open() // nothing is sent before it is told
	if len(ids) != 0 {
		t.Errorf("sent before its time: %v", ids)
	}
	for name := range want {
		for range 2 { // told twice is sent once
			if err := s.Tell(name, map[string]string{"about": name}); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		s, stop = open()
	}
	deadline := time.Now().Add(time.Minute)
	for name, state := range want {
		for {
			m, err := s.About(name)
			if err != nil {
				t.Fatal(err)
			}
			if m.State == state {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s is %+v", name, m)
			}
			time.Sleep(time.Millisecond)
		}
	}
	stop()
	mu.Lock()
	defer mu.Unlock()
	for path, seen := range ids {
		if len(seen) != 1 {
			t.Errorf("%s had %d ids", path, len(seen))
		}
	}
	if elsewhere != 0 || ids["/gone"] == nil {
		t.Errorf("a redirect was followed %d times; got %v", elsewhere, ids)
	}
	m, err := s.About("moved")
	if err != nil || m.Attempts < len(delays)+1 || !strings.Contains(m.Error, "redirects are not followed") {
		t.Errorf("got %+v %v", m, err)
	}
}

// Secrets that are none stop the start.
func TestSecrets(t *testing.T) {
	for _, lines := range []string{"", "\n", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_short", "whsec_MfKQ9r8GKYo=", secretLine + "x"} {
		if _, err := New(t.TempDir(), []string{"erp.example"}, secretFile(t, lines), slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%q is taken for secrets", lines)
		}
	}
}

// sending is a sender that runs until it is stopped.
func sending(t *testing.T, folder, secrets string) (*Sender, func()) {
	t.Helper()
	s, err := New(folder, []string{"127.0.0.1"}, secrets, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	return s, func() { stop(); running.Wait() }
}
