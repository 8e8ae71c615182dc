package parse

import (
	_ "embed"
	"math"
	"regexp"
	"strings"
	"sync"

	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/lines"
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
	{"issueDate", lexicon.Pattern(`^/issueDate$`)},
	{"dueDate", lexicon.Pattern(`^/paymentDueDate$`)},
	{"deliveryDate", lexicon.Pattern(`^/delivery/actualDeliveryDate$`)},
	{"order", lexicon.Pattern(`^/purchaseOrderReference$`)},
	{"currency", lexicon.Pattern(`^/currencyCode$`)},
	{"seller", lexicon.Pattern(`^/seller/name$`)},
	{"buyer", lexicon.Pattern(`^/buyer/name$`)},
	{"address", lexicon.Pattern(`^/(seller|buyer)/postalAddress/(line1|city|postCode)$`)},
	{"vatIdentifier", lexicon.Pattern(`^/(seller|buyer)/vatIdentifier$`)},
	{"account", lexicon.Pattern(`/accountIdentifier$`)},
	{"total", lexicon.Pattern(`^/totals/(totalAmountWithoutVat|taxTotalAmount|totalAmountWithVat|amountDueForPayment)$`)},
	{"step", lexicon.Pattern(`^/totals/`)},
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

// features are what the scorer knows of a value, each from 0 to 1.
func (b *builder) features(pointer string, f *Field, e *evidence) []float64 {
	d := b.document
	closed, line := d.lineClosed(pointer)
	all := []float64{
		1, f.raw, f.raw * f.raw, yes(f.Source == SourceComputed), yes(len(f.Alternatives) > 0), yes(f.Page > 1),
		yes(d.Chain.Closes), yes(d.linesClose()), yes(line && closed), yes(d.title.Found),
		yes(d.Chain.Net.From != nil && d.Chain.Net.From.Labels["net"] > 0.5), yes(d.Chain.Gross.From != nil && d.Chain.Gross.From.Labels["gross"] > 0.5),
		min(float64(len(d.head.Claims)), 10) / 10, yes(len(d.Lines) > 0),
	}
	return append(append(all, e.of(d, pointer, f)...), b.doubts(pointer, f, e)...)
}

// lineClosed reports whether quantity times price is the amount in the line of a pointer.
func (d *document) lineClosed(pointer string) (closed, isLine bool) {
	l := d.lineAt(pointer)
	return l != nil && l.IsFixed, strings.HasPrefix(pointer, linesAt)
}

// lineAt is the line of a pointer; nil where there is none.
func (d *document) lineAt(pointer string) *lines.Line {
	rest, isLine := strings.CutPrefix(pointer, "/lines/")
	if !isLine {
		return nil
	}
	at := 0
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		at = 10*at + int(c-'0')
	}
	if at >= len(d.Lines) {
		return nil
	}
	return &d.Lines[at]
}

// linesClose reports whether the amounts of the lines add up to the sum before the net total.
func (d *document) linesClose() bool {
	return len(d.Lines) > 0 && d.Chain.LineTotal.Known && d.LineSum() == d.Chain.LineTotal.Value
}

// confidence is how likely a value is right, from 0 to 1, before calibration.
func (s *scorer) confidence(pointer string, raw float64, features []float64) float64 {
	weights := s.Weights[groupOf(pointer)]
	if len(weights) != len(features) {
		return raw
	}
	return logistic(weights, features)
}

func logistic(weights, features []float64) (p float64) {
	sum := 0.0
	for i, w := range weights {
		sum += w * features[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// score replaces the confidences that the rules gave by those of the scorer, calibrated.
func (d *document) score(b *builder) {
	e := d.evidenceOf()
	for pointer, f := range b.result.Fields {
		f.second = d.opinionOf(pointer, f)
		f.features = b.features(pointer, f, e)
		if f.Source == SourceModel { // nothing is known of how often models are right
			f.Confidence = rounded(min(f.raw, untrained) * (1 - f.doubt))
			continue
		}
		f.uncalibrated = trained().confidence(pointer, f.raw, f.features)
		most := b.most(pointer, f, e)
		confidence := min(calibrated(pointer, f.uncalibrated), most)
		if b.isAgreed(pointer, f, most) {
			confidence = max(confidence, agreed)
		}
		f.Confidence = rounded(confidence * (1 - f.doubt))
	}
	b.capParties()
}
