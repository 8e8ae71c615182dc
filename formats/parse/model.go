package parse

import (
	_ "embed"
	"math"
	"regexp"
	"strings"
	"sync"

	"einvoice/model/strictyaml"
)

//go:embed model.yaml
var modelYAML []byte

// A scorer says how sure a value is: a logistic regression for each group of fields over
// what is known of the value and of the whole invoice. make parse-model trains it.
type scorer struct {
	Weights map[string][]float64 // by group; in the order of features
}

// trained is the scorer that is part of the program. A test reads it too, so that it
// cannot fail in a released program.
var trained = sync.OnceValue(func() *scorer {
	s := &scorer{}
	if err := strictyaml.Decode(modelYAML, s); err != nil {
		panic(err)
	}
	return s
})

// groups are the groups of fields that are scored alike, by their JSON pointers.
var groups = []struct {
	name    string
	pointer func() *regexp.Regexp
}{
	{"number", pattern(`^/number$`)},
	{"date", pattern(`^/(issueDate|paymentDueDate|delivery/actualDeliveryDate)$`)},
	{"order", pattern(`^/purchaseOrderReference$`)},
	{"currency", pattern(`^/currencyCode$`)},
	{"seller", pattern(`^/seller/name$`)},
	{"buyer", pattern(`^/buyer/name$`)},
	{"address", pattern(`^/(seller|buyer)/postalAddress/(line1|city|postCode)$`)},
	{"vatIdentifier", pattern(`^/(seller|buyer)/vatIdentifier$`)},
	{"account", pattern(`/accountIdentifier$`)},
	{"total", pattern(`^/totals/`)},
	{"vat", pattern(`^/vatBreakdowns/\d+/(taxableAmount|taxAmount|rate)$`)},
	{"lineNumber", pattern(`^/lines/\d+/(netAmount|invoicedQuantity|price/netPrice|vat/rate)$`)},
	{"lineName", pattern(`^/lines/\d+/item/name$`)},
}

// groupOf is the group of a field; empty where it has none.
func groupOf(pointer string) string {
	for _, g := range groups {
		if g.pointer().MatchString(pointer) {
			return g.name
		}
	}
	return ""
}

// untrained is the most that the confidence of a field without a group can be.
const untrained = 0.94

// featureCloses is the place of the feature that net total and VAT are the gross total.
const featureCloses = 6

// features are what the scorer knows of a value, each from 0 to 1.
func (d *document) features(pointer string, f *Field) []float64 {
	yes := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	closed, line := d.lineClosed(pointer)
	return []float64{
		1, f.raw, f.raw * f.raw, yes(f.Source == SourceComputed), yes(len(f.Alternatives) > 0), yes(f.Page > 1),
		yes(d.chain.closes), yes(d.linesClose()), yes(line && closed), yes(d.title.found),
		yes(d.chain.net.from != nil && d.chain.net.from.labels["net"] > 0.5), yes(d.chain.gross.from != nil && d.chain.gross.from.labels["gross"] > 0.5),
		min(float64(len(d.head.claims)), 10) / 10, yes(len(d.lines) > 0),
	}
}

// lineClosed tells whether quantity times price is the amount in the line of a pointer.
func (d *document) lineClosed(pointer string) (closed, isLine bool) {
	rest, isLine := strings.CutPrefix(pointer, "/lines/")
	if !isLine {
		return false, false
	}
	at := 0
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		at = 10*at + int(c-'0')
	}
	return at < len(d.lines) && d.lines[at].isFixed, true
}

// linesClose tells whether the amounts of the lines add up to the sum before the net total.
func (d *document) linesClose() bool {
	return len(d.lines) > 0 && d.chain.lineTotal.known && d.lineSum() == d.chain.lineTotal.value
}

// confidence is how likely a value is right, from 0 to 1.
func (s *scorer) confidence(pointer string, raw float64, features []float64) float64 {
	group := groupOf(pointer)
	weights := s.Weights[group]
	if len(weights) != len(features) {
		return min(raw, untrained)
	}
	p := logistic(weights, features)
	if group == "total" && features[featureCloses] == 0 { // closing is the proof of a total
		return min(p, raw)
	}
	return p
}

func logistic(weights, features []float64) (p float64) {
	sum := 0.0
	for i, w := range weights {
		sum += w * features[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// score replaces the confidences that the rules gave by those of the scorer.
func (d *document) score(b *builder) {
	for pointer, f := range b.result.Fields {
		f.features = d.features(pointer, f)
		if f.Source == SourceModel { // nothing is known of how often models are right
			f.Confidence = rounded(min(f.raw, untrained) * (1 - f.doubt))
			continue
		}
		f.Confidence = rounded(trained().confidence(pointer, f.raw, f.features) * (1 - f.doubt))
	}
}
