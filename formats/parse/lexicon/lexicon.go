package lexicon

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"einvoice/model/strictyaml"

	"gopkg.in/yaml.v3"
)

// A lexicon is what lexicon.yaml has.
type lexicon struct {
	Header, Totals, Columns, Parties, Titles, Exemptions, Units, Currencies, Countries, Capital Labels

	PartyParts   Labels `yaml:"partyParts"`
	WithVat      Labels `yaml:"withVat"`
	PaymentCodes Labels `yaml:"paymentCodes"`
	Says         Labels // of other documents than invoices, by their kind
	Debits       Labels // of accounts that money is taken from

	Per, Fillers, Editions set

	TitleStems stemList `yaml:"titleStems"`
	SayStems   stemList `yaml:"sayStems"`  // at the beginning of words
	BillStems  stemList `yaml:"billStems"` // at the beginning of words, of an invoice
	PaidStems  stemList `yaml:"paidStems"` // at the beginning of words, of an invoice that was paid

	// InvoiceStems are parts of words, folded, that call a document an invoice or a credit note.
	InvoiceStems []string `yaml:"invoiceStems"`
	// CreditStems are parts of words, folded, that call a document a credit note.
	CreditStems []string `yaml:"creditStems"`

	// BankStems are parts of words, folded, that name a bank.
	BankStems []string `yaml:"bankStems"`
	// StreetsLast are the ends of words, folded, that end the name of a street.
	StreetsLast []string `yaml:"streetsLast"`

	// OtherCurrencies are codes that count where a currency is expected.
	OtherCurrencies []string `yaml:"otherCurrencies"`
	// ShortCurrencies are short names that count as they are spelled, beside an amount.
	ShortCurrencies map[string]string `yaml:"shortCurrencies"`
	// YearFirstCurrencies are those of countries that write days as 26-11-20.
	YearFirstCurrencies []string `yaml:"yearFirstCurrencies"`

	Phones        set `yaml:"phones"`
	StreetsFirst  set `yaml:"streetsFirst"`
	PostBoxes     set `yaml:"postBoxes"` // before the number of a post box
	OfPersons     set `yaml:"ofPersons"`
	NextWords     set `yaml:"nextWords"`
	Registers     set `yaml:"registers"`
	SellersOwn    set `yaml:"sellersOwn"` // registers that companies name of themselves alone
	MailProviders set `yaml:"mailProviders"`

	OfBase         set      `yaml:"ofBase"`
	DateWords      set      `yaml:"dateWords"`
	OfDay          set      `yaml:"ofDay"`
	PaidWords      set      `yaml:"paidWords"`
	PaidBy         set      `yaml:"paidBy"`
	ReceiptWords   set      `yaml:"receiptWords"`
	ByWords        set      `yaml:"byWords"`
	DueBehind      set      `yaml:"dueBehind"`
	PayStems       []string `yaml:"payStems"` // beginnings of words, folded
	PerformedStems []string `yaml:"performedStems"`
	CollectStems   []string `yaml:"collectStems"`
	BothNotes      string   `yaml:"bothNotes"`
	OnWords        set      `yaml:"onWords"`
	OfRegistration set      `yaml:"ofRegistration"`
	AnyNumber      set      `yaml:"anyNumber"`
	LegalForms     set      `yaml:"legalForms"`
	SmallForms     set      `yaml:"smallForms"`
	TitleAsides    set      `yaml:"titleAsides"`
	PageWords      set      `yaml:"pageWords"`

	BuyersBefore set `yaml:"buyersBefore"`
	BuyersBehind set `yaml:"buyersBehind"`
	BuyersToo    set `yaml:"buyersToo"` // labels of tax numbers that buyers have as well
	Addressed    set // the first words of an address on a letter
	PersonTitles set `yaml:"personTitles"` // before the names of persons

	FormJoins map[string]bool `yaml:"formJoins"` // true where a legal form may end with it

	Months                months
	OwnMonths             []ownMonths                  `yaml:"ownMonths"`
	LikeDigits            likeDigits                   `yaml:"likeDigits"`
	LikeLetters           map[string]string            `yaml:"likeLetters"`     // the digit that a letter may be
	CountryPrefixes       map[string]string            `yaml:"countryPrefixes"` // before postal codes
	IBANLengths           map[string]int               `yaml:"ibanLengths"`
	VatIdentifiers        map[string]shape             `yaml:"vatIdentifiers"`
	PostCodes             map[string]shape             `yaml:"postCodes"` // by country
	Discounts, Denials    []string                     // folded
	ClauseWords           []string                     `yaml:"clauseWords"`
	NationalVatNumbers    map[string]NationalVatNumber `yaml:"nationalVatNumbers"`
	ToWords               set                          `yaml:"toWords"`
	SaleLabels            set                          `yaml:"saleLabels"`
	NameJoiners           set                          `yaml:"nameJoiners"`
	NameStarts            set                          `yaml:"nameStarts"`
	Salutation, Attention shape
}

// A NationalVatNumber is how a country prints VAT numbers without its name.
type NationalVatNumber struct {
	Labels  set    // folded
	Shape   shape  // its group is what follows the country
	Check   string // luhn or nif; weights and a modulus without one
	Weights []int
	Modulus int
	// TenIsZero says that a number whose check digit would be 10 ends in 0.
	TenIsZero bool `yaml:"tenIsZero"`
}

// Words is the lexicon, read when it is first needed. A test reads it too, so that it
// cannot fail in a released program.
var Words = sync.OnceValue(func() *lexicon {
	data, err := text()
	if err != nil {
		panic(err)
	}
	l, err := readLexicon(data)
	if err != nil {
		panic(err)
	}
	return l
})

func readLexicon(data []byte) (*lexicon, error) {
	l := &lexicon{}
	if err := strictyaml.Decode(data, l); err != nil {
		return nil, fmt.Errorf("lexicon.yaml: %w", err)
	}
	return l, nil
}

// Stems are parts of words that name a kind of document: all parts of one of the lists are there.
type stems struct {
	Kind  string
	Parts [][]string
}

type stemList []stems

// UnmarshalYAML reads the name of the kind and the parts, without marks and case. A part with =
// before it is a whole word.
func (s *stems) UnmarshalYAML(n *yaml.Node) error {
	if len(n.Content) != 2 {
		return fmt.Errorf("line %d: not a kind and a list", n.Line)
	}
	s.Kind = n.Content[0].Value
	var list []string
	err := n.Content[1].Decode(&list)
	for _, text := range list {
		var all []string
		for _, part := range strings.Split(text, "+") {
			word := strings.Join(Tokens(part), " ")
			if strings.HasPrefix(part, "=") {
				word = " " + word + " "
			}
			all = append(all, word)
		}
		s.Parts = append(s.Parts, all)
	}
	return err
}

// HeadingKind is the kind of document that a heading names by parts of its words; empty where it
// names none.
func HeadingKind(heading string) string { return Words().TitleStems.kind(heading, "") }

// SentenceKind is the kind of document that a sentence tells by the beginnings of its words; empty
// where it tells none.
func SentenceKind(sentence string) string { return Words().SayStems.kind(sentence, " ") }

// Bills reports whether a sentence says that it bills, as in "this letter is my invoice".
func Bills(sentence string) bool { return Words().BillStems.kind(sentence, " ") != "" }

// SaysPaid reports whether a sentence says that the invoice was paid.
func SaysPaid(sentence string) bool { return Words().PaidStems.kind(sentence, " ") != "" }

// CallsInvoice reports whether words of a label call the document an invoice or a credit note, as in
// Rechnungsdatum.
func CallsInvoice(label string) bool {
	words := strings.Join(Tokens(label), " ")
	return slices.ContainsFunc(Words().InvoiceStems, func(stem string) bool { return strings.Contains(words, stem) })
}

// CallsCredit reports whether a label calls what it is about a credit note.
func CallsCredit(label string) bool {
	words := strings.Join(Tokens(label), " ")
	return slices.ContainsFunc(Words().CreditStems, func(stem string) bool { return strings.Contains(words, stem) })
}

func (l stemList) kind(text, before string) string {
	words := " " + strings.Join(Tokens(text), " ") + " "
	for _, s := range l {
		for _, parts := range s.Parts {
			if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(words, before+strings.TrimPrefix(part, before)) }) {
				return s.Kind
			}
		}
	}
	return ""
}

// A set has folded words.
type set map[string]bool

// UnmarshalYAML reads a list of words.
func (s *set) UnmarshalYAML(n *yaml.Node) error {
	var list []string
	err := n.Decode(&list)
	*s = set{}
	for _, word := range list {
		(*s)[Fold(word)] = true
	}
	return err
}

// An ownMonths has the folded names of months that mean another one in a language, and words of that language.
type ownMonths struct {
	Words  set
	Months map[string]int
}

// Months are their numbers by folded name.
type months map[string]int

// UnmarshalYAML reads the names of each month.
func (m *months) UnmarshalYAML(n *yaml.Node) error {
	var lists [][]string
	err := n.Decode(&lists)
	*m = months{}
	begins := map[string]int{} // the first letters of names; 0 where they are of several months
	for i, names := range lists {
		for _, name := range names {
			name = Fold(name)
			(*m)[name] = i + 1
			for n := leastOfMonth; n < len(name); n++ {
				if of, known := begins[name[:n]]; known && of != i+1 {
					begins[name[:n]] = 0
					continue
				}
				begins[name[:n]] = i + 1
			}
		}
	}
	for begin, month := range begins {
		if _, isName := (*m)[begin]; !isName && month > 0 {
			(*m)[begin] = month
		}
	}
	return err
}

// leastOfMonth is how many letters of a month are written at least.
const leastOfMonth = 3

// LikeDigits are the digits that look like each digit.
type likeDigits [10][]int64

// UnmarshalYAML reads groups of digits that look alike.
func (l *likeDigits) UnmarshalYAML(n *yaml.Node) error {
	var groups []string
	err := n.Decode(&groups)
	for _, group := range groups {
		for _, a := range group {
			for _, b := range strings.ReplaceAll(group, string(a), "") {
				l[a-'0'] = append(l[a-'0'], int64(b-'0'))
			}
		}
	}
	return err
}

// AsDigits is a text with the digits that its letters may have been recognised for.
func AsDigits(s string) string {
	var b strings.Builder
	for _, c := range s {
		if digit, is := Words().LikeLetters[string(c)]; is {
			b.WriteString(digit)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// A shape is a regular expression.
type shape struct{ *regexp.Regexp }

// UnmarshalYAML reads an expression.
func (s *shape) UnmarshalYAML(n *yaml.Node) (err error) {
	s.Regexp, err = regexp.Compile(n.Value)
	return err
}
