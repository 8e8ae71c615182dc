package server

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"time"

	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/parse/llm"
	"einvoice/formats/pdf"
	"einvoice/formats/xmlparse"
	"einvoice/server/webhook"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
	"einvoice/service/operation"
)

// Config is everything that can be set. Its zero values mean what they say: use
// DefaultConfig for a start.
type Config struct {
	Listen string // host:port
	// OperationListen is a second address, for /metrics and /health alone, which are then
	// not served on the first; "" for none.
	OperationListen string

	TLSCert, TLSKey string // files in PEM; "" for no TLS

	// Hosts are the names that requests may name in Host where there are no keys, beside
	// those of this machine; a proxy on this machine may pass on others.
	Hosts []string

	CORSOrigins []string // of pages that may call the service, such as https://erp.example, or *

	Tenants  string // file of tenants; "" for none
	KeysFile string // hashed keys; "" for one key made at start
	NoAuth   bool   // serve everyone, on a loopback address only

	VeraPDF string // the program that judges PDFs; "" for none

	OCR          string // the program that recognises text in pictures; "" for none
	OCRLanguages string // its names of languages, with plus signs between; "" for the usual ones

	Model llm.Config // the language model that parse asks; without a URL none

	Looks string // folder of looks of pages; "" for those of the program alone
	Fonts string // folder of fonts for characters that the program's own do not have; "" for none

	// BulkSources is a folder whose folders and archives jobs may be about, and BulkResults
	// one that has a folder of results for each job; "" for no jobs.
	BulkSources, BulkResults string
	BulkJobs                 int   // documents of jobs at a time
	BulkAtOnce               int   // jobs that run side by side
	BulkUpload               int64 // bytes of an archive that a request brings for a job; 0 for none
	// BulkFormats are those of results besides JSON Lines, which a program hands in.
	BulkFormats []bulk.Format

	// WebhookHosts are where ends of jobs may be told: names of hosts, addresses and ranges of
	// addresses. Private addresses are reached only where they are among them.
	WebhookHosts []string
	// WebhookSecret is a file with the secrets that messages are signed with, one a line.
	WebhookSecret string

	RulesetsDir     string        // laid over the built-in rulesets
	Archive         string        // folder of past invoices that drafts of rules are tried on; "" for none
	Overlays        []string      // names of those that apply where a request chooses none
	PublishKey      string        // file of the key that publications are signed with; "" for none
	PublishApproval bool          // what one key publishes waits for another key to approve it
	Mandatory       []string      // names of overlays that no request may leave out, unless its key says so
	ReloadInterval  time.Duration // how often rulesets, looks and keys are looked at

	MaxBody        int64         // bytes of one request body
	MaxParts       int           // parts of one multipart body
	MaxRequests    int           // requests with a body at a time
	MaxMemory      int64         // bytes that bodies, the work on them and answers take at a time, as estimated
	MaxValidations int           // places to work on documents
	ParsePages     int           // pages of one PDF that parse reads
	ParsePixels    int           // pixels of a picture of a page that parse reads
	QueueWait      time.Duration // how long a request waits for its turn
	LeastRate      int64         // bytes a second in which a body has to arrive and an answer to be taken
	KeyWork        float64       // processors that a key may keep busy, on average of a minute; 0 for no limit

	Rate  float64 // requests a second for each key; 0 for no limit
	Burst int     // requests that a key may make at once

	HeaderTimeout   time.Duration // for the head of a request
	ReadTimeout     time.Duration // for a whole request
	RequestTimeout  time.Duration // for one validation
	WriteTimeout    time.Duration // from the head of a request to the end of its answer
	IdleTimeout     time.Duration // between two requests of a connection
	DrainDelay      time.Duration // between "not ready" and the end of accepting
	ShutdownTimeout time.Duration // for requests in flight when the server stops

	// Process makes the command of a process that does work which may not hear of its end:
	// one that calls Work. Without it all work is done in this process.
	Process func() *exec.Cmd `json:"-"`

	Build Build // of the program, for metrics

	LogLevel      slog.Level
	TraceEndpoint string // OTLP over HTTP; "" for no traces
}

// A Build is what a program was built from, and with what.
type Build struct{ Version, Revision, GoVersion string }

// DefaultConfig serves on loopback with limits that suit invoices with
// attachments.
func DefaultConfig() Config {
	return Config{
		Listen:          "127.0.0.1:8080",
		ReloadInterval:  2 * time.Second,
		MaxBody:         32 << 20,
		MaxParts:        64,
		BulkJobs:        1,
		BulkAtOnce:      4,
		BulkUpload:      256 << 20,
		Model:           llm.DefaultConfig(),
		MaxRequests:     64,
		MaxMemory:       1 << 30,
		LeastRate:       8 << 10,
		KeyWork:         1,
		MaxValidations:  runtime.GOMAXPROCS(0),
		ParsePages:      parse.DefaultLimits().Pages,
		ParsePixels:     parse.DefaultLimits().Pixels,
		QueueWait:       time.Second,
		Rate:            100,
		Burst:           200,
		HeaderTimeout:   5 * time.Second,
		ReadTimeout:     30 * time.Second,
		RequestTimeout:  10 * time.Second,
		WriteTimeout:    60 * time.Second,
		IdleTimeout:     60 * time.Second,
		ShutdownTimeout: 30 * time.Second,
	}
}

// memoryPerBody is how many times the memory for a body there has to be: a key gets half
// of all memory, and the least that the work on a document takes is some times its size.
const memoryPerBody = 20

// Check finds settings that are out of range or contradict each other; all of
// them come back together.
func (c *Config) Check() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		fault("listen: %q is not of the form host:port", c.Listen)
	}
	if _, _, err := net.SplitHostPort(c.OperationListen); c.OperationListen != "" && err != nil {
		fault("operation-listen: %q is not of the form host:port", c.OperationListen)
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		fault("tls-cert and tls-key go together: give both or none")
	}
	if c.BulkSources != "" && c.BulkResults == "" {
		fault("bulk-sources needs bulk-results: give the folder for the results of jobs as well")
	}
	if c.BulkSources != "" && c.BulkResults != "" && (bulk.IsInside(c.BulkSources, c.BulkResults) || bulk.IsInside(c.BulkResults, c.BulkSources)) {
		fault("one of bulk-results and bulk-sources is inside the other, so that jobs would be about results: name another folder")
	}
	for _, f := range []struct{ name, folder string }{
		{"rulesets", c.RulesetsDir}, {"archive", c.Archive}, {"bulk-sources", c.BulkSources}, {"looks", c.Looks}, {"fonts", c.Fonts},
	} {
		if f.folder == "" {
			continue
		}
		if err := inputfile.Folder(f.folder); err != nil {
			fault("%s: %w; name one that is there", f.name, err)
		}
	}
	if info, err := os.Stat(c.BulkResults); c.BulkResults != "" && err == nil && !info.IsDir() { // it is made where it is missing
		fault("bulk-results: %s is a file, not a folder; name a folder for the results of jobs", c.BulkResults)
	}
	if (len(c.WebhookHosts) == 0) != (c.WebhookSecret == "") {
		fault("webhook-hosts and webhook-secret go together: give both or none")
	}
	if _, err := webhook.ParseHosts(c.WebhookHosts); err != nil {
		fault("webhook-hosts: %v", err)
	}
	if c.NoAuth && c.KeysFile != "" {
		fault("no-auth and keys contradict each other")
	}
	if c.NoAuth && c.Tenants != "" {
		fault("no-auth and tenants contradict each other: tenants are told apart by their keys")
	}
	if !c.NoAuth && c.Tenants != "" && c.KeysFile == "" { // the key made at start can belong to no tenant
		fault("tenants needs keys: give the file of keys that belong to the tenants")
	}
	if c.NoAuth && (c.PublishApproval || c.PublishKey != "") {
		fault("no-auth does not go with publish-approval and publish-key: rules are published, and approved, with keys that name a person")
	}
	if c.NoAuth && err == nil && !isLoopback(host) {
		fault("no-auth works on a loopback address only, such as 127.0.0.1:8080, and listen is %q", c.Listen)
	}
	for _, origin := range c.CORSOrigins {
		if u, err := url.Parse(origin); origin != "*" && (err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || u.RawQuery != "") {
			fault("cors-origins: %q is not an origin; write one as https://erp.example or https://erp.example:8443, or * for all", origin)
		}
	}
	for _, host := range c.Hosts {
		if net.ParseIP(host) == nil && !webhook.IsName(host) {
			fault("hosts: %q is not the name of a host; write one as erp.example, without https://, a port and a path", host)
		}
	}
	for _, p := range []struct {
		name  string
		value int64
	}{
		{"max-body", c.MaxBody}, {"max-parts", int64(c.MaxParts)}, {"parse-pages", int64(c.ParsePages)}, {"parse-pixels", int64(c.ParsePixels)}, {"max-requests", int64(c.MaxRequests)},
		{"max-memory", c.MaxMemory}, {"least-rate", c.LeastRate}, {"max-validations", int64(c.MaxValidations)}, {"bulk-jobs", int64(c.BulkJobs)}, {"bulk-at-once", int64(c.BulkAtOnce)},
		{"reload-interval", int64(c.ReloadInterval)}, {"header-timeout", int64(c.HeaderTimeout)},
		{"read-timeout", int64(c.ReadTimeout)}, {"request-timeout", int64(c.RequestTimeout)},
		{"write-timeout", int64(c.WriteTimeout)}, {"idle-timeout", int64(c.IdleTimeout)}, {"shutdown-timeout", int64(c.ShutdownTimeout)},
	} {
		if p.value <= 0 {
			fault("%s must be more than 0", p.name)
		}
	}
	if c.MaxBody > 0 && c.MaxBody < leastBody {
		fault("max-body (%d) is less than %d, which the server needs itself: it makes invoices of a sample to try the rules, and reads them", c.MaxBody, leastBody)
	}
	if c.QueueWait < 0 || c.DrainDelay < 0 {
		fault("queue-wait and drain-delay must not be negative")
	}
	if c.MaxMemory < memoryPerBody*c.MaxBody {
		fault("max-memory (%d) leaves no room for one body of max-body (%d) and the work on it: it must be %d times as much", c.MaxMemory, c.MaxBody, memoryPerBody)
	}
	for _, p := range []struct {
		name  string
		value float64
	}{{"key-work", c.KeyWork}, {"rate", c.Rate}} {
		if !(p.value >= 0) || math.IsInf(p.value, 1) { // NaN is neither less nor more
			fault("%s must be a number of 0 or more", p.name)
		}
	}
	if c.MaxRequests < c.MaxValidations {
		fault("max-validations (%d) cannot be reached with max-requests (%d)", c.MaxValidations, c.MaxRequests)
	}
	if c.Rate > 0 && c.Burst < 1 {
		fault("with a rate burst must be 1 or more")
	}
	if c.HeaderTimeout > c.ReadTimeout {
		fault("header-timeout (%s) is longer than read-timeout (%s), which includes it", c.HeaderTimeout, c.ReadTimeout)
	}
	if c.WriteTimeout < c.ReadTimeout+c.QueueWait+c.RequestTimeout {
		fault("write-timeout (%s) must cover read-timeout, queue-wait and request-timeout (%s)", c.WriteTimeout, c.ReadTimeout+c.QueueWait+c.RequestTimeout)
	}
	if u, err := url.Parse(c.TraceEndpoint); c.TraceEndpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		fault("trace-endpoint: %q is not an http or https address", c.TraceEndpoint)
	}
	return errors.Join(faults...)
}

// isLoopback asks for a literal address: what a name such as localhost resolves
// to may change.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// mostElements is less than the readers allow: a server shares its memory.
const mostElements = 1_000_000

// leastBody is enough for every document that the rules are tried on when they are loaded, of
// which a PDF with its pages is the largest.
const leastBody = 64 << 10

// What a PDF may decompress to: so many times the largest body, and so many times its own
// size beyond what every PDF may.
const (
	mostDecoded  = 4
	decodedRatio = 24
)

// serviceConfig is how the services of the books work.
func serviceConfig(c *Config) operation.Config {
	config := readOptions(c.MaxBody)
	config.Parse = parse.Limits{Pages: c.ParsePages, Pixels: c.ParsePixels}
	return config
}

// readOptions bound what reading a document may cost.
func readOptions(maxBody int64) operation.Config {
	return operation.Config{
		Read: formats.Options{Limits: xmlparse.Limits{Bytes: int(maxBody), Elements: mostElements}},
		PDF:  pdf.Limits{Bytes: int(maxBody), Decoded: mostDecoded * int(maxBody), Ratio: decodedRatio},
	}
}
