package parse_test

import (
	_ "embed"
	"maps"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed testdata/madepages/families.yaml
var familiesYAML []byte

//go:embed testdata/madepages/words.yaml
var wordsYAML []byte

// A Family is one layout.
type Family struct {
	Name     string
	Held     bool // kept out of what rules are written with
	Font     string
	Size     float64
	Seller   string
	Buyer    string
	Title    string
	Meta     string
	Columns  []string
	Rules    string
	Totals   string
	VatTable bool `yaml:"vatTable"`
	Footer   string
	Currency string
	Detail   bool
	Lines    int
	// BrokenHeads names columns in two rows, Attached sets the sender's line right above
	// the buyer, Salutation has a line above the buyer's name, AmountsBelow sets amounts
	// in the row below the item, and Wrapped breaks items into two rows.
	BrokenHeads  bool `yaml:"brokenHeads"`
	Attached     bool
	Salutation   bool
	AmountsBelow bool `yaml:"amountsBelow"`
	Wrapped      bool
	// Dates is how days are written: us, iso, long or short; as in the language otherwise.
	Dates string
	// Half sets amounts half a row lower, TallHead names columns in up to four rows,
	// Attributes has rows of labels and values below items, and GroupSums sums of lines
	// between them.
	Half       bool
	TallHead   bool `yaml:"tallHead"`
	Attributes bool
	GroupSums  bool `yaml:"groupSums"`
	// Your calls the number of the order "your reference".
	Your bool
	// Qualified names the totals by one word and whether they contain VAT, and Payments
	// has what was paid in a table of its own.
	Qualified bool
	Payments  bool
	// Capital prints the seller's legal form and capital apart from the name.
	Capital bool
	// Code is the currency; EUR where there is none.
	Code string
}

// A language is what things are called in one.
type language struct {
	Decimal, Group, Date, Long, Page, Country, Capital string
	Months, Units                                      []string
	Cities, Streets, Companies                         []string
	Items, Details                                     []string
	Labels                                             map[string][]string `yaml:",inline"`
}

// Families are all layouts.
var Families = sync.OnceValue(func() []Family {
	var all []Family
	if err := yaml.Unmarshal(familiesYAML, &all); err != nil {
		panic(err)
	}
	return all
})

var languages = sync.OnceValue(func() map[string]*language {
	var all map[string]*language
	if err := yaml.Unmarshal(wordsYAML, &all); err != nil {
		panic(err)
	}
	return all
})

// Languages are the languages that pages are made in.
func Languages() []string { return slices.Sorted(maps.Keys(languages())) }
