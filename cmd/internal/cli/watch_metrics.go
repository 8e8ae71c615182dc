package cli

import (
	"sync"

	"einvoice/service/bulk"
	"einvoice/service/watch"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/cobra"
)

// mostSuppliers bounds the labels of suppliers; documents of further ones count as of others.
const mostSuppliers = 500

// watchMetrics serves metrics of a line, where an address is given.
func watchMetrics(cmd *cobra.Command, address string, lines []*tenantLine) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	return serveMetrics(cmd, address, newWatchMetrics(lines))
}

// newWatchMetrics has lines count into metrics.
func newWatchMetrics(lines []*tenantLine) *prometheus.Registry {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "einvoice", Subsystem: "watch", Name: name, Help: help}, labels)
	}
	documents := counter("documents_total", "Documents that were judged, by the place that they went to.", "place")
	ofTenants := counter("tenant_documents_total", "Documents by the tenant whose line judged them and the place that they went to.", "tenant", "place")
	suppliers := counter("supplier_documents_total", "Documents by the seller's name and the place that they went to; of sellers after the first 500 as \"other\".", "supplier", "place")
	rules := counter("rule_fired_total", "Documents in which a rule fired, by level.", "rule", "level")
	took := prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "einvoice", Subsystem: "watch", Name: "document_seconds", Help: "Time that a document took.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
	})
	waited := prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "einvoice", Subsystem: "watch", Name: "intake_seconds", Help: "Time from when a file was last written to its verdict.",
		Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600},
	})
	waits := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "einvoice", Subsystem: "watch", Name: "waiting_documents", Help: "Files that wait in the sources, when nothing could be taken of them."})
	for _, place := range watch.Places {
		documents.WithLabelValues(place)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(documents, ofTenants, suppliers, rules, took, waited, waits, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	var mu sync.Mutex
	known := map[string]bool{}
	waiting := map[*tenantLine]int{}
	count := func(r watch.Result) {
		documents.WithLabelValues(r.Place).Inc()
		took.Observe(r.Took.Seconds())
		waited.Observe(max(0, r.Waited.Seconds()))
		for id, n := range r.Rules {
			rules.WithLabelValues(id, n.Level).Inc()
		}
		if r.Verdict == bulk.Unreadable {
			return
		}
		mu.Lock()
		if known[r.Seller] = known[r.Seller] || len(known) < mostSuppliers; !known[r.Seller] {
			delete(known, r.Seller)
			r.Seller = "other"
		}
		mu.Unlock()
		suppliers.WithLabelValues(r.Seller, r.Place).Inc()
	}
	for _, l := range lines {
		l.Waits = func(files int) {
			mu.Lock()
			defer mu.Unlock()
			waits.Add(float64(files - waiting[l]))
			waiting[l] = files
		}
		l.Done = func(r watch.Result) {
			if count(r); l.tenant != "" {
				ofTenants.WithLabelValues(l.tenant, r.Place).Inc()
			}
		}
	}
	return registry
}
