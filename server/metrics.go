package server

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"einvoice/engine"
	"einvoice/service/catalogue"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics shows. Every label is from a closed set (routes,
// statuses, codes, rules), so that no client can make them grow.
type metrics struct {
	handler http.Handler

	inFlight    prometheus.Gauge
	requests    *prometheus.CounterVec
	durations   *prometheus.HistogramVec
	problems    *prometheus.CounterVec
	validations *prometheus.CounterVec
	documents   *prometheus.CounterVec
	byRuleset   *prometheus.CounterVec
	fired       *prometheus.CounterVec
	reloads     *prometheus.CounterVec
	wrongKeys   prometheus.Counter
	byKey       *prometheus.CounterVec
	overdue     *prometheus.CounterVec
	webhooks    *prometheus.CounterVec
}

func newMetrics(s *Server) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "einvoice", Name: name, Help: help}, labels)
	}
	m := &metrics{
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "einvoice", Name: "http_requests_in_flight", Help: "Requests that are being answered."}),
		requests: counter("http_requests_total", "Requests by route template, method and status.", "route", "method", "status"),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "einvoice", Name: "http_request_duration_seconds", Help: "Time from the head of a request to the end of its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route"}),
		problems:    counter("http_problems_total", "Errors by errorCode.", "error_code"),
		byKey:       counter("key_requests_total", "Requests by the name of their key and status.", "key", "status"),
		validations: counter("validations_total", "Validations by format and outcome.", "format", "outcome"),
		documents:   counter("documents_total", "Documents of all operations but validate and bulk, by operation, format and outcome.", "operation", "format", "outcome"),
		byRuleset:   counter("ruleset_validations_total", "Validations by the rulesets that they ran.", "ruleset", "version"),
		fired:       counter("rule_fired_total", "Documents in which a rule fired, by level.", "rule", "level"),
		wrongKeys:   prometheus.NewCounter(prometheus.CounterOpts{Namespace: "einvoice", Name: "wrong_keys_total", Help: "Requests with a key that is unknown or was revoked."}),
		overdue:     counter("overdue_total", "Works that did not stop within a second of their deadline, by route.", "route"),
		webhooks:    counter("webhooks_total", "Attempts to tell the end of a job, by outcome.", "outcome"),
		reloads:     counter("ruleset_reloads_total", "Attempts to load changed rulesets.", "outcome"),
	}
	for _, outcome := range []string{"ok", "failed"} { // there from the start, so that an alert sees the first failure
		m.reloads.WithLabelValues(outcome)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.inFlight, m.requests, m.durations, m.problems, m.validations, m.documents, m.byRuleset, m.fired, m.reloads, m.wrongKeys, m.byKey, m.overdue, m.webhooks,
		&stateCollector{s}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true}) // send compresses
	return m
}

func (s *Server) getMetrics(x *exchange) error {
	page := &metricsPage{exchange: x, status: http.StatusOK}
	s.metrics.handler.ServeHTTP(page, x.request)
	return x.send(page.status, x.Header().Get("Content-Type"), page.body.Bytes())
}

// A metricsPage takes what the library writes, so that it is sent and compressed as every other answer.
type metricsPage struct {
	*exchange
	status int
	body   bytes.Buffer
}

// WriteHeader notes the status.
func (p *metricsPage) WriteHeader(status int) { p.status = status }

// Write keeps the bytes.
func (p *metricsPage) Write(data []byte) (int, error) { return p.body.Write(data) }

// methods are those that have a label of their own.
var methods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "OPTIONS": true}

func (m *metrics) request(x *exchange, took time.Duration) {
	method := x.request.Method
	if !methods[method] {
		method = "other"
	}
	m.requests.WithLabelValues(x.route, method, strconv.Itoa(x.status)).Inc()
	m.durations.WithLabelValues(x.route).Observe(took.Seconds())
	if x.keyName != "" {
		m.byKey.WithLabelValues(x.keyName, strconv.Itoa(x.status)).Inc()
	}
	if x.stranger {
		m.wrongKeys.Inc()
	}
	for _, c := range x.counted {
		m.count(c)
	}
	if x.errorCode != "" {
		m.problems.WithLabelValues(x.errorCode).Inc()
	}
}

// A counted is what one document adds to the metrics. Work in another process hands it over.
type counted struct {
	// Format and Outcome are those of a validation, or of an operation that made a document.
	Operation, Format, Outcome string
	Rulesets                   [][2]string // name and version of those that ran
	Fired                      [][2]string // rule and level of what fired, each once
}

// count adds to the metrics.
func (m *metrics) count(c counted) {
	if c.Operation == "" {
		m.validations.WithLabelValues(c.Format, c.Outcome).Inc()
	} else {
		m.documents.WithLabelValues(c.Operation, c.Format, c.Outcome).Inc()
	}
	for _, set := range c.Rulesets {
		m.byRuleset.WithLabelValues(set[0], set[1]).Inc()
	}
	for _, f := range c.Fired {
		m.fired.WithLabelValues(f[0], f[1]).Inc()
	}
}

func (x *exchange) validated(format *catalogue.Format, report *engine.Report) {
	outcome := "valid"
	if !report.Valid {
		outcome = "invalid"
	}
	x.counted = append(x.counted, counted{Format: format.Name, Outcome: outcome}.with(report))
}

// made counts an attempt to make a document.
func (x *exchange) made(operation, format string, report *engine.Report, ok bool) {
	outcome := "made"
	if !ok {
		outcome = "refused"
	}
	x.counted = append(x.counted, counted{Operation: operation, Format: format, Outcome: outcome}.with(report))
}

// with counts the rulesets that ran on a document and the rules that fired.
func (c counted) with(report *engine.Report) counted {
	if report == nil {
		return c
	}
	for _, set := range report.Rulesets {
		c.Rulesets = append(c.Rulesets, [2]string{set.Name, set.Version})
	}
	seen := map[[2]string]bool{}
	for i := range report.Findings {
		f := [2]string{report.Findings[i].Rule, string(report.Findings[i].Level)}
		if !seen[f] {
			seen[f] = true
			c.Fired = append(c.Fired, f)
		}
	}
	return c
}

func (m *metrics) reloaded(err error) {
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	m.reloads.WithLabelValues(outcome).Inc()
}

// A stateCollector shows what is in force at the moment of asking.
type stateCollector struct{ server *Server }

var (
	buildInfo   = prometheus.NewDesc("einvoice_build_info", "The program; always 1.", []string{"version", "revision", "goversion"}, nil)
	rulesetInfo = prometheus.NewDesc("einvoice_ruleset_info", "A ruleset in force; always 1.", []string{"ruleset", "version", "sha256"}, nil)
	loadedTime  = prometheus.NewDesc("einvoice_rulesets_loaded_timestamp_seconds", "When the rulesets in force were loaded.", nil, nil)
	reloadOK    = prometheus.NewDesc("einvoice_rulesets_current", "1 when the rulesets in force are those of the folder, 0 after a broken edit.", nil, nil)
	keysOK      = prometheus.NewDesc("einvoice_keys_current", "1 when the keys in force are those of the file, 0 when it cannot be read.", nil, nil)
	reserved    = prometheus.NewDesc("einvoice_reserved_bytes", "Memory that is set aside for requests: bodies, the work on them, answers.", nil, nil)
	bulkJobs    = prometheus.NewDesc("einvoice_bulk_jobs", "Bulk jobs that run, and that wait for their turn.", []string{"state"}, nil)
)

// Describe lists the descriptions.
func (c *stateCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{buildInfo, rulesetInfo, loadedTime, reloadOK, keysOK, reserved, bulkJobs} {
		out <- d
	}
}

// Collect reads the state.
func (c *stateCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	build := c.server.config.Build
	gauge(buildInfo, 1, build.Version, build.Revision, build.GoVersion)
	book := c.server.rules.Current()
	for _, set := range book.Sets {
		gauge(rulesetInfo, 1, set.Name, set.Version, set.SHA256)
	}
	gauge(loadedTime, float64(book.Loaded.Unix()))
	gauge(reloadOK, one(c.server.rules.Fault() == nil))
	gauge(keysOK, one(c.server.keys.Fault() == nil))
	gauge(reserved, float64(c.server.admission.Taken()))
	if c.server.bulk != nil {
		running, waiting := c.server.bulk.Counts()
		gauge(bulkJobs, float64(running), "running")
		gauge(bulkJobs, float64(waiting), "waiting")
	}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
