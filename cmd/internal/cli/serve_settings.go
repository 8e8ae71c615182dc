package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"einvoice/server"

	"github.com/spf13/pflag"
)

// environmentPrefix begins every environment variable that is a setting.
const environmentPrefix = "EINVOICE_"

// serveFlags are the settings of the service, in the order in which the
// documentation has them.
func serveFlags(f *pflag.FlagSet, c *server.Config) {
	f.SortFlags = false
	f.StringVar(&c.Listen, "listen", c.Listen, "`address` to listen on")
	f.StringVar(&c.OperationListen, "operation-listen", c.OperationListen, "second `address`, for /metrics and /health alone, which the first then does not serve")
	f.StringVar(&c.TLSCert, "tls-cert", c.TLSCert, "`file` of the certificate for TLS, in PEM, read again when it changes; without it HTTP")
	f.StringVar(&c.TLSKey, "tls-key", c.TLSKey, "`file` of its private key, in PEM")
	f.StringVar(&c.KeysFile, "keys", c.KeysFile, "`file` of API keys (einvoice keys); without it one key is made at start and printed")
	f.StringVar(&c.Tenants, "tenants", c.Tenants, "`file` of tenants (YAML): the keys, overlays, sources and jobs of each, and how long results stay; read again when it changes")
	f.BoolVar(&c.NoAuth, "no-auth", c.NoAuth, "serve everyone without a key, on a loopback address only")
	f.Var((*nameList)(&c.Hosts), "hosts", "`names` of hosts that requests may be for without keys, beside those of this machine, comma-separated: where a proxy passes them on")
	f.StringVar(&c.VeraPDF, "verapdf", c.VeraPDF, "veraPDF's `program`, to check the PDFs of /v1/validate; without it only our own rules check them")
	f.StringVar(&c.RulesetsDir, "rulesets", c.RulesetsDir, "`folder` of rulesets that replace or extend the built-in ones, loaded again when it changes")
	f.StringVar(&c.Archive, "archive", c.Archive, "`folder` of past invoices (XML, PDF) that the page /app tries drafts of rules on; with all folders inside")
	f.StringVar(&c.BulkSources, "bulk-sources", c.BulkSources, "`folder` whose folders and archives jobs of /v1/bulk may be about; without it they are about archives that requests bring")
	f.StringVar(&c.BulkResults, "bulk-results", c.BulkResults, "`folder` of the results of jobs, one below it for each; without it there are no jobs")
	f.Var((*byteSize)(&c.BulkUpload), "bulk-upload", "largest archive that a request may bring for a job, 0 for none; a compressed TAR may unpack to 32 times its size, and to 64MiB in any case")
	countVar(f, &c.BulkJobs, "bulk-jobs", "documents of jobs at a time, of all jobs together, beside the requests; keys have equal shares")
	countVar(f, &c.BulkAtOnce, "bulk-at-once", "jobs that run side by side; further ones wait, and of these the first of the key that has the fewest running")
	f.Var((*nameList)(&c.WebhookHosts), "webhook-hosts", "`hosts` that the ends of jobs may be told to (webhook of /v1/bulk), comma-separated; private addresses only where they, or a range such as 10.1.0.0/16, are listed")
	f.StringVar(&c.WebhookSecret, "webhook-secret", c.WebhookSecret, "`file` with the secret that webhooks are signed with, whsec_ and Base64; of several lines, all sign")
	f.StringVar(&c.Looks, "looks", c.Looks, "`folder` of looks of pages: each file NAME.yaml in it is the look NAME")
	f.StringVar(&c.Fonts, "fonts", c.Fonts, "`folder` of fonts for characters that the program's own fonts do not have, and for fonts that PDFs to embed in name and lack")
	f.Var((*nameList)(&c.CORSOrigins), "cors-origins", "`origins` of web pages that may call the service, such as https://erp.example, comma-separated; * for all")
	f.Var((*nameList)(&c.Overlays), "overlay", "`names` of overlays among the rulesets that apply to validations whose request chooses none, comma-separated")
	f.StringVar(&c.PublishKey, "publish-key", c.PublishKey, "`file` of the private key (Ed25519, PEM) that publications of rules are signed with; without it they are not")
	f.BoolVar(&c.PublishApproval, "publish-approval", c.PublishApproval, "what a key publishes or takes back comes into force when another key approves it")
	f.Var((*nameList)(&c.Mandatory), "mandatory-overlay", "`names` of overlays among the rulesets that apply to every validation, whichever a request chooses, comma-separated; a key may say which it may leave out")
	spanVar(f, &c.ReloadInterval, "reload-interval", "how often rulesets, looks and keys are looked at for changes")
	f.Var((*byteSize)(&c.MaxBody), "max-body", "largest request body, at least 64KiB")
	countVar(f, &c.MaxParts, "max-parts", "most parts of a form")
	countVar(f, &c.MaxRequests, "max-requests", "most uploads at a time, of one key at most half; beyond it 503")
	f.Var((*byteSize)(&c.MaxMemory), "max-memory", "most memory for bodies, the work on them as estimated and answers at a time, for one key at most half; beyond it 503")
	countVar(f, &c.MaxValidations, "max-validations", "places to work on documents; the default is the number of processors")
	f.StringVar(&c.OCR, "ocr", c.OCR, "`program` (Tesseract) that recognises text in pictures for /v1/parse/json; without it pictures are refused")
	f.StringVar(&c.OCRLanguages, "ocr-languages", c.OCRLanguages, "Tesseract's names of languages, with plus signs between; without it those of eng, deu and fra that are there")
	countVar(f, &c.ParsePages, "parse-pages", "most pages of a PDF that /v1/parse/json reads")
	countVar(f, &c.ParsePixels, "parse-pixels", "most pixels of a picture of a page that /v1/parse/json reads")
	modelFlags(f, &c.Model)
	waitVar(f, &c.QueueWait, "queue-wait", "longest wait for a place to work, after which the answer is 503; a request whose turn by the rate of its key would come later gets 429 at once")
	f.Var((*byteSize)(&c.LeastRate), "least-rate", "bytes a second in which bodies have to arrive and answers to be taken, after some seconds of grace")
	amountVar(f, &c.KeyWork, "key-work", "processors that a key may keep busy, on average of a minute; beyond it 429; 0 for no limit")
	amountVar(f, &c.Rate, "rate", "requests a second for each key; beyond it a request waits for its turn, or gets 429 at once if the turn would come later than queue-wait; 0 for no limit")
	wholeVar(f, &c.Burst, "burst", "requests that a key may make at once")
	spanVar(f, &c.HeaderTimeout, "header-timeout", "longest wait for the head of a request")
	spanVar(f, &c.ReadTimeout, "read-timeout", "longest wait for a whole request; six hours for the archive of a job")
	spanVar(f, &c.RequestTimeout, "request-timeout", "longest time for the work on a document, such as its validation")
	spanVar(f, &c.WriteTimeout, "write-timeout", "longest time from the head of a request to the end of its answer; large answers may take as long as least-rate allows")
	spanVar(f, &c.IdleTimeout, "idle-timeout", "longest wait for the next request of a connection")
	waitVar(f, &c.DrainDelay, "drain-delay", "time between \"not ready\" and the end of accepting, for balancers to notice")
	spanVar(f, &c.ShutdownTimeout, "shutdown-timeout", "longest wait for requests in flight when stopping")
	f.Var((*logLevel)(&c.LogLevel), "log-level", "debug, info, warn or error")
	f.StringVar(&c.TraceEndpoint, "trace-endpoint", c.TraceEndpoint, "`URL` that takes OpenTelemetry traces (OTLP over HTTP), such as http://collector:4318/v1/traces")
}

func environmentName(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment sets what no flag sets. A variable of our prefix that is not a
// setting is an error: a misspelt limit must not pass for one.
func fromEnvironment(f *pflag.FlagSet, environ []string) error {
	given := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok && strings.HasPrefix(name, environmentPrefix) {
			given[name] = value
		}
	}
	var faults []error
	f.VisitAll(func(flag *pflag.Flag) {
		if !isSetting(flag) {
			return
		}
		name := environmentName(flag.Name)
		value, ok := given[name]
		delete(given, name)
		if !ok || flag.Changed {
			return
		}
		if err := flag.Value.Set(value); err != nil {
			faults = append(faults, fmt.Errorf("%s=%q: %w", name, value, plainValueError(flag, err)))
			return
		}
		flag.Annotations = map[string][]string{"from": {name}}
	})
	for _, name := range slices.Sorted(maps.Keys(given)) {
		faults = append(faults, fmt.Errorf("%s is not a setting; `einvoice serve --print-config` lists them", name))
	}
	return errors.Join(faults...)
}

// isSetting tells settings from flags that say what to do.
func isSetting(flag *pflag.Flag) bool { return flag.Name != "print-config" && flag.Name != "help" }

// printConfig lists every setting. Keys are not among them, only their file.
func printConfig(w io.Writer, f *pflag.FlagSet) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	f.VisitAll(func(flag *pflag.Flag) {
		if !isSetting(flag) {
			return
		}
		from := "default"
		if flag.Changed {
			from = "--" + flag.Name
		} else if name := flag.Annotations["from"]; name != nil {
			from = name[0]
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", flag.Name, flag.Value, from)
	})
	return table.Flush()
}

// A nameList is names with commas between them.
type nameList []string

// Set reads the names, in place of those before.
func (l *nameList) Set(text string) error {
	*l = nil
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*l = append(*l, name)
		}
	}
	return nil
}

// String writes the names as they are read.
func (l *nameList) String() string { return strings.Join(*l, ",") }

// Type is what the value is called in help texts.
func (l *nameList) Type() string { return "names" }

// A byteSize is a number of bytes, as 1048576, 1MiB or 1MB.
type byteSize int64

var byteUnits = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}

// Set reads a size.
func (b *byteSize) Set(text string) error {
	for _, u := range byteUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/u.bytes {
			break
		}
		*b = byteSize(n * u.bytes)
		return nil
	}
	return errors.New("is not a size such as 500000, 32MiB or 32MB")
}

// String writes a size in its largest whole unit.
func (b *byteSize) String() string {
	for _, u := range byteUnits[:3] {
		if n := int64(*b) / u.bytes; n > 0 && n < 1024 && n*u.bytes == int64(*b) {
			return strconv.FormatInt(n, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Type names the kind of value in the help.
func (b *byteSize) Type() string { return "size" }

// A logLevel is a level of slog.
type logLevel slog.Level

// Set reads a level.
func (l *logLevel) Set(text string) error {
	if (*slog.Level)(l).UnmarshalText([]byte(text)) != nil {
		return errors.New("write debug, info, warn or error")
	}
	return nil
}

// String writes a level.
func (l *logLevel) String() string { return strings.ToLower(slog.Level(*l).String()) }

// Type names the kind of value in the help.
func (l *logLevel) Type() string { return "level" }
