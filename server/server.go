package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"einvoice/formats/parse/llm"
	"einvoice/formats/parse/ocr"
	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/formats/pdf/verapdf"
	"einvoice/server/admission"
	"einvoice/server/confine"
	"einvoice/server/docs"
	"einvoice/server/jobs"
	"einvoice/server/keys"
	"einvoice/server/publishing"
	"einvoice/server/tenants"
	"einvoice/server/webhook"
	"einvoice/service/render"

	"github.com/julienschmidt/httprouter"
	"github.com/rs/cors"
	"golang.org/x/time/rate"
)

// Version is that of the interface, as the OpenAPI document states it.
const Version = "1.0.0"

// A Server is the HTTP API. It is an http.Handler.
type Server struct {
	config      Config
	log         *slog.Logger
	router      *httprouter.Router
	unguarded   bool                        // there are no keys
	origins     *http.CrossOriginProtection // for a server without keys
	cors        *cors.Cors                  // nil where no page of another origin may call
	operation   *httprouter.Router          // of the second address; nil without one
	certificate *certificate
	keys        *keys.Ring
	tenants     *tenants.Book
	uploads     chan struct{} // a place for each archive that arrives
	anonymous   *rate.Limiter // of everyone, without authentication
	rules       *publishing.Shelf
	admission   *admission.Gate
	substitutes *archive.Fonts // for fonts that PDFs name and do not have; nil for none
	pool        *confine.Pool  // nil where all work is done in this process
	memory      *memoryShare   // nil with it
	idle        *time.Timer    // of a process that waits for its next call; nil in the service
	strangers   *keys.Strangers
	metrics     *metrics
	bulk        *jobs.Jobs // nil where no jobs are served
	job         *jobOperation
	hooks       *webhook.Sender // nil where ends of jobs are told to nobody
	examples    docs.Examples
	secret      string // the key made at start, if there is no key file
	stopping    atomic.Bool
	gaveBack    atomic.Int64 // when memory was last given back, in nanoseconds
}

// New reads the keys and compiles the rulesets. What is wrong with either, or
// with the settings, stops the start.
func New(config Config, log *slog.Logger) (*Server, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	s := &Server{
		config: config, log: log, tenants: tenants.NewBook(config.Tenants), keys: keys.NewRing(config.KeysFile, config.Rate, config.Burst), anonymous: keys.NewLimiter(config.Rate, config.Burst),
		admission: newGate(&config), strangers: keys.NewStrangers(),
	}
	s.certificate = &certificate{certFile: config.TLSCert, keyFile: config.TLSKey}
	if _, err := s.certificate.refresh(true); err != nil {
		return nil, err
	}
	if err := s.firstKeys(); err != nil {
		return nil, err
	}
	if err := s.openService(); err != nil {
		return nil, err
	}
	if _, err := s.rules.Refresh(context.Background(), true); err != nil {
		return nil, fmt.Errorf("the rulesets do not load:\n%w", err)
	}
	if s.rules.Current() == nil {
		return nil, errors.New("the rulesets changed while they were read; start again when they are at rest")
	}
	if err := s.tenants.Missing(s.rules.Current().Overlays); err != nil {
		return nil, err
	}
	if config.Process != nil {
		s.memory = newMemoryShare()
		s.pool = s.newPool(mostProcesses*s.config.MaxValidations, s.rules.Current)
		if looks := s.rules.Config.Looks; looks != nil {
			looks.Try = s.tryLooks
		}
	}
	s.metrics = newMetrics(s) // before jobs, which may have messages to send at once
	if config.BulkResults != "" {
		s.uploads = make(chan struct{}, mostUploads)
		if err := s.openHooks(); err != nil {
			return nil, err
		}
		s.bulk = jobs.New(jobs.Settings{
			Sources: config.BulkSources, Results: config.BulkResults, Jobs: config.BulkJobs, AtOnce: config.BulkAtOnce, Limit: config.MaxBody,
			Reading: config.reading(),
			Time:    timesInJobs * config.RequestTimeout, Processes: s.processesOfJobs(),
			Keep: s.keepDays,
		}, s.rules, s.hooks, log)
	}
	s.warnOfTenants()
	s.cors = newCORS(config.CORSOrigins)
	s.unguarded, s.origins = config.NoAuth, newOrigins(config.CORSOrigins)
	if config.OperationListen == "" {
		s.router = s.routes(func(string) bool { return true })
	} else {
		s.router, s.operation = s.routes(func(path string) bool { return !isOperation(path) }), s.routes(isOperation)
	}
	return s, nil
}

// webhooksFolder has messages about ends of jobs, beside the folders of jobs.
const webhooksFolder = "webhooks"

// openHooks finds who may be told of the ends of jobs.
func (s *Server) openHooks() (err error) {
	if len(s.config.WebhookHosts) == 0 {
		return nil
	}
	s.hooks, err = webhook.New(filepath.Join(s.config.BulkResults, webhooksFolder), s.config.WebhookHosts, s.config.WebhookSecret, s.log)
	if err == nil {
		s.hooks.Count = func(outcome string) { s.metrics.webhooks.WithLabelValues(outcome).Inc() }
	}
	return err
}

// timesInJobs is how much longer than over HTTP a document may take in a job: nobody waits for it.
const timesInJobs = 6

// newGate makes the gate of the settings.
func newGate(c *Config) *admission.Gate {
	return admission.New(admission.Limits{
		MaxRequests: c.MaxRequests, MaxValidations: c.MaxValidations, MaxMemory: c.MaxMemory, QueueWait: c.QueueWait, KeyWork: c.KeyWork,
	})
}

// openService finds what the services of all books use.
func (s *Server) openService() error {
	s.rules = &publishing.Shelf{Dir: s.config.RulesetsDir, Usual: s.config.Overlays, Mandatory: s.config.Mandatory, Approval: s.config.PublishApproval, Config: serviceConfig(&s.config), Archive: folder(s.config.Archive)}
	if s.config.PublishKey != "" {
		var err error
		if s.rules.Signs, err = publishing.ReadPrivateKey(s.config.PublishKey); err != nil {
			return err
		}
	}
	if s.config.VeraPDF != "" {
		var err error
		if s.rules.Config.VeraPDF, err = verapdf.Find(s.config.VeraPDF); err != nil {
			return err
		}
	}
	if s.config.Looks != "" {
		looks, err := render.ReadLooks(s.config.Looks)
		if err != nil {
			return err
		}
		s.rules.Config.Looks = looks
	}
	if s.config.Fonts != "" {
		s.rules.Config.Fonts = typeset.NewFonts(s.config.Fonts)
		s.substitutes = archive.NewFonts(s.config.Fonts)
	}
	if s.config.OCR != "" {
		program, err := ocr.Choose(context.Background(), s.config.OCR, s.config.OCRLanguages)
		if err != nil {
			return err
		}
		if program != nil {
			s.rules.Config.OCR = program
		}
	}
	model, err := llm.New(s.config.Model)
	if err != nil {
		return err
	}
	if model != nil {
		s.rules.Config.Model = leavingAsker{model}
	}
	return nil
}

// folder is a folder of files; nil without a name.
func folder(name string) fs.FS {
	if name == "" {
		return nil
	}
	return os.DirFS(name)
}

func (s *Server) firstKeys() error {
	switch {
	case s.config.NoAuth:
		return nil
	case s.config.KeysFile != "":
		_, err := s.keys.Refresh(true)
		if err == nil {
			_, err = s.tenants.Refresh(true)
		}
		s.warnOfKeyFile()
		return err
	}
	secret, key, err := keys.New("made at start", time.Now())
	if err != nil {
		return err
	}
	s.secret = secret
	s.keys.Use([]keys.Key{key})
	return nil
}

// keepDays is how long results of the jobs of an owner stay; 0 for ever.
func (s *Server) keepDays(owner string) int {
	if t := s.tenants.Of(owner); t != nil {
		return int(t.KeepDays)
	}
	return 0
}

func (s *Server) warnOfKeyFile() {
	if keys.IsOpen(s.config.KeysFile) {
		s.log.Warn("others can read or write the key file; chmod 600 it", "file", s.config.KeysFile)
	}
}

// Config is what the server runs with.
func (s *Server) Config() Config { return s.config }

// StartKey is the key that was made because there is no key file; "" if there
// is one. It is for showing once, never for a log.
func (s *Server) StartKey() string { return s.secret }

// Serve answers requests until ctx ends; then it says "not ready", waits for
// DrainDelay so that balancers notice, and lets requests in flight finish.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	handler, flush, err := s.traced()
	if err != nil {
		return err
	}
	hs := s.httpServer(handler)
	stopOperation, err := s.serveOperation(ctx)
	if err != nil {
		return err
	}
	defer stopOperation()
	accepting := listener
	if s.config.TLSCert != "" {
		accepting = tls.NewListener(listener, s.certificate.config())
	}
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	go s.watch(watching)
	if s.bulk != nil {
		s.bulk.Resume()
	}
	failed := make(chan error, 1)
	go func() { failed <- hs.Serve(framedListener{accepting}) }()
	s.log.Info("serving", "address", listener.Addr().String(), "rulesets", s.versions())
	select {
	case err := <-failed:
		s.Close()
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	if s.bulk != nil {
		s.bulk.Stop() // no further documents, while requests end
	}
	s.log.Info("stopping", "drainDelay", s.config.DrainDelay.String())
	time.Sleep(s.config.DrainDelay)
	limit, cancel := context.WithTimeout(context.Background(), s.config.ShutdownTimeout)
	defer cancel()
	err = hs.Shutdown(limit)
	if err != nil {
		err = fmt.Errorf("requests were still being served after %s: %w", s.config.ShutdownTimeout, errors.Join(err, hs.Close()))
	}
	s.end(limit)
	s.log.Info("stopped")
	return errors.Join(err, flush(limit))
}

// Close stops the jobs of a server that answers without Serve, and waits for the documents in
// hand, up to the shutdown timeout. A job goes on with the next server over the same folder.
func (s *Server) Close() {
	limit, cancel := context.WithTimeout(context.Background(), s.config.ShutdownTimeout)
	defer cancel()
	s.end(limit)
}

func (s *Server) end(limit context.Context) {
	s.bulk.End(limit)
	if s.pool != nil {
		s.pool.Close()
	}
}

// reloadTimeout bounds trying edited rulesets.
const reloadTimeout = time.Minute

// watch looks for edited rulesets, looks and keys.
func (s *Server) watch(ctx context.Context) {
	ticker := time.NewTicker(s.config.ReloadInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			limited, cancel := context.WithTimeout(ctx, reloadTimeout)
			s.refresh(limited, false)
			cancel()
		}
	}
}

// Reload reads keys, looks and rulesets again now, whether or not they seem to have
// changed. What cannot be loaded is reported and changes nothing.
func (s *Server) Reload(ctx context.Context) { s.refresh(ctx, true) }

func (s *Server) refresh(ctx context.Context, force bool) {
	newTenants, err := s.tenants.Refresh(force)
	switch {
	case err != nil && newTenants:
		s.log.Error("tenants not reloaded; those in force stay", "error", err.Error())
	case newTenants:
		s.log.Info("tenants reloaded")
	}
	newTenants = newTenants && err == nil
	newKeys := s.refreshKeys(force)
	newRules := s.refreshRest(ctx, force)
	if newTenants || newRules {
		if err := s.tenants.Missing(s.rules.Current().Overlays); err != nil {
			s.log.Error("requests of a tenant are refused", "error", err.Error())
		}
	}
	if newTenants || newRules || newKeys {
		s.warnOfTenants()
	}
}

// warnOfTenants logs keys and sources of tenants that are not there. They may come later, so the server starts anyway.
func (s *Server) warnOfTenants() {
	if s.config.Tenants == "" { // without tenants there may be no keys either
		return
	}
	if unknown := s.tenants.UnknownKeys(s.keys.IDs()); len(unknown) > 0 {
		s.log.Warn("keys of tenants are not in the file of keys", "keys", unknown)
	}
	var sources []string
	if s.bulk != nil {
		var err error
		if sources, err = s.bulk.Sources(); err != nil {
			return // requests for sources say so
		}
	}
	if unknown := s.tenants.UnknownSources(sources); len(unknown) > 0 {
		s.log.Warn("sources of tenants are not in the folder of bulk-sources", "sources", unknown)
	}
}

// refreshKeys reads the keys again, and reports whether they are new.
func (s *Server) refreshKeys(force bool) bool {
	changed, err := s.keys.Refresh(force)
	if !changed {
		return false
	}
	s.warnOfKeyFile()
	if err != nil {
		s.log.Error("keys not reloaded; those in force stay", "error", err.Error())
		return false
	}
	s.log.Info("keys reloaded", "keys", s.keys.Count())
	return true
}

// refreshRest reads all but the tenants and the keys again, and reports whether the rulesets are new.
func (s *Server) refreshRest(ctx context.Context, force bool) bool {
	if changed, err := s.certificate.refresh(force); err != nil && changed {
		s.log.Error("certificate not reloaded; that in force stays", "error", err.Error())
	} else if err == nil && changed {
		s.log.Info("certificate reloaded")
	}
	s.refreshLooks(force)
	tried, err := s.rules.Refresh(ctx, force)
	if !tried {
		return false
	}
	s.metrics.reloaded(err)
	if err != nil {
		s.log.Error("rulesets not reloaded; those in force stay", "error", err.Error())
		return false
	}
	if s.pool != nil {
		s.pool.Retire()
	}
	s.log.Info("rulesets reloaded", "rulesets", s.versions())
	return true
}

func (s *Server) refreshLooks(force bool) {
	switch tried, err := s.rules.Config.Looks.Refresh(force); {
	case tried && err != nil:
		s.log.Error("looks not reloaded; those in force stay", "error", err.Error())
	case tried:
		if s.pool != nil {
			s.pool.Retire()
		}
		s.log.Info("looks reloaded")
	}
}

func (s *Server) versions() string {
	names := []string{}
	for _, set := range s.rules.Current().Newest {
		names = append(names, set.Name+" "+set.Version+" "+set.SHA256[:12])
	}
	return strings.Join(names, ", ")
}
