package parse_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model"
)

var (
	layouts     = flag.String("layouts", "", "a folder with pages in the layouts of programs, made by TestLayouts of package conformance")
	layoutPart  = flag.String("part", "train", "the part of the layouts that is scored")
	tableInto   = flag.String("reliability", "", "the document whose table of reliability is written anew")
	layoutNames = flag.String("misread", "", "print what is misread on pages whose name contains this, or of this group of fields; \"all\" for all, \"sure\" for what is sure")
)

// A layoutPage is a page in the layout of a program, with what is true of it.
type layoutPage struct {
	Program, Language string
	Values            map[string]string
	Printed           map[string]bool
	Accepted          map[string][]string // of a letter: the values that are right, for the fields that its truth tells of

	name string
	file string
	part string
}

// layoutPages are those of a part.
func layoutPages(t *testing.T, part string) (all []layoutPage) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(*layouts, part, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := layoutPage{part: part, name: strings.TrimSuffix(filepath.Base(file), ".json"), file: strings.TrimSuffix(file, ".json") + ".pdf"}
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// A reading is a value that was read off a page, or that was missed.
type reading struct {
	page       *layoutPage
	pointer    string
	want, got  string
	features   []float64
	rules      float64 // what the rules say
	confidence float64
	right      bool
}

// readings reads a page and compares every value that the pages can tell of.
func readings(t *testing.T, p *layoutPage) (all []reading) {
	t.Helper()
	data, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parse.PDF(context.Background(), data, parse.Limits{})
	if err != nil {
		t.Logf("%s: %v", p.name, err)
		r = &parse.Result{Invoice: &model.Invoice{}}
	}
	if p.Accepted != nil {
		return readingsOfLetter(p, r)
	}
	want := withLinesOf(p.Values, r)
	printed := withLinesOf(flagged(p.Printed), r)
	for _, pointer := range slices.Sorted(maps.Keys(r.Fields)) {
		if parse.GroupOf(pointer) == "" {
			continue
		}
		f := r.Fields[pointer]
		v, known := want[pointer]
		if !known && strings.HasPrefix(pointer, "/totals/") && sameNumber(f.Value, "0") {
			continue
		}
		right := known && (plain(v) == plain(f.Value) || sameNumber(v, f.Value) || sameName(pointer, v, f.Value) || sameVatID(pointer, v, f.Value))
		all = append(all, reading{p, pointer, v, f.Value, parse.FeaturesOf(f), parse.RawConfidence(f), f.Confidence, right})
	}
	for _, pointer := range slices.Sorted(maps.Keys(printed)) {
		if v, known := want[pointer]; known && r.Fields[pointer] == nil && parse.GroupOf(pointer) != "" && !sameNumber(v, "0") {
			all = append(all, reading{page: p, pointer: pointer, want: v})
		}
	}
	return all
}

// readingsOfLetter compares the fields that the truth of a letter tells of.
func readingsOfLetter(p *layoutPage, r *parse.Result) (all []reading) {
	for _, pointer := range slices.Sorted(maps.Keys(p.Accepted)) {
		accepted := p.Accepted[pointer]
		want := strings.Join(accepted, " or ")
		f := r.Fields[pointer]
		switch {
		case f != nil:
			right := slices.ContainsFunc(accepted, func(v string) bool {
				return plain(v) == plain(f.Value) || sameNumber(v, f.Value) || sameName(pointer, v, f.Value) || sameVatID(pointer, v, f.Value) || sameVatID(pointer, f.Value, v)
			})
			all = append(all, reading{p, pointer, want, f.Value, parse.FeaturesOf(f), parse.RawConfidence(f), f.Confidence, right})
		case len(accepted) > 0:
			all = append(all, reading{page: p, pointer: pointer, want: want})
		}
	}
	return all
}

func flagged(of map[string]bool) map[string]string {
	out := map[string]string{}
	for k := range of {
		out[k] = "yes"
	}
	return out
}

// sameName reports whether a name is right but for a legal form.
func sameName(pointer, want, got string) bool {
	if !strings.HasSuffix(pointer, "ame") {
		return false
	}
	x, y := plain(got), plain(want)
	return len(y) > 5 && strings.HasPrefix(x, y) && 20*len(x) <= 27*len(y) || len(x) > 5 && strings.HasPrefix(y, x) && 4*len(x) >= 3*len(y)
}

// sameVatID reports whether an identifier is right but for its country.
func sameVatID(pointer, want, got string) bool {
	return strings.HasSuffix(pointer, "vatIdentifier") && len(want) > 2 && plain(want[2:]) == plain(got)
}

// withLinesOf are values by pointer, with lines and groups of VAT at the places of those that
// were read: lines that are alike in amount and name, in order; groups by rate.
func withLinesOf(values map[string]string, r *parse.Result) map[string]string {
	out := map[string]string{}
	lines, groups := map[int]int{}, map[int]int{}
	n := 0
	for values[fmt.Sprintf("/lines/%d/netAmount", n)] != "" {
		n++
	}
	if n > 0 && values["/number"] != "yes" {
		align(values, r, n, lines)
		lastLines = lines
		for i := range r.Invoice.VatBreakdowns {
			for j := range 9 {
				if v := values[fmt.Sprintf("/vatBreakdowns/%d/rate", j)]; v != "" && sameNumber(v, r.Invoice.VatBreakdowns[i].Rate.Raw) {
					groups[j] = i
				}
			}
		}
		lastGroups = groups
	} else {
		lines, groups = lastLines, lastGroups
	}
	for pointer, v := range values {
		to := pointer
		for prefix, of := range map[string]map[int]int{"/lines/": lines, "/vatBreakdowns/": groups} {
			if rest, is := strings.CutPrefix(pointer, prefix); is {
				at, what, _ := strings.Cut(rest, "/")
				index := 0
				_, _ = fmt.Sscan(at, &index)
				if place, found := of[index]; found {
					to = fmt.Sprintf("%s%d/%s", prefix, place, what)
				} else {
					to = fmt.Sprintf("%s%d/%s", prefix, 10_000+index, what)
				}
			}
		}
		out[to] = v
	}
	return out
}

var lastLines, lastGroups map[int]int // of the page that is read

// align finds the line that was read of each of n true lines.
func align(values map[string]string, r *parse.Result, n int, of map[int]int) {
	m := len(r.Invoice.Lines)
	worth := func(i, j int) float64 {
		at, l := fmt.Sprintf("/lines/%d/", i), &r.Invoice.Lines[j]
		w := 0.0
		if sameNumber(values[at+"netAmount"], l.NetAmount.Raw) {
			w += 2
		}
		if l.Item != nil && plain(l.Item.Name.Raw) == plain(values[at+"item/name"]) {
			w += 1.5
		}
		if sameNumber(values[at+"invoicedQuantity"], l.InvoicedQuantity.Raw) {
			w += 0.5
		}
		return w
	}
	best := make([][]float64, n+1)
	for i := range best {
		best[i] = make([]float64, m+1)
	}
	for i := range n {
		for j := range m {
			best[i+1][j+1] = max(best[i][j+1], best[i+1][j], best[i][j]+worth(i, j))
		}
	}
	for i, j := n, m; i > 0 && j > 0; {
		switch best[i][j] {
		case best[i-1][j]:
			i--
		case best[i][j-1]:
			j--
		default:
			i, j = i-1, j-1
			of[i] = j
		}
	}
}

// TestLayoutScore scores a part of the layouts: what is found and how sure it is.
func TestLayoutScore(t *testing.T) {
	if *layouts == "" {
		t.Skip("skipped: scores with -layouts alone")
	}
	byGroup, byProgram := score{}, map[string]score{}
	pages := layoutPages(t, *layoutPart)
	var all []reading
	core := 0
	for i := range pages {
		p := &pages[i]
		if byProgram[p.Program] == nil {
			byProgram[p.Program] = score{}
		}
		isWhole := true
		for _, r := range readings(t, p) {
			all = append(all, r)
			for _, s := range []score{byGroup, byProgram[p.Program]} {
				want := r.want
				if r.right {
					want = r.got
				}
				s.compare(scoreGroup(r.pointer)+" "+fieldOf(r.pointer), want, r.got)
			}
			if coreFields[r.pointer] && !r.right {
				isWhole = false
			}
			isTold := *layoutNames == "all" || *layoutNames == parse.GroupOf(r.pointer) || *layoutNames == "sure" && r.got != "" && r.confidence >= 0.95 || *layoutNames != "" && strings.Contains(p.name, *layoutNames)
			if isTold && !r.right && *layoutPart != "test" { // the test part is never looked at
				t.Logf("%s: %s is %q at %.2f, want %q", p.name, r.pointer, r.got, r.confidence, r.want)
			}
		}
		if isWhole {
			core++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byProgram)) {
		s := byProgram[name]
		t.Logf("%-20s header %.3f totals %.3f vat %.3f lines %.3f", name, s.group("header").f1(), s.group("totals").f1(), s.group("vat").f1(), s.group("lines").f1())
	}
	for _, field := range slices.Sorted(maps.Keys(byGroup)) {
		t.Logf("%-28s %.3f", field, byGroup[field].f1())
	}
	line := ""
	for _, group := range []string{"header", "totals", "vat", "lines"} {
		macro := 0.0
		for _, s := range byProgram {
			macro += s.group(group).f1() / float64(len(byProgram))
		}
		line += fmt.Sprintf(" %s %.3f/%.3f", group, byGroup.group(group).f1(), macro)
	}
	t.Logf("%s, %d pages of %d programs:%s; all of the core right in %d", *layoutPart, len(pages), len(byProgram), line, core)
	table := reliability(all)
	t.Log(table)
	if *tableInto == "" {
		return
	}
	text, err := os.ReadFile(*tableInto)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), tableStart)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !found || !closed {
		t.Fatalf("%s has no place for the table", *tableInto)
	}
	if err := os.WriteFile(*tableInto, []byte(before+tableStart+table+tableEnd+after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What is around the table of reliability in a document.
const (
	tableStart = "<!-- make parse-reliability -->\n"
	tableEnd   = "<!-- end -->"
)

var coreFields = map[string]bool{
	"/number": true, "/issueDate": true, "/seller/name": true, "/buyer/name": true,
	"/totals/totalAmountWithoutVat": true, "/totals/taxTotalAmount": true, "/totals/totalAmountWithVat": true,
}

func scoreGroup(pointer string) string {
	switch {
	case strings.HasPrefix(pointer, "/totals/"):
		return "totals"
	case strings.HasPrefix(pointer, "/vatBreakdowns/"):
		return "vat"
	case strings.HasPrefix(pointer, "/lines/"):
		return "lines"
	case strings.Contains(pointer, "postalAddress"):
		return "address"
	}
	return "header"
}

// fieldOf is a pointer without the numbers of lines and groups.
func fieldOf(pointer string) string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s[0] >= '0' && s[0] <= '9' }), "/")
}

// reliability is a table: for each group of fields, how many of the printed values are given
// with .95 and more, and how many of these are wrong.
func reliability(all []reading) string {
	type row struct{ printed, given, sure, wrong int }
	rows := map[string]*row{}
	documents, misled := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		documents[r.page.name] = true
		for _, name := range []string{parse.GroupOf(r.pointer), "all"} {
			if rows[name] == nil {
				rows[name] = &row{}
			}
			c := rows[name]
			if r.want != "" {
				c.printed++
			}
			if r.got != "" {
				c.given++
			}
			if r.got != "" && r.confidence >= 0.95 {
				c.sure++
				if !r.right {
					c.wrong++
					if coreFields[r.pointer] {
						misled[r.page.name] = true
					}
				}
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| fields | values | given | with .95 and more | of these wrong | share |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, name := range slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
		return cmp.Or(cmp.Compare(fmt.Sprint(a == "all"), fmt.Sprint(b == "all")), cmp.Compare(a, b))
	}) {
		c := rows[name]
		fmt.Fprintf(&b, "| %s | %d | %d | %d (%.0f %%) | %d | %.1f %% |\n", name, c.printed, c.given, c.sure, 100*float64(c.sure)/float64(max(c.printed, 1)), c.wrong, 100*float64(c.wrong)/float64(max(c.sure, 1)))
	}
	fmt.Fprintf(&b, "\nA wrong value of the core with .95 and more: %d of %d documents.\n", len(misled), len(documents))
	return b.String()
}
