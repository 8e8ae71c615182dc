package server_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/service/bulk"
	"einvoice/service/catalogue"
	"einvoice/service/operation"
	"einvoice/service/workbench"
)

// withoutWork are requests that have no document of somebody else worked on, with the reason.
var withoutWork = map[string]string{
	"/v1/rules/publish":   "an operator's rules; nothing is served there without a folder of rulesets",
	"/v1/rules/rollback":  "it names a version",
	"/v1/rules/approve":   "it names a proposal",
	"/v1/rules/reject":    "it names a proposal",
	"/v1/rules/proposals": "it lists",
	"/v1/rules/versions":  "it lists",
	"/v1/bulk":            "it begins a job; TestLawOfJobs has the documents of one",
}

// endpoints are the paths of all operations of the service: each route that is posted to, with
// each format and each call of the workbench. A further operation is among them by itself.
func endpoints(t *testing.T) (paths []string) {
	t.Helper()
	for _, route := range shared().Routes() {
		path, posted := strings.CutPrefix(route, http.MethodPost+" ")
		if !posted {
			continue
		}
		var names []string
		parameter := ""
		switch {
		case strings.Contains(path, "{call}"):
			names, parameter = workbench.Calls(), "{call}"
		case strings.HasPrefix(path, "/v1/validate/"):
			parameter = "{format}"
			for _, f := range catalogue.Formats() {
				if f.Check != nil {
					names = append(names, f.Name)
				}
			}
		case strings.Contains(path, "{format}"):
			names, parameter = catalogue.ToCreate(), "{format}"
		default:
			names = []string{""}
		}
		for _, name := range names {
			paths = append(paths, strings.ReplaceAll(path, parameter, name))
		}
	}
	if len(paths) < 50 {
		t.Fatalf("there are only %d operations: %v", len(paths), paths)
	}
	return paths
}

// deaf has risky work hear nothing, without a processor.
func deaf(c *server.Config) {
	hanging(c)
	c.Process = processThatIsDeaf
	c.MaxRequests, c.MaxValidations, c.KeyWork = 400, 400, 0
}

// riskyBody is a body of a path that is worked on in a process, whatever comes of it.
func riskyBody(path string) (body []byte, kind string) {
	pdf := []byte("%PDF-1.7\n")
	switch {
	case strings.HasPrefix(path, "/v1/workbench/"), strings.HasPrefix(path, "/v1/create/"):
		return []byte(`{"invoice": {}, "x": "` + strings.Repeat("x", 300<<10) + `"}`), "application/json"
	case strings.HasPrefix(path, "/v1/embed/"):
		return embedOf(pdf, pdf)
	}
	return append(pdf, bytes.Repeat([]byte(" "), 300<<10)...), "application/octet-stream"
}

// The law, for every operation: when the deadline, the client or the operator says stop, the work
// stops, and its memory and its share are free. Here the work itself hears nothing.
func TestLaw(t *testing.T) {
	paths := endpoints(t)
	// asked sends all of them at once, and tells of what is answered.
	asked := func(ctx context.Context, s *testServer, answered func(path string, status int)) (wait func()) {
		var all sync.WaitGroup
		for _, path := range paths {
			body, kind := riskyBody(path)
			r := s.request(t, http.MethodPost, path, bytes.NewReader(body), "Content-Type", kind)
			all.Go(func() {
				if res, err := http.DefaultClient.Do(r.WithContext(ctx)); err == nil {
					res.Body.Close()
					answered(path, res.StatusCode)
				}
			})
		}
		return all.Wait
	}
	isFree := func(s *testServer) {
		t.Helper()
		eventually(t, "the processes are ended, and their memory is free", func() bool { return s.Processes() == 0 && s.Buffered() == 0 })
		s.send(t, "/v1/validate/ubl", "application/xml", string(sample(t, "ubl-valid.xml"))).wants(t, http.StatusOK, "") // the share is free
	}

	var working atomic.Int32
	late := start(t, deaf)
	asked(t.Context(), late, func(path string, status int) {
		isLate := status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
		if isLate {
			working.Add(1)
		}
		if reason := withoutWork[path]; isLate == (reason != "") {
			t.Errorf("%s: after the deadline %d; a reason why nothing is worked on: %q", path, status, reason)
		}
	})()
	isFree(late)

	for _, who := range []string{"client", "operator"} {
		s, end := serving(t, func(c *server.Config) {
			deaf(c)
			c.RequestTimeout, c.WriteTimeout, c.ShutdownTimeout = 10*time.Minute, 20*time.Minute, 50*time.Millisecond
		})
		ctx, leave := context.WithCancel(t.Context())
		wait := asked(ctx, s, func(path string, status int) {
			if withoutWork[path] == "" {
				t.Errorf("%s: answered with %d while the work went on", path, status)
			}
		})
		eventually(t, "all of them work", func() bool { return s.Processes() == int(working.Load()) || t.Failed() })
		if who == "client" {
			leave()
			isFree(s)
		} else if err := end(); err == nil || !strings.Contains(err.Error(), "still being served") {
			t.Errorf("the service stops with %v", err)
		}
		wait()
		leave()
		if n := s.Processes(); n != 0 {
			t.Errorf("%d processes outlive the %s", n, who)
		}
	}
	t.Logf("%d operations of %d paths", working.Load(), len(paths))
}

// The same for documents of jobs, by every operation: a job that is cancelled ends, and so does
// the service.
func TestLawOfJobs(t *testing.T) {
	in := sources(t, map[string]string{"hangs.xml": poisonedBy(t, poisonHangs)})
	s, stop := serve(t, func(c *server.Config) {
		c.Process = processThatIsDeaf
		c.BulkSources, c.BulkResults, c.BulkAtOnce, c.RequestTimeout = in, t.TempDir(), 20, 10*time.Minute
		c.WriteTimeout = 20 * time.Minute
		c.ShutdownTimeout = 5 * time.Second
	})
	for _, name := range bulk.Operations() {
		query := "source=in&operation=" + name
		if of := operation.Named(name); of != nil && len(of.To()) > 1 {
			query += "&to=" + of.To()[0]
		} else if name == "impact" {
			query += "&old=en16931&new=xrechnung"
		}
		var ids []string
		for range 2 {
			var job bulkJob
			s.do(t, s.request(t, http.MethodPost, "/v1/bulk?"+query, nil)).decode(t, &job)
			if job.ID == "" {
				t.Fatalf("no job began: %s", query)
			}
			ids = append(ids, job.ID)
		}
		eventually(t, name+" works", func() bool { return s.Buffered() > 0 })
		s.do(t, s.request(t, http.MethodDelete, "/v1/bulk/"+ids[0], nil))
		eventually(t, name+" is cancelled", func() bool {
			var job bulkJob
			s.get(t, "/v1/bulk/"+ids[0]).decode(t, &job)
			return job.State == "cancelled"
		})
	}
	if stop(); s.Buffered() != 0 {
		t.Errorf("%d bytes are kept", s.Buffered())
	}
}
