package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestNeighbours measures what an honest key meets beside hostile ones: bodies that come
// byte by byte, answers that nobody takes, documents that cost seconds, wrong keys.
func TestNeighbours(t *testing.T) {
	if *soak == 0 {
		t.Skip("skipped: make soak runs it")
	}
	t.Setenv("GOMEMLIMIT", "900MiB") // as in the deployments
	p := startProgram(t, "--rate", "0", "--max-memory", "640MiB", "--max-body", "24MiB")
	alone := p.honest(t, 5*time.Second)
	t.Logf("the honest key alone: %s", alone)

	ctx, stop := context.WithCancel(t.Context())
	go p.watch(ctx, t)
	var neighbours sync.WaitGroup
	for _, key := range p.keys[:3] {
		neighbours.Go(func() { p.costly(ctx, t, key) })
		for range 25 {
			neighbours.Go(func() { p.trickle(ctx, key) })
		}
		for range 3 {
			neighbours.Go(func() { p.untaken(ctx, t, key) })
		}
	}
	neighbours.Go(func() { p.wrong(ctx) })
	time.Sleep(2 * time.Second)
	beside := p.honest(t, *soak/4)
	stop()
	neighbours.Wait()
	most := p.highWater()
	t.Logf("the honest key beside them: %s; most memory of the service %d MiB", beside, most>>20)
	if most > mostAttackMemory {
		t.Errorf("that is more than the memory of the deployments")
	}
	for status, n := range beside.statuses {
		if status != http.StatusOK {
			t.Errorf("the honest key got %d answers of status %d", n, status)
		}
	}
	p.stop(t)
}

// honest sends a typical invoice ten times a second.
func (p *program) honest(t *testing.T, long time.Duration) *load {
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	return p.honestly(ctx, t)
}

// costly sends documents of some megabytes that take seconds, two at a time.
func (p *program) costly(ctx context.Context, t *testing.T, key string) {
	ubl := string(sample(t, "ubl-valid.xml"))
	line := ubl[strings.Index(ubl, "<cac:InvoiceLine>"):strings.Index(ubl, "</ubl:Invoice>")]
	subtotal := ubl[strings.Index(ubl, "<cac:TaxSubtotal>"):strings.Index(ubl, "</cac:TaxTotal>")]
	document := strings.Replace(ubl, line, strings.Repeat(line, 2000), 1)
	document = strings.Replace(document, subtotal, strings.Repeat(subtotal, 2000), 1)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for ctx.Err() == nil {
				_, _, _ = p.shoot(ctx, http.DefaultClient, shot{key: key, document: []byte(document), path: toCII}) // whatever comes of it
			}
		})
	}
	both.Wait()
}

// head is the head of a request of a key.
func (p *program) head(path, key string, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n", path, key, length)
}

func (p *program) dial(ctx context.Context) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(p.url, "http://"))
}

// trickle sends a body byte by byte, until it is told to go, and comes again.
func (p *program) trickle(ctx context.Context, key string) {
	for ctx.Err() == nil {
		c, err := p.dial(ctx)
		if err != nil {
			return
		}
		_, err = io.WriteString(c, p.head("/v1/validate/ubl", key, 1<<20))
		for err == nil && ctx.Err() == nil {
			_, err = c.Write([]byte{'<'})
			time.Sleep(50 * time.Millisecond)
		}
		_ = c.Close()
	}
}

// untaken asks for a large answer and does not read it.
func (p *program) untaken(ctx context.Context, t *testing.T, key string) {
	document := bytes.Replace(sample(t, "ubl-valid.xml"), []byte("<cbc:InvoiceTypeCode>"), []byte("<!--"+strings.Repeat("x", 8<<20)+"--><cbc:InvoiceTypeCode>"), 1)
	for ctx.Err() == nil {
		c, err := p.dial(ctx)
		if err != nil {
			return
		}
		_, _ = c.Write(append([]byte(p.head("/v1/extract/xml", key, len(document))), document...)) // it may be refused
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
		_ = c.Close()
	}
}

// wrong sends wrong keys.
func (p *program) wrong(ctx context.Context) {
	for ctx.Err() == nil {
		_, _, _ = p.shoot(ctx, http.DefaultClient, shot{key: "einv_wrong_key"}) // whatever comes of it
	}
}
