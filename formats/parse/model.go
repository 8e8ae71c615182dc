package parse

import (
	_ "embed"
	"math"
	"regexp"
	"strings"
	"sync"

	"einvoice/formats/parse/lexicon"
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
	{"number", lexicon.Pattern(`^/number$`)},
	{"date", lexicon.Pattern(`^/(issueDate|paymentDueDate|delivery/actualDeliveryDate)$`)},
	{"order", lexicon.Pattern(`^/purchaseOrderReference$`)},
	{"currency", lexicon.Pattern(`^/currencyCode$`)},
	{"seller", lexicon.Pattern(`^/seller/name$`)},
	{"buyer", lexicon.Pattern(`^/buyer/name$`)},
	{"address", lexicon.Pattern(`^/(seller|buyer)/postalAddress/(line1|city|postCode)$`)},
	{"vatIdentifier", lexicon.Pattern(`^/(seller|buyer)/vatIdentifier$`)},
	{"account", lexicon.Pattern(`/accountIdentifier$`)},
	{"total", lexicon.Pattern(`^/totals/`)},
	{"vat", lexicon.Pattern(`^/vatBreakdowns/\d+/(taxableAmount|taxAmount|rate)$`)},
	{"lineNumber", lexicon.Pattern(`^/lines/\d+/(netAmount|invoicedQuantity|price/netPrice|vat/rate)$`)},
	{"lineName", lexicon.Pattern(`^/lines/\d+/item/name$`)},
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
		yes(d.Chain.Closes), yes(d.linesClose()), yes(line && closed), yes(d.title.Found),
		yes(d.Chain.Net.From != nil && d.Chain.Net.From.Labels["net"] > 0.5), yes(d.Chain.Gross.From != nil && d.Chain.Gross.From.Labels["gross"] > 0.5),
		min(float64(len(d.head.Claims)), 10) / 10, yes(len(d.Lines) > 0),
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
	return at < len(d.Lines) && d.Lines[at].IsFixed, true
}

// linesClose tells whether the amounts of the lines add up to the sum before the net total.
func (d *document) linesClose() bool {
	return len(d.Lines) > 0 && d.Chain.LineTotal.Known && d.LineSum() == d.Chain.LineTotal.Value
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
	return min(p, raw+mostLearned)
}

// mostLearned is what the scorer adds at most to what the rules say: the pages that it was
// trained with have a label for nearly every value, and say nothing of values without one.
const mostLearned = 0.15

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
		f.Confidence = rounded(min(trained().confidence(pointer, f.raw, f.features), b.most(pointer)) * (1 - f.doubt))
	}
}
