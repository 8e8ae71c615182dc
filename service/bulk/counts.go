package bulk

import (
	"cmp"
	"maps"
	"slices"
)

// Counts are what is counted of some documents.
type Counts struct {
	Documents  int `json:"documents"`
	Valid      int `json:"valid"`
	Invalid    int `json:"invalid"`
	Unreadable int `json:"unreadable"`
	Findings   int `json:"findings"`
	// Changed counts the documents on which the two sides of a comparison decide
	// differently.
	Changed int `json:"changed,omitempty"`
	// Taken counts the results that were taken from a document with the same bytes.
	Taken int `json:"taken,omitempty"`
	// Rules are the rules with findings, by id.
	Rules map[string]RuleCount `json:"rules,omitempty"`
	// Refused are the documents that could not be read, or of which nothing was made, by the
	// code of the error.
	Refused map[string]RefusedCount `json:"refused,omitempty"`
	// Sellers are the documents of each seller and month.
	Sellers []SellerCount `json:"sellers,omitempty"`
	// Slowest are the documents that took longest, the slowest first.
	Slowest []Slow `json:"slowest,omitempty"`
	// GivenUp are the documents that end whatever works on them.
	GivenUp []GivenUp `json:"givenUp,omitempty"`
	// Microseconds is the time of all operations together.
	Microseconds int64 `json:"microseconds"`

	sellers map[sellerMonth]*SellerCount
}

// A RefusedCount counts the documents with an error.
type RefusedCount struct {
	Documents int    `json:"documents"`
	First     string `json:"first"` // key of the first of them
}

// A SellerCount counts the documents of a seller in a month.
type SellerCount struct {
	Seller    string `json:"seller"`
	Month     string `json:"month"`
	Documents int    `json:"documents"`
	Invalid   int    `json:"invalid"`
	Changed   int    `json:"changed,omitempty"`
}

// Slow is a document that took long.
type Slow struct {
	Key          string `json:"key"`
	Microseconds int64  `json:"microseconds"`
}

// GivenUp is a document that was left out, with the reason.
type GivenUp struct {
	Key    string `json:"key"`
	Reason string `json:"reason"`
}

type sellerMonth struct{ seller, month string }

const (
	mostSlowest = 20
	// mostSellers bounds the sellers and months that a summary tells apart; the others are
	// counted together under OtherSellers.
	mostSellers = 20_000
)

// OtherSellers is the seller of all that are not told apart.
const OtherSellers = "(others)"

func newCounts() *Counts {
	return &Counts{Rules: map[string]RuleCount{}, Refused: map[string]RefusedCount{}, sellers: map[sellerMonth]*SellerCount{}}
}

// add counts a document.
func (c *Counts) add(key string, o *Outcome) {
	c.Documents++
	invalid := 0
	switch o.Verdict {
	case Valid:
		c.Valid++
	case Invalid:
		c.Invalid++
		invalid = 1
	default:
		c.Unreadable++
	}
	c.Findings += o.Findings
	c.Microseconds += o.Took.Microseconds()
	for id, n := range o.Rules {
		c.addRule(id, n)
	}
	if o.Code != "" {
		c.addRefused(o.Code, RefusedCount{1, key})
	}
	changed := 0
	if o.Changed {
		changed = 1
	}
	c.Changed += changed
	if o.Seller != "" || o.Month != "" {
		c.addSeller(SellerCount{o.Seller, o.Month, 1, invalid, changed})
	}
	c.addSlow(Slow{key, o.Took.Microseconds()})
	c.Sellers = nil // sorted when they are asked for
}

func (c *Counts) addRule(id string, n RuleCount) {
	of := c.Rules[id]
	c.Rules[id] = RuleCount{cmp.Or(n.Level, of.Level), of.Findings + n.Findings, of.Documents + n.Documents, of.Gone + n.Gone, of.New + n.New}
}

func (c *Counts) addRefused(code string, n RefusedCount) {
	of := c.Refused[code]
	c.Refused[code] = RefusedCount{of.Documents + n.Documents, cmp.Or(of.First, n.First)}
}

func (c *Counts) addSeller(n SellerCount) {
	key := sellerMonth{n.Seller, n.Month}
	of := c.sellers[key]
	if of == nil {
		if len(c.sellers) >= mostSellers {
			key.seller = OtherSellers
		}
		if of = c.sellers[key]; of == nil {
			of = &SellerCount{Seller: key.seller, Month: key.month}
			c.sellers[key] = of
		}
	}
	of.Documents += n.Documents
	of.Invalid += n.Invalid
	of.Changed += n.Changed
}

func (c *Counts) addSlow(s Slow) {
	at, _ := slices.BinarySearchFunc(c.Slowest, s, func(a, b Slow) int { return cmp.Compare(b.Microseconds, a.Microseconds) })
	if at < mostSlowest {
		c.Slowest = slices.Insert(c.Slowest, at, s)
		c.Slowest = c.Slowest[:min(len(c.Slowest), mostSlowest)]
	}
}

// merge adds the counts of other documents.
func (c *Counts) merge(o *Counts) {
	c.Documents += o.Documents
	c.Valid += o.Valid
	c.Invalid += o.Invalid
	c.Unreadable += o.Unreadable
	c.Findings += o.Findings
	c.Changed += o.Changed
	c.Taken += o.Taken
	c.Microseconds += o.Microseconds
	for id, n := range o.Rules {
		c.addRule(id, n)
	}
	for code, n := range o.Refused {
		c.addRefused(code, n)
	}
	for _, n := range o.Sellers {
		c.addSeller(n)
	}
	for _, s := range o.Slowest {
		c.addSlow(s)
	}
	c.GivenUp = append(c.GivenUp, o.GivenUp...)
}

// finish puts the sellers in order.
func (c *Counts) finish() {
	c.Sellers = nil
	for _, key := range slices.SortedFunc(maps.Keys(c.sellers), func(a, b sellerMonth) int {
		return cmp.Or(cmp.Compare(a.seller, b.seller), cmp.Compare(a.month, b.month))
	}) {
		c.Sellers = append(c.Sellers, *c.sellers[key])
	}
}
