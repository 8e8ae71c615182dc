package server

import (
	"crypto/tls"
	"fmt"
	"sync"
	"sync/atomic"

	"einvoice/server/changed"
)

// A certificate is that of TLS, from files that are read again when they change. Files that
// cannot be used leave the certificate as it is, and are reported.
type certificate struct {
	certFile, keyFile string // "" without TLS

	current atomic.Pointer[tls.Certificate]
	mu      sync.Mutex // serialises refresh
	seen    [2]changed.Stamp
	told    string // the last fault
}

// refresh reads the files if they changed, or in any case if forced. It is new also
// for a fault that was not told before.
func (c *certificate) refresh(force bool) (isNew bool, err error) {
	if c.certFile == "" {
		return false, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var stamps [2]changed.Stamp
	for i, name := range []string{c.certFile, c.keyFile} {
		if stamps[i], err = changed.StampOf("certificate file", name); err != nil {
			return c.fault(err)
		}
	}
	if stamps == c.seen && c.told == "" && !force {
		return false, nil
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return c.fault(fmt.Errorf("certificate %s with key %s: %w", c.certFile, c.keyFile, err))
	}
	c.seen, c.told = stamps, ""
	c.current.Store(&pair)
	return true, nil
}

func (c *certificate) fault(err error) (isNew bool, _ error) {
	isNew = c.told != err.Error()
	c.told = err.Error()
	return isNew, err
}

// config is that of TLS 1.2 and later, with HTTP/1.1 alone.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
