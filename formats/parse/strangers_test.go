package parse_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"einvoice/formats/parse"
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/sampled"
)

var strangerNames = flag.String("strangers", "", "print what is misread on the pages of strangers to mend with whose name contains this; \"all\" for all")

// A stranger is a page that another sender draws, with labels and places of its own. The part to
// score with is never looked at.
type stranger struct {
	Name, Part, Language, From, To, Date, Money string
	Rows, Line                                  []string
}

// A country has the data that pages from there are made of.
type country struct {
	Currency, IBAN                string
	Rates                         []float64
	Names, Streets, Places, Items []string
}

type strangers struct {
	Months map[string][]string
	People map[string]country
	Pages  []stranger
}

// A strangeParty is one of those that a page names.
type strangeParty struct{ name, street, place, city, vatID string }

// strangeInvoice are the texts for the marks of a page, and what is true of it by pointer.
type strangeInvoice struct {
	texts, truth map[string]string
	lines        []map[string]string
	isPrinted    map[string]bool
	day          func(days int) string
}

// pointerOf is where a mark of a page is in an invoice.
var pointerOf = map[string]string{
	"number": "/number", "issue": "/issueDate", "due": "/paymentDueDate", "delivery": "/delivery/actualDeliveryDate", "order": "/purchaseOrderReference",
	"s.name": "/seller/name", "b.name": "/buyer/name", "s.vat": "/seller/vatIdentifier", "b.vat": "/buyer/vatIdentifier", "iban": accountPointer,
	"net": "/totals/totalAmountWithoutVat", "tax": "/totals/taxTotalAmount", "gross": "/totals/totalAmountWithVat",
}

const accountPointer = "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier"

func strangersOf(t *testing.T) (s strangers) {
	t.Helper()
	data, err := os.ReadFile("testdata/strangers.yaml")
	if err == nil {
		err = yaml.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func someDigits(r *rand.Rand, n int) string {
	b := []byte(fmt.Sprint(1 + r.IntN(9)))
	for len(b) < n {
		b = append(b, byte('0'+r.IntN(10)))
	}
	return string(b)
}

// strangeVatID is a VAT identifier of a country, with right check digits where it is printed without
// its country as well.
func strangeVatID(r *rand.Rand, of string) string {
	shape := map[string]string{"AT": "U########", "BE": "0#########", "FR": "###########", "NL": "#########B01", "SE": "##########01", "CH": "E#########", "ES": "B########", "PL": "##########", "IT": "###########", "DK": "########", "FI": "########", "CZ": "########"}[of]
	if shape == "" {
		shape = "#########"
	}
	for {
		id := ""
		for _, c := range shape {
			if c == '#' {
				c = rune('1' + r.IntN(9))
			}
			id += string(c)
		}
		known, isNational := lexicon.Words().NationalVatNumbers[of]
		if !isNational {
			return of + id
		}
		word := drawn.Words(strings.ToUpper(slices.Min(slices.Collect(maps.Keys(known.Labels))))+":"+id, 0, 0, 0)[0]
		if got, n := candidate.VatIDAt([]*layout.Word{layout.NewWord(word, 1)}); n == 1 && got == of+id {
			return of + id
		}
	}
}

func strangeIBAN(r *rand.Rand, of string) string {
	rest := someDigits(r, lexicon.Words().IBANLengths[of]-4)
	switch of {
	case "GB", "NL":
		rest = "ABNC" + rest[4:]
	case "IT":
		rest = "K" + rest[1:]
	}
	for check := 2; ; check++ {
		if iban := fmt.Sprintf("%s%02d%s", of, check, rest); model.HasCheckDigits(iban) {
			return iban
		}
	}
}

// inFours writes an identifier in groups of four.
func inFours(s string) string {
	var parts []string
	for part := range slices.Chunk([]byte(s), 4) {
		parts = append(parts, string(part))
	}
	return strings.Join(parts, " ")
}

// strangeAmount writes cents as the language does.
func strangeAmount(v int64, language, form string) string {
	group, decimal := ".", ","
	switch language {
	case "en":
		group, decimal = ",", "."
	case "fr", "pl", "cs", "sv", "fi":
		group = "\u00a0"
	}
	whole := fmt.Sprint(v / 100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	return strings.Replace(form, "#", fmt.Sprintf("%s%s%02d", whole, decimal, v%100), 1)
}

// make draws the data of a page by chance.
func (s *strangers) make(p *stranger, seed uint64) *strangeInvoice {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, p.Name, seed) // a hash accepts everything
	r := rand.New(rand.NewPCG(31, h.Sum64()))
	from := s.People[p.From]
	to := from
	toCode := p.From
	if p.To != "" {
		to, toCode = s.People[p.To], p.To
	}
	day := func(t time.Time) string {
		out := t.Format(p.Date)
		if months := s.Months[p.Language]; months != nil {
			out = strings.Replace(out, t.Month().String(), months[t.Month()-1], 1)
		}
		return out
	}
	used := map[string]bool{}
	party := func(c country, code string) (out strangeParty) {
		for out.name == "" || used[out.name] {
			out.name = pick(r, c.Names)
		}
		used[out.name] = true
		out.street, out.place, out.vatID = pick(r, c.Streets), pick(r, c.Places), strangeVatID(r, code)
		words := strings.Fields(out.place)
		out.city = words[len(words)-1]
		if code == "GB" {
			out.city = words[0]
		}
		return out
	}
	issue := time.Date(2024+r.IntN(3), time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC)
	due, delivery := issue.AddDate(0, 0, pick(r, []int{8, 14, 15, 30, 45, 60})), issue.AddDate(0, 0, -1-r.IntN(20))
	number := pick(r, []string{fmt.Sprintf("%d-%05d", issue.Year(), r.IntN(9000)), fmt.Sprintf("R%s", someDigits(r, 7)), someDigits(r, 9), fmt.Sprintf("%d/%d", 1+r.IntN(900), issue.Year())})
	iso := func(t time.Time) string { return t.Format(time.DateOnly) }
	iban := strangeIBAN(r, from.IBAN)
	in := &strangeInvoice{isPrinted: map[string]bool{}, day: func(days int) string { return day(issue.AddDate(0, 0, days)) }}
	rate := pick(r, from.Rates)
	var net int64
	for i := range 1 + r.IntN(4) {
		quantity, price := int64(1+r.IntN(9)), int64(100*r.IntN(400)+1+r.IntN(99))
		net += quantity * price
		in.lines = append(in.lines, map[string]string{
			"pos": fmt.Sprint(i + 1), "item": pick(r, from.Items), "qty": fmt.Sprint(quantity),
			"price": strangeAmount(price, p.Language, "#"), "amount": strangeAmount(quantity*price, p.Language, "#"), "rate": fmt.Sprint(rate),
		})
	}
	tax := int64(float64(net)*rate/100 + 0.5)
	money := func(v int64) string { return strangeAmount(v, p.Language, p.Money) }
	in.texts = map[string]string{
		"number": number, "issue": day(issue), "due": day(due), "delivery": day(delivery), "order": pick(r, []string{"PO-", "B", "45"}) + someDigits(r, 5),
		"iban": inFours(iban), "iban.national": iban[2:4] + " " + inFours(iban[4:]), "their.iban": inFours(strangeIBAN(r, to.IBAN)), "bic": "ABNC" + p.From + "22",
		"net": money(net), "tax": money(tax), "gross": money(net + tax), "rate": strings.Replace(fmt.Sprint(rate), ".", map[bool]string{true: ".", false: ","}[p.Language == "en"], 1),
	}
	in.truth = map[string]string{
		"/number": number, "/issueDate": iso(issue), "/paymentDueDate": iso(due), "/delivery/actualDeliveryDate": iso(delivery), "/purchaseOrderReference": in.texts["order"], accountPointer: iban,
		"/totals/totalAmountWithoutVat": cents(net), "/totals/taxTotalAmount": cents(tax), "/totals/totalAmountWithVat": cents(net + tax),
	}
	for who, c := range map[string]strangeParty{"s": party(from, p.From), "b": party(to, toCode), "o": party(to, toCode)} {
		in.texts[who+".name"], in.texts[who+".street"], in.texts[who+".place"], in.texts[who+".city"] = c.name, c.street, c.place, c.city
		in.texts[who+".vat"], in.texts[who+".vat.national"] = c.vatID, c.vatID[2:]
		if n := c.vatID; len(n) == 12 {
			in.texts[who+".vat.spaced"] = n[:2] + " " + n[2:6] + "." + n[6:9] + "." + n[9:]
		}
		role := map[string]string{"s": "seller", "b": "buyer"}[who]
		if role != "" {
			in.truth["/"+role+"/name"], in.truth["/"+role+"/vatIdentifier"] = c.name, c.vatID
		}
	}
	return in
}

var mark = regexp.MustCompile(`\{[a-z.]+(?:[+-]\d+)?\}`)

// fill puts the texts for the marks of a row.
func (in *strangeInvoice) fill(row string, more map[string]string) string {
	return mark.ReplaceAllStringFunc(row, func(m string) string {
		name := strings.Trim(m, "{}")
		if days, isDay := strings.CutPrefix(name, "day"); isDay {
			n := 0
			_, _ = fmt.Sscan(days, &n)
			return in.day(n)
		}
		in.isPrinted[pointerOf[strings.TrimSuffix(strings.TrimSuffix(name, ".national"), ".spaced")]] = true
		if v, is := more[name]; is {
			return v
		}
		v, is := in.texts[name]
		if !is {
			panic("testdata/strangers.yaml: no text for " + m)
		}
		return v
	})
}

// draw makes the page.
func (in *strangeInvoice) draw(t *testing.T, p *stranger) text.Sheet {
	t.Helper()
	page := drawn.NewPage()
	add := func(row string, more map[string]string) {
		if err := page.Add(in.fill(row, more)); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
	}
	for _, row := range p.Rows {
		if row != "lines" {
			add(row, nil)
			continue
		}
		for _, line := range in.lines {
			for _, row := range p.Line {
				add(row, line)
			}
		}
	}
	return page.Sheet
}

// Pages that other senders draw are read, and what is wrong is not sure: of those that the rules
// were mended with, and of those that were kept for the score. The figures are printed with -v.
func TestStrangers(t *testing.T) {
	seedsOfEach := sampled.Of(12, 6)
	s := strangersOf(t)
	type tally struct{ printed, right, sure, surelyWrong int }
	for _, part := range []string{"mend", "score"} {
		fields := map[string]*tally{"all": {}}
		misled, documents := 0, 0
		for i := range s.Pages {
			p := &s.Pages[i]
			if p.Part != part {
				continue
			}
			for seed := range uint64(seedsOfEach) {
				in := s.make(p, seed)
				sheet := in.draw(t, p)
				documents++
				r, err := parse.Sheets(t.Context(), []text.Sheet{sheet}, parse.Limits{})
				if err != nil {
					t.Errorf("%s %d: %v", p.Name, seed, err)
					continue
				}
				isMisled := false
				for _, pointer := range slices.Sorted(maps.Values(pointerOf)) {
					want := in.truth[pointer]
					if !in.isPrinted[pointer] {
						want = ""
					}
					f := r.Fields[pointer]
					if want == "" && f == nil {
						continue
					}
					got, confidence := "", 0.0
					if f != nil {
						got, confidence = f.Value, f.Confidence
					}
					isRight := want != "" && (plain(got) == plain(want) || sameNumber(got, want) || got != "" && sameName(pointer, want, got) || sameVatID(pointer, want, got))
					for _, name := range []string{pointer, "all"} {
						if fields[name] == nil {
							fields[name] = &tally{}
						}
						c := fields[name]
						if want != "" {
							c.printed++
						}
						if isRight {
							c.right++
						}
						if got != "" && confidence >= 0.95 {
							if c.sure++; !isRight {
								c.surelyWrong++
								isMisled = isMisled || coreFields[pointer]
							}
						}
					}
					if !isRight && part == "mend" && (*strangerNames == "all" || *strangerNames != "" && strings.Contains(p.Name, *strangerNames)) {
						t.Logf("%s %d: %s is %q at %.2f, want %q", p.Name, seed, pointer, got, confidence, want)
					}
				}
				if isMisled {
					misled++
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			c := fields[name]
			t.Logf("%s %-75s printed %4d right %4d sure %4d, wrong %d", part, name, c.printed, c.right, c.sure, c.surelyWrong)
		}
		t.Logf("%s: a wrong value of the core with .95 and more in %d of %d documents", part, misled, documents)
	}
}
