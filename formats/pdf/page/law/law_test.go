package law

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
)

// Every statement has a sentence in the language of its law, a clause and a place to read it.
func TestStatementsAreWhole(t *testing.T) {
	if want := []string{"AT", "BE", "DE", "ES", "FR", "GB", "IT", "NL", "PL"}; !slices.Equal(Countries(), want) {
		t.Errorf("there is the law of %q, want %q", Countries(), want)
	}
	for _, want := range Countries() {
		c := Of(want)
		if len(c.Statements) == 0 || len(c.Required) < 4 {
			t.Errorf("%s has %d statements, and %d that are required", want, len(c.Statements), len(c.Required))
		}
		isRead := func(l Law) bool { return l.Read == "none" || c.Reads[l.Read] != "" }
		for _, s := range c.Statements {
			if s.Say[c.Language] == "" || s.Clause == "" || !strings.HasPrefix(s.Source, "https://") || (s.Category == "") == (len(s.Codes) == 0) || !isRead(s.Law) {
				t.Errorf("%s: %+v is not whole", want, s)
			}
		}
		for _, r := range c.Required {
			if r.ID == "" || r.Say == "" || r.Clause == "" || !strings.HasPrefix(r.Source, "https://") || len(r.Fields) == 0 && r.Text == "" || !isRead(r.Law) || !strings.HasPrefix(r.ID, want+"-") {
				t.Errorf("%s: %+v is not whole", want, r)
			}
			for _, path := range r.Fields {
				if !known(model.InvoiceType(), strings.Split(path, ".")) {
					t.Errorf("%s, %s: there is no field %s", want, r.ID, path)
				}
			}
		}
	}
}

func known(in *model.Type, path []string) bool {
	f, found := in.Field(path[0])
	return found && (len(path) == 1 || f.Elem != nil && known(f.Elem, path[1:]))
}

// A statement is lacking where its conditions hold and none of its fields is there, and any one
// of them gives it: tried for every statement of every country.
func TestLacks(t *testing.T) {
	for _, country := range Countries() {
		c := Of(country)
		for _, r := range c.Required {
			inv := func() *model.Invoice {
				i := &model.Invoice{Buyer: &model.Buyer{}}
				if r.Business { // by the number that is not asked for
					if slices.Contains(r.Fields, "buyer.vatIdentifier") {
						fill(i, "buyer.legalRegistration.identifier", "123")
					} else {
						fill(i, "buyer.vatIdentifier", "XX123")
					}
					if slices.Contains(r.Fields, "buyer.vatIdentifier") && slices.Contains(r.Fields, "buyer.legalRegistration.identifier") {
						return nil // any business has it
					}
				}
				if r.Domestic {
					fill(i, "buyer.postalAddress.countryCode", country)
				}
				if r.Category != "" {
					i.VatBreakdowns = []model.VatBreakdown{{CategoryCode: model.NewText(r.Category)}}
				}
				return i
			}
			lacks := func(i *model.Invoice, credit bool) bool {
				return slices.ContainsFunc(c.Lacks(i, credit), func(l Lack) bool { return l.ID == r.ID && l.Say != "" && l.Clause == r.Clause })
			}
			if i := inv(); i == nil {
				continue
			} else if !lacks(i, false) || lacks(i, true) == r.Invoices {
				t.Errorf("%s: an empty invoice, and credit note: lacking %v, %v", r.ID, lacks(i, false), lacks(i, true))
			}
			for _, conditional := range []func(*model.Invoice){
				func(i *model.Invoice) { i.VatBreakdowns = nil }, func(i *model.Invoice) { i.Buyer = nil },
			} {
				i := inv()
				conditional(i)
				if r.Category != "" && i.VatBreakdowns == nil && lacks(i, false) || (r.Business || r.Domestic) && i.Buyer == nil && lacks(i, false) {
					t.Errorf("%s: it is lacking where nobody asks for it", r.ID)
				}
			}
			for _, path := range r.Fields {
				i := inv()
				fill(i, path, "2026")
				if lacks(i, false) {
					t.Errorf("%s: it is lacking although there is %s", r.ID, path)
				}
			}
			if r.Note != "" {
				i := inv()
				i.Notes = []model.Note{{SubjectCode: model.NewText(r.Note), Text: model.NewText("12 %")}}
				if lacks(i, false) {
					t.Errorf("%s: it is lacking although there is a note with the subject code %s", r.ID, r.Note)
				}
				if i.Notes[0].Text = model.NewText(" "); !lacks(i, false) {
					t.Errorf("%s: an empty note says it", r.ID)
				}
			}
		}
	}
	if Of("XX").Lacks(&model.Invoice{}, false) != nil {
		t.Error("a country without a file has a law")
	}
}

// The tax number of a seller (BT-32) is no VAT identifier, where a law asks for that.
func TestVATIdentifier(t *testing.T) {
	for _, country := range Countries() {
		for _, r := range Of(country).Required {
			if strings.HasPrefix(r.Say, "VAT") && slices.Contains(r.Fields, "seller.taxRegistrationIdentifier") {
				t.Errorf("%s asks for a %s and takes the tax number", r.ID, r.Say)
			}
		}
	}
}

// fill gives the term at a path of an invoice a value.
func fill(inv *model.Invoice, path, value string) {
	o := model.ObjectOf(inv)
	for name := range strings.SplitSeq(path, ".") {
		switch f, _ := o.Type.Field(name); f.Kind {
		case model.KindGroup:
			o = o.EnsureGroup(f)
		case model.KindList:
			o = o.AppendGroup(f)
		default:
			o.Set(f, value)
		}
	}
}

// What texts of an invoice say is not lacking.
func TestSaidInTexts(t *testing.T) {
	for text, said := range map[string]string{
		"Leistungsdatum entspricht Rechnungsdatum.":                "DE-DATE-OF-SUPPLY",
		"Unsere Steuernummer: 12/345/67890":                        "DE-TAX-NUMBER",
		"TVA non applicable, art. 293 B du CGI":                    "FR-VAT-NUMBER",
		"Pas d'escompte.":                                          "FR-DISCOUNT",
		"Pénalités de retard : 12 %":                               "FR-PENALTIES",
		"Indemnité forfaitaire pour frais de recouvrement : 40 €.": "FR-RECOVERY-COSTS",
		"Indemnité : 40,00 EUR":                                    "FR-RECOVERY-COSTS",
		"RCS Lyon 123 456 789":                                     "FR-SELLER-REGISTRATION",
		"KvK 12345678":                                             "NL-REGISTRATION",
		"Tax point: 21 November 2026":                              "GB-TIME-OF-SUPPLY",
	} {
		for _, c := range Countries() {
			inv := &model.Invoice{Buyer: &model.Buyer{VatIdentifier: model.NewText("XX1")}}
			for i := range 2 {
				if i == 1 {
					inv.Notes = []model.Note{{Text: model.NewText(text)}}
				}
				lacks := slices.ContainsFunc(Of(c).Lacks(inv, false), func(l Lack) bool { return l.ID == said })
				if want := i == 0 && strings.HasPrefix(said, c+"-"); lacks != want {
					t.Errorf("%s, with %q: %s is lacking: %v", c, text, said, lacks)
				}
			}
		}
	}
}

var update = flag.Bool("update", false, "write docs/law.md anew")

// The page of the documentation has what the files have.
func TestLawPage(t *testing.T) {
	const file = "../../../../docs/law.md"
	var b strings.Builder
	b.WriteString(`# What the law of a country wants an invoice to say

This page is for people who check the wording of invoices. ` + "`render`" + ` prints the reason why no VAT is charged in the words of the law of the seller's country, if the invoice has no text for it (BT-120). If it has one, pages print that text with the code (BT-121); ` + "`create`" + ` writes both for the categories AE, K, G and O if the request has neither. The words for some codes, such as those of the margin schemes (VATEX-EU-F), are on pages in every language, all others on pages in a language of that law; elsewhere pages say it in general words. ` + "`render`" + ` also warns of each required statement below that the invoice does not make, as far as its terms show (` + "`NOT-SAID`" + ` in the answers of the service).

` + "```sh\neinvoice render --to html invoice.xml -o invoice.html\n```" + `

**This is not legal advice, and not all of it was compared with the law.** ` + rowsCompared() + ` The line below each table names the texts and reports. What an invoice needs only in cases that its terms do not show is not asked for. A buyer is a business if the invoice has its VAT identifier or its legal registration; either is enough for ` + "`ES-BUYER-TAX-NUMBER`" + `, so no invoice gets a warning of it.

The check is lenient. These are enough: the city for an address; a period or the VAT point date (BT-7) for the date of the delivery; the VAT identifier of the tax representative for that of the seller (not in ES and PL); any identifier of a party for its SIREN (FR) or its registration number (NL); a legal registration for the tax number of the seller (ES); for many of them, a text outside the lines that names it, such as ` + "`Leistungsdatum` (DE) or `escompte`" + ` (FR).

The tables have, by category of VAT or code of the reason, the words for it, and then the required statements. ` + "`make law`" + ` writes this page.
`)
	for _, code := range Countries() {
		c := Of(code)
		source, of := c.commonLaw()
		clause := func(l Law) string {
			text := "[" + l.Clause + "](" + l.Source + ")"
			if of != "" && l.Source == source {
				text = strings.TrimPrefix(l.Clause, of+" ")
			}
			return text + l.marked()
		}
		fmt.Fprintf(&b, "\n## %s\n\n", code)
		if of != "" {
			fmt.Fprintf(&b, "Clauses without a link are of [%s](%s).\n\n", strings.TrimSuffix(of, ","), source)
		}
		b.WriteString("| for | words, or what is required | clause |\n| --- | --- | --- |\n")
		for _, s := range c.Statements {
			where, said := s.Category, s.Say[c.Language]
			if where == "" {
				codes := slices.Sorted(maps.Keys(s.Codes))
				if where = strings.Join(codes, ", "); len(codes) > 4 {
					where = fmt.Sprintf("%s and %d more", codes[0], len(codes)-1)
				}
				var each []string // sentence, without its point
				for _, value := range values(s.Codes, codes[:min(4, len(codes))]) {
					each = append(each, strings.ReplaceAll(strings.TrimSuffix(said, "."), "#", value))
				}
				said = strings.Join(slices.Compact(each), " / ") + "."
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", where, said, clause(s.Law))
		}
		for i := 0; i < len(c.Required); {
			var ids, says []string
			first := c.Required[i]
			for ; i < len(c.Required) && c.Required[i].Law == first.Law && c.Required[i].where() == first.where(); i++ {
				ids, says = append(ids, "`"+c.Required[i].ID+"`"), append(says, c.Required[i].Say)
			}
			fmt.Fprintf(&b, "| %s | %s%s | %s |\n", strings.Join(ids, ", "), strings.Join(says, "; "), first.where(), clause(first.Law))
		}
		b.WriteString("\n")
		for _, how := range slices.Sorted(maps.Keys(c.Reads)) {
			fmt.Fprintf(&b, "*%s*: %s. ", how, c.Reads[how])
		}
		b.WriteString("\n")
	}
	want := strings.ReplaceAll(b.String(), ". \n", ".\n")
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("docs/law.md is not what the files say; run make law (%v)", err)
	}
}

// rowsCompared is how many statements of the page were compared with the law's text, and which are not.
func rowsCompared() string {
	all, text := 0, 0
	var others []string
	for _, code := range Countries() {
		c, reported := Of(code), 0
		count := func(read string) {
			if all++; read == "text" {
				text++
			} else {
				reported++
			}
		}
		for _, s := range c.Statements {
			count(s.Read)
		}
		for _, r := range c.Required {
			count(r.Read)
		}
		if reported > 0 {
			others = append(others, fmt.Sprintf("%s %d", code, reported))
		}
	}
	return fmt.Sprintf("Of the %d statements below, %d were compared with the text of the law. The other %d, marked *report*, rest on what others report: %s. Read the law before you rely on one of these.", all, text, all-text, strings.Join(others, ", "))
}

func values(of map[string]string, keys []string) (all []string) {
	for _, k := range keys {
		all = append(all, of[k])
	}
	return all
}

// where says which invoices a statement is asked of, in brackets, or nothing if of all.
func (r *Required) where() string {
	var where []string
	for name, is := range map[string]bool{"the buyer is a business": r.Business, "the buyer is in the country": r.Domestic, "invoices, not credit notes": r.Invoices, "category " + r.Category: r.Category != ""} {
		if is {
			where = append(where, name)
		}
	}
	if len(where) == 0 {
		return ""
	}
	slices.Sort(where)
	return " (" + strings.Join(where, ", ") + ")"
}

// commonLaw returns the source that most clauses are of, and what these clauses begin with, up to a
// comma; nothing if they have no such beginning.
func (c *Country) commonLaw() (source, of string) {
	clauses := map[string][]string{}
	add := func(l Law) { clauses[l.Source] = append(clauses[l.Source], l.Clause) }
	for _, s := range c.Statements {
		add(s.Law)
	}
	for _, r := range c.Required {
		add(r.Law)
	}
	for _, s := range slices.Sorted(maps.Keys(clauses)) {
		if len(clauses[s]) > len(clauses[source]) {
			source = s
		}
	}
	of = clauses[source][0]
	for {
		i := strings.LastIndex(of, ", ")
		if i < 0 {
			return source, ""
		}
		of = of[:i]
		if !slices.ContainsFunc(clauses[source], func(clause string) bool { return !strings.HasPrefix(clause, of+", ") }) {
			return source, of + ","
		}
	}
}

// marked is what stands behind a clause that was not compared with the text of the law.
func (l *Law) marked() string {
	switch l.Read {
	case "text":
		return ""
	case "none":
		return " **none**"
	}
	return " *" + l.Read + "*"
}
