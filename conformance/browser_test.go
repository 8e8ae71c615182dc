package conformance_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A browser is a Chromium without a window, which is told what to do through pipes, in the
// messages of its DevTools protocol.
type browser struct {
	t        *testing.T
	out      *bufio.Reader
	in       io.Writer
	id       int
	session  string
	requests []string // addresses that the page asked for
	loaded   bool
}

type browserMessage struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
}

// startBrowser starts Chromium with one page. The pipes are its files 3 and 4.
func startBrowser(t *testing.T, program string) *browser {
	t.Helper()
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "einvoice-browser-")
	if err != nil {
		t.Fatal(err)
	}
	// Processes of Chromium may write their profile for a moment after it has ended: that is no fault of a page.
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, out: bufio.NewReader(out), in: in}
	t.Cleanup(func() {
		in.Close() // it ends when the pipe does
		_ = cmd.Wait()
		out.Close()
	})
	const patience = 10 * time.Minute // a guard: Chromium that hangs is stopped
	guard := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { guard.Stop() })
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Runtime"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call sends a command and waits for its result.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.id++
	data, err := json.Marshal(browserMessage{ID: b.id, SessionID: b.session, Method: method, Params: params})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(data, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		m := b.next()
		if m.ID != b.id {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// next is the next message; events are noted.
func (b *browser) next() browserMessage {
	b.t.Helper()
	data, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser is gone: %v", err)
	}
	var m struct {
		browserMessage
		Params struct {
			Request struct{ URL string } `json:"request"`
		} `json:"params"`
	}
	if err := json.Unmarshal(data[:len(data)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	switch m.Method {
	case "Network.requestWillBeSent":
		b.requests = append(b.requests, m.Params.Request.URL)
	case "Page.loadEventFired":
		b.loaded = true
	}
	return m.browserMessage
}

// open opens a page as wide as that, in pixels, and waits until it is there.
func (b *browser) open(address string, width int, print bool) {
	b.t.Helper()
	media := "screen"
	if print {
		media = "print"
	}
	b.openAs(address, width, media, "light")
}

// openAs opens a page for a medium, in a scheme of colours: light or dark.
func (b *browser) openAs(address string, width int, media, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.requests, b.loaded = nil, false
	b.call("Page.navigate", map[string]any{"url": address}, nil)
	for !b.loaded {
		b.next()
	}
}

// evaluate is the value of an expression in the page.
func (b *browser) evaluate(expression string, value any) {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, answer.ExceptionDetails)
	}
	if err := json.Unmarshal(answer.Result.Value, value); err != nil {
		b.t.Fatal(fmt.Errorf("%s: %w", expression, err))
	}
}

// print is the page as a PDF.
func (b *browser) print() []byte {
	b.t.Helper()
	var printed struct{ Data []byte }
	b.call("Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": true}, &printed)
	return printed.Data
}
