package ranker

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/model/strictyaml"
)

// A Kind is what candidates of some fields are.
type Kind string

// The kinds of candidates.
const (
	Days    Kind = "days"
	Amounts Kind = "amounts"
	Numbers Kind = "numbers"
	Names   Kind = "names"
)

// KindOf are the kinds of the fields that are ranked, by JSON pointer.
var KindOf = map[string]Kind{
	"/issueDate": Days, "/paymentDueDate": Days, "/delivery/actualDeliveryDate": Days,
	"/totals/totalAmountWithoutVat": Amounts, "/totals/taxTotalAmount": Amounts, "/totals/totalAmountWithVat": Amounts, "/totals/amountDueForPayment": Amounts,
	"/number": Numbers, "/seller/name": Names, "/buyer/name": Names,
}

// A Model has the weights of features, by JSON pointer of the field and name of the feature.
type Model struct {
	Fields map[string]map[string]float64

	once      sync.Once
	byFeature map[Kind]map[uint64]weights
}

// mostFields is how many fields have candidates of one kind, at most.
const mostFields = 4

// fieldsOf are the fields of a kind in order.
var fieldsOf = sync.OnceValue(func() map[Kind][]string {
	of := map[Kind][]string{}
	for _, field := range slices.Sorted(maps.Keys(KindOf)) {
		of[KindOf[field]] = append(of[KindOf[field]], field)
	}
	return of
})

// weights are those of a feature, by field of its kind.
type weights [mostFields]float64

// Trained is the model that is part of the program; make parse-model trains it. A test reads it
// too, so that this cannot fail in a released program.
var Trained = sync.OnceValue(func() *Model {
	m := &Model{}
	data, err := text()
	if err == nil {
		err = strictyaml.Decode(data, m)
	}
	if err != nil {
		panic(err)
	}
	return m
})

func (m *Model) prepare() {
	m.byFeature = map[Kind]map[uint64]weights{}
	for kind, fields := range fieldsOf() {
		of := map[uint64]weights{}
		for i, field := range fields {
			for name, value := range m.Fields[field] {
				w := of[hash(name)]
				w[i] = value
				of[hash(name)] = w
			}
		}
		m.byFeature[kind] = of
	}
}

// A Ranking says how well each candidate of a document fits each field.
type Ranking struct {
	scores map[string]map[string]float64 // by pointer and key: the logarithm of the odds
	best   map[string]Best               // by pointer
}

// A Best is what fits a field best.
type Best struct {
	Words []*layout.Word
	Score float64 // the logarithm of the odds
}

// Rank looks at all candidates of pages.
func (m *Model) Rank(p *candidate.Pages) *Ranking {
	m.once.Do(m.prepare)
	r := &Ranking{scores: map[string]map[string]float64{}, best: map[string]Best{}}
	for field := range KindOf {
		r.scores[field] = map[string]float64{}
	}
	Candidates(p, nil, func(c Candidate) { r.add(m, &c) })
	return r
}

func (r *Ranking) add(m *Model, c *Candidate) {
	var sums weights
	for _, feature := range c.Features {
		w := m.byFeature[c.Kind][feature]
		for i := range sums {
			sums[i] += w[i]
		}
	}
	for i, field := range fieldsOf()[c.Kind] {
		if best, known := r.scores[field][c.Key]; !known || sums[i] > best {
			r.scores[field][c.Key] = sums[i]
		}
		if best, known := r.best[field]; !known || sums[i] > best.Score {
			r.best[field] = Best{c.Words, sums[i]}
		}
	}
}

// Best is the candidate that fits a field best; without words where the pages have none.
func (r *Ranking) Best(field string) Best { return r.best[field] }

// Absent is the score of a value that is not printed.
const Absent = -20

// Fit reports how well a value fits a field, and how well the best other candidate does: the
// logarithm of the odds. A value that no candidate has gets Absent.
func (r *Ranking) Fit(field, value string) (own, rival float64) {
	return r.fit(field, value, func(key, other string) bool { return isSame(KindOf[field], key, other) })
}

// FitCompany is Fit for the name of a company, which its own trade name does not rival: Reed Joinery Ltd trades as Reed. A
// candidate begins alike where it is that.
func (r *Ranking) FitCompany(field, value string) (own, rival float64) {
	return r.fit(field, value, func(key, other string) bool { return isSame(Names, key, other) || beginsAlike(key, other) })
}

// fit is how well the candidates that are a value fit a field, and the best of the others.
func (r *Ranking) fit(field, value string, is func(key, other string) bool) (own, rival float64) {
	own, rival = Absent, Absent
	key := KeyOf(field, value)
	for other, score := range r.scores[field] {
		if is(key, other) {
			own = max(own, score)
		} else {
			rival = max(rival, score)
		}
	}
	return own, rival
}

// beginsAlike reports whether two names share their beginning: as much as a word of its own has, or all of the shorter one.
func beginsAlike(a, b string) bool {
	const (
		word  = 6
		brand = 4
	)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= word || n >= brand && n == min(len(a), len(b))
}

// KeyOf is the key that the candidates of a value have.
func KeyOf(field, value string) string {
	switch KindOf[field] {
	case Days:
		return value
	case Amounts:
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return ""
		}
		return strconv.FormatInt(int64(math.Abs(math.Round(v*100))), 10)
	}
	return lexicon.Fold(value)
}

// leastPart is how many characters a part of a number or a name has that stands for it.
const leastPart = 3

// isSame reports whether a candidate is a value, or most of one: a number may have several words,
// and a name a title before it.
func isSame(kind Kind, key, other string) bool {
	if key == other {
		return true
	}
	if kind != Numbers && kind != Names {
		return false
	}
	short, long := key, other
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) >= leastPart && 2*len(short) >= len(long) && strings.Contains(long, short)
}
