package page_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
	"einvoice/model/tongue"

	"golang.org/x/net/html"
)

// regionsOf are the regions of a page that each term is shown in, by its path, as the
// made HTML has them; a region is named once for each text.
func regionsOf(t *testing.T, inv *model.Invoice, lookName string) map[string][]string {
	t.Helper()
	l, err := look.BuiltIn(lookName)
	if err != nil {
		t.Fatal(err)
	}
	made, err := page.HTML(t.Context(), inv, page.Options{Language: "de", Look: l})
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(made.Data)))
	if err != nil {
		t.Fatal(err)
	}
	return regionsIn(root)
}

// regionsIn are the regions that each term is shown in, by its path.
func regionsIn(root *html.Node) map[string][]string {
	regions := map[string][]string{}
	var walk func(n *html.Node, region string)
	walk = func(n *html.Node, region string) {
		path := ""
		for _, a := range n.Attr {
			switch {
			case a.Key == "class" && n.Data == "section":
				region = a.Val
			case a.Key == "data-path":
				path = a.Val
			}
		}
		if path != "" {
			regions[path] = append(regions[path], region)
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k, region)
		}
	}
	walk(root, "")
	return regions
}

// repeated are the terms that a page shows in more than one region, and why. All others are
// there once.
var repeated = []struct {
	path, regions, why string
}{
	{"seller.name", "sender parties foot payment", "who the letter is from, whose terms the block has, and whose foot it is; in credit notes, who pays"},
	{"buyer.name", "recipient parties payment", "the window of the envelope; whose terms the block has; and in credit notes, who is paid"},
	{"seller.postalAddress.", "sender foot", "the letterhead; and the foot, as letters have it"},
	{"paymentInstructions.means.creditTransfers.", "payment foot", "how to pay; and the seller's bank in the foot, as letters have it"},
	{"number", "information head", "beside the address, where bookkeepers look; and in the title"},
	{"paymentDueDate", "information totals head payment", "where bookkeepers look; beside the amount that is due then; and in the table of payments where there is one"},
	{"furtherPaymentTerms.dueDate", "totals payment", "in the table of payments; and beside the amount where it is the day of the whole"},
	{"totals.amountDueForPayment", "head totals", "what is to be paid, at the top where there is no letter; and below the sums"},
}

func isRepeated(path string, regions []string) bool {
	for _, r := range repeated {
		if strings.HasPrefix(path, r.path) && !slices.ContainsFunc(regions, func(in string) bool { return !slices.Contains(strings.Fields(r.regions), in) }) {
			slices.Sort(regions)
			return len(slices.Compact(regions)) == len(regions)
		}
	}
	return false
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

// leaves calls do with the path, the field and the value of each term that an invoice has.
func leaves(o model.Object, prefix string, do func(path string, f *model.Field, raw string)) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := prefix + f.Name
		switch {
		case !o.Has(f):
		case f.Kind == model.KindGroup:
			leaves(o.Group(f), path+".", do)
		case f.Kind == model.KindList:
			for j := range o.List(f).Len() {
				leaves(o.List(f).At(j), fmt.Sprintf("%s[%d].", path, j), do)
			}
		case strings.TrimSpace(o.Raw(f)) != "":
			do(path, f, o.Raw(f))
		}
	}
}

// Every term of an invoice is on its pages once, in one region, or is among those that are
// repeated for a reason: for an invoice that has every term of the model, and for invoices that
// have them by chance, in every look.
func TestEveryTermIsInOneRegion(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 35))
	for run := range 40 {
		inv := page.EveryTerm()
		if run > 0 {
			thin(model.ObjectOf(inv), seed)
		}
		name := look.Names()[run%len(look.Names())]
		regions, terms := regionsOf(t, inv, name), 0
		leaves(model.ObjectOf(inv), "", func(path string, f *model.Field, _ string) {
			terms++
			in := regions[path]
			if len(in) == 0 {
				t.Errorf("run %d, %s: %s (%s) is on no page", run, name, path, f.BT)
			} else if len(in) > 1 && !isRepeated(index.ReplaceAllString(path, ""), in) {
				t.Errorf("run %d, %s: %s (%s) is in %q", run, name, path, f.BT, in)
			}
			delete(regions, path)
		})
		for path := range regions {
			t.Errorf("run %d, %s: the page has %s, and the invoice has not", run, name, path)
		}
		if run == 0 && terms < 1500 {
			t.Errorf("there are only %d terms", terms)
		}
	}
}

// What belongs to a party is one block: its address does not stand in one, and its name in another.
func TestPartiesAreOneBlock(t *testing.T) {
	made, err := page.HTML(t.Context(), page.EveryTerm(), page.Options{Language: "de"})
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(made.Data)))
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]int{} // of each party
	n := 0
	for e := range root.Descendants() {
		if e.Parent == nil || e.Data != "div" || !slices.Contains(e.Parent.Attr, html.Attribute{Key: "class", Val: "parties"}) {
			continue
		}
		n++
		for d := range e.Descendants() {
			for _, a := range d.Attr {
				if party, _, found := strings.Cut(a.Val, "."); a.Key == "data-path" && found && !slices.Contains(blocks[party], n) {
					blocks[party] = append(blocks[party], n)
				}
			}
		}
	}
	if len(blocks) < 10 || n != len(blocks) {
		t.Errorf("there are %d blocks for %d parties", n, len(blocks))
	}
	for party, in := range blocks {
		if len(in) != 1 {
			t.Errorf("%s stands in %d blocks", party, len(in))
		}
	}
}

// Every value of an invoice that has terms by chance is printed, also where the document is set
// closer so that it needs fewer pages.
func TestEveryTermByChanceIsPrinted(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 1))
	tags := tongue.Tags()
	values, short := 0, 0
	for run := range 20 {
		inv := page.EveryTerm()
		for range 1 + run%6 { // the fewer terms, the closer it is set
			thin(model.ObjectOf(inv), seed)
		}
		values += everyTerm(t, fmt.Sprintf("run %d", run), inv, tags[run%len(tags)])
		if made := printed(t, inv, page.Options{Language: tags[run%len(tags)]}); made.Pages <= 5 {
			short++
		}
	}
	if values < 2000 || short < 10 {
		t.Errorf("only %d values were looked for, and %d documents are short", values, short)
	}
}

// thin takes terms out of an invoice by chance.
func thin(o model.Object, seed *rand.Rand) {
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; {
		case !o.Has(f):
		case seed.IntN(3) == 0:
			o.Clear(f)
		case f.Kind == model.KindGroup:
			thin(o.Group(f), seed)
		case f.Kind == model.KindList:
			for j := range o.List(f).Len() {
				thin(o.List(f).At(j), seed)
			}
		}
	}
}

// groupsAround are the groups that a term is in, the outermost first.
func groupsAround(path string) (groups []string) {
	for i, c := range path {
		if c == '.' {
			groups = append(groups, path[:i])
		}
	}
	return groups
}

// folded are terms with the outermost group in place of those that are in a group of which the same
// holds throughout.
func folded(terms []string, alone func(group string) bool) (short []string) {
	for _, term := range terms {
		groups := groupsAround(term)
		if i := slices.IndexFunc(groups, alone); i >= 0 && !strings.HasPrefix(term, "BT-") {
			term = groups[i] + ".*"
		}
		short = append(short, term)
	}
	return slices.Compact(short)
}

var updateTerms = flag.Bool("update-terms", false, "write docs/terms-on-pages.md anew")

// The page of the documentation that says where each term is shown is what pages show.
func TestTermsPage(t *testing.T) {
	const file = "../../../docs/terms-on-pages.md"
	inv := page.EveryTerm()
	byRegion, groups := map[string][]string{}, map[string][]string{} // groups: the regions of what is below
	regions := regionsOf(t, inv, "din5008")
	leaves(model.ObjectOf(inv), "", func(path string, f *model.Field, _ string) {
		if strings.Contains(path, "subLines") { // as lines
			return
		}
		term := index.ReplaceAllString(path, "")
		if f.BT != "" && !strings.HasPrefix(f.BT, "BT-X") {
			term = f.BT + " " + term
		}
		if len(regions[path]) == 0 {
			t.Fatalf("%s is on no page", path)
		}
		region := regions[path][0]
		byRegion[region] = append(byRegion[region], term)
		for _, group := range groupsAround(index.ReplaceAllString(path, "")) {
			in := region
			if strings.HasPrefix(term, "BT-") {
				in = "EN 16931" // each of its terms is listed
			}
			groups[group] = append(groups[group], in)
		}
	})
	alone := func(group string) bool { return len(slices.Compact(slices.Sorted(slices.Values(groups[group])))) == 1 }
	var b strings.Builder
	b.WriteString(`# Where pages show each term

This page is for people who look for a term on a page. Every term of an invoice is on its pages, in one region; the [last table](#shown-more-than-once) has those that are in several. A value that another text says has no text of its own, such as a trading name that is the name, or the base quantity of a price for one. The regions are those of the look ` + "`din5008`" + `, in the order of the page, for an invoice that has every term of the model. If a term is missing, others move up. BT-107, BT-108, BT-113 and BT-114 are in the small print if they are 0, and so is BT-40 if the buyer is in the same country. Where that saves a page, so are the terms of a party that needs no block of its own: its name and address stand elsewhere, as the buyer's in the window, and the block would have no VAT or tax number. The return line above the window repeats the sender's name, trading name and address, as far as they fit. In self-billed invoices seller and buyer change places. A ` + "`testIndicator`" + ` or ` + "`copyIndicator`" + ` that is true stands in the title and across the pages; one that is false is a further detail. ` + "`group.*`" + ` stands for all terms of a group of which EN 16931 has none; sub lines are shown as lines. ` + "`make terms`" + ` writes this page.

`)
	for _, r := range []struct{ class, what string }{
		{"sender", "letterhead"}, {"recipient", "window of the envelope"}, {"information", "beside the address"}, {"head", "title"}, {"facts", "dates and references below the title"}, {"lines", "table of lines"},
		{"adjustments", "allowances and charges"}, {"vat", "VAT breakdown"}, {"totals", "column of sums"}, {"payment", "payment"}, {"parties", "blocks of parties"}, {"notes", "notes"},
		{"documents", "supporting documents"}, {"further", "further details: what the layout has no other place for"}, {"technical", "technical details, in small print"}, {"foot", "foot of the letter"},
	} {
		terms := byRegion[r.class]
		delete(byRegion, r.class)
		if len(terms) == 0 {
			continue
		}
		fmt.Fprintf(&b, "## %s (%d)\n\n%s.\n\n", strings.ToUpper(r.what[:1])+r.what[1:], len(terms), "`"+strings.Join(folded(terms, alone), "`, `")+"`")
	}
	for class, terms := range byRegion {
		t.Errorf("the region %q has no name here, and has %q", class, terms)
	}
	b.WriteString("## Shown more than once\n\n| terms | regions | why |\n| --- | --- | --- |\n")
	for _, r := range repeated {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.TrimSuffix(r.path, "."), strings.ReplaceAll(r.regions, " ", ", "), r.why)
	}
	if *updateTerms {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != b.String() {
		t.Errorf("docs/terms-on-pages.md is not what pages show; run make terms (%v)", err)
	}
}
