package cli

import (
	"net/http"
	"time"

	"einvoice/server"
	"einvoice/service/bulk"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func metricsFlag(f *pflag.FlagSet, metrics *string) {
	f.Var((*address)(metrics), "metrics", "`address` (host:port) to serve /metrics on while the job runs")
}

// bulkMetrics serves metrics of a coordinator or worker, where an address is given.
func bulkMetrics(cmd *cobra.Command, address string, running *bulk.Running) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	return serveMetrics(cmd, address, newBulkMetrics(running))
}

// serveMetrics serves metrics until stop.
func serveMetrics(cmd *cobra.Command, address string, registry *prometheus.Registry) (stop func(), err error) {
	listener, err := server.Listen(cmd.Context(), "--metrics", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	hs := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute}
	go func() { _ = hs.Serve(listener) }() // ends when it is closed
	return func() { _ = hs.Close() }, nil
}

// newBulkMetrics has running count into metrics. Labels are from a closed set.
func newBulkMetrics(running *bulk.Running) *prometheus.Registry {
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "einvoice", Subsystem: "bulk", Name: name, Help: help}
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "einvoice", Subsystem: "bulk", Name: name, Help: help})
	}
	documents := prometheus.NewCounterVec(counter("documents_total", "Documents that this process has done, by verdict."), []string{"verdict"})
	segments := prometheus.NewCounter(counter("segments_total", "Segments that this process has written."))
	seconds := prometheus.NewCounter(counter("document_seconds_total", "Time of the documents that this process has done, together."))
	taken := prometheus.NewCounter(counter("taken_total", "Results that were taken from documents with the same bytes."))
	givenUp := prometheus.NewCounter(counter("given_up_total", "Documents that were given up because they end whatever works on them."))
	all := gauge("manifest_documents", "Documents of the manifest, as the coordinator knows it.")
	done := gauge("manifest_documents_done", "Documents of the manifest that are done, whoever did them, as the coordinator knows it.")
	for _, v := range []bulk.Verdict{bulk.Valid, bulk.Invalid, bulk.Unreadable} {
		documents.WithLabelValues(string(v))
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(documents, segments, seconds, taken, givenUp, all, done, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	running.Wrote = func(c *bulk.Counts) {
		segments.Inc()
		documents.WithLabelValues(string(bulk.Valid)).Add(float64(c.Valid))
		documents.WithLabelValues(string(bulk.Invalid)).Add(float64(c.Invalid))
		documents.WithLabelValues(string(bulk.Unreadable)).Add(float64(c.Unreadable))
		seconds.Add((time.Duration(c.Microseconds) * time.Microsecond).Seconds())
		taken.Add(float64(c.Taken))
		givenUp.Add(float64(len(c.GivenUp)))
	}
	tell := running.Tell
	running.Tell = func(p bulk.Progress) {
		all.Set(float64(p.All))
		done.Set(float64(p.Done))
		if tell != nil {
			tell(p)
		}
	}
	return registry
}
