package page_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/text"
	"einvoice/model"
	"einvoice/model/sampled"
)

// firstPage are the words of the first page of a PDF that stand upright.
func firstPage(t *testing.T, data []byte) []text.Word {
	t.Helper()
	c, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := text.Words(c, text.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(sheets[0].Words, func(w text.Word) bool { return w.Turned || w.Hidden })
}

// footMark is the first text of a foot.
const footMark = "Foot:"

// longest is how long a word is that is not broken in any foot, in letters.
const longest = 38

// chanceText is a text of one letter, with words and addresses of any length.
func chanceText(seed *rand.Rand, letter string) string {
	word := func(most int) string { return strings.Repeat(letter, 1+seed.IntN(most)) }
	switch seed.IntN(4) {
	case 0: // an address longer than the foot has room for
		parts := []string{word(16) + "." + word(16) + "@" + word(16)}
		for range seed.IntN(7) {
			parts = append(parts, word(16))
		}
		return strings.Join(parts, []string{".", "-"}[seed.IntN(2)])
	case 1:
		return word(longest)
	}
	words := make([]string, 1+seed.IntN(4))
	for i := range words {
		words[i] = word(12)
	}
	return strings.Join(words, " ")
}

// A foot has all its texts, whatever their lengths are. Its columns do not overlap and stay within
// the margins. A word is whole unless it is longer than half of the foot, and is then broken after
// a sign.
func TestFootColumns(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 191))
	broken := 0
	for run := range sampled.Of(60, 3) {
		inv := small(t, 1)
		inv.Seller.Contact = &model.SellerContact{}
		var columns, texts []string
		n := 1 + run%5
		mail, name := seed.IntN(n), seed.IntN(n)
		for i := range n {
			letter := string("nouxz"[i])
			var entries, all []string
			if i == 0 {
				entries = append(entries, "{at: seller, show: \""+footMark+"\", bare: true}")
			}
			for range 1 + seed.IntN(2) {
				own := chanceText(seed, letter)
				all, entries = append(all, own), append(entries, fmt.Sprintf("{at: seller, show: %q, bare: true}", own))
			}
			if i == mail {
				address := chanceText(seed, letter)
				inv.Seller.Contact.Email = model.NewText(address)
				all, entries = append(all, address), append(entries, `{at: seller.contact, show: "{email}", bare: true}`)
			}
			if i == name {
				inv.Seller.Name = model.NewText(chanceText(seed, letter))
				all, entries = append(all, inv.Seller.Name.Raw), append(entries, `{at: seller, show: "{name}", bare: true}`)
			}
			texts, columns = append(texts, strings.Join(all, " ")), append(columns, "["+strings.Join(entries, ", ")+"]")
		}
		fsys := files(t)
		file := fmt.Sprintf("{name: own, based: %s, foot: [%s]}", look.Names()[run%len(look.Names())], strings.Join(columns, ", "))
		fsys["look.yaml"] = &fstest.MapFile{Data: []byte(file)}
		l, err := page.ReadLook(fsys, "look.yaml")
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		words := firstPage(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data)
		broken += footIsRight(t, fmt.Sprintf("run %d\n%s\n", run, strings.Join(texts, "\n")), l, words, texts)
	}
	if t.Logf("%d words are broken", broken); broken < sampled.Of(5, 3) {
		t.Errorf("only %d words are broken, which is too few", broken)
	}
}

// footIsRight compares the words of a page with the texts of its foot, of a letter for each
// column, and counts those that are broken.
func footIsRight(t *testing.T, what string, l *look.Look, words []text.Word, texts []string) (broken int) {
	t.Helper()
	const mm = 72 / 25.4
	marked := slices.IndexFunc(words, func(w text.Word) bool { return w.Text == footMark })
	if marked < 0 {
		t.Errorf("%sthere is no foot", what)
		return 0
	}
	top := words[marked].Box.Top - 1
	bottom := (297 - l.Page.Bottom) * mm
	shown := make([][]string, len(texts))
	boxes := make([]text.Box, len(texts))
	for _, w := range words {
		if w.Box.Top < top || w.Box.Bottom > bottom+3 || w.Text == footMark {
			continue
		}
		i := slices.IndexFunc(texts, func(s string) bool { return strings.Trim(w.Text, s[:1]+"@.-") == "" })
		if i < 0 {
			t.Errorf("%s%q is of no column", what, w.Text)
			continue
		}
		if w.Box.Left < l.Page.Left*mm-.5 || w.Box.Right > (210-l.Page.Right)*mm+.5 {
			t.Errorf("%s%q reaches from %.1f to %.1f", what, w.Text, w.Box.Left, w.Box.Right)
		}
		if len(shown[i]) == 0 {
			boxes[i] = w.Box
		}
		shown[i] = append(shown[i], w.Text)
		b := &boxes[i]
		b.Left, b.Top, b.Right, b.Bottom = min(b.Left, w.Box.Left), min(b.Top, w.Box.Top), max(b.Right, w.Box.Right), max(b.Bottom, w.Box.Bottom)
	}
	for i, s := range texts {
		if got := strings.Join(shown[i], ""); got != strings.ReplaceAll(s, " ", "") {
			t.Errorf("%scolumn %d shows %q", what, i+1, shown[i])
		}
		for j := range i {
			a, b := boxes[i], boxes[j]
			if min(a.Right, b.Right)-max(a.Left, b.Left) > .5 && min(a.Bottom, b.Bottom)-max(a.Top, b.Top) > 3 {
				t.Errorf("%scolumns %d and %d overlap: %v and %v", what, j+1, i+1, b, a)
			}
		}
		for _, word := range strings.Fields(s) {
			if slices.Contains(shown[i], word) {
				continue
			}
			if broken++; len(word) <= longest {
				t.Errorf("%s%q is broken, and no longer than %d", what, word, longest)
			}
			rest, at := word, slices.IndexFunc(shown[i], func(part string) bool { return strings.HasPrefix(word, part) && strings.ContainsAny(part, "@.-") })
			for ; at >= 0 && at < len(shown[i]) && rest != ""; at++ {
				part := shown[i][at]
				var is bool
				if rest, is = strings.CutPrefix(rest, part); !is || rest != "" && !strings.ContainsAny(part[len(part)-1:], "@.-") {
					break
				}
			}
			if rest != "" {
				t.Errorf("%s%q is broken as %q", what, word, shown[i])
			}
		}
	}
	return broken
}

// Where names are so long that the foot would fill the page, it keeps the texts of the look.
func TestFootKeepsItsOwnTexts(t *testing.T) {
	fsys := files(t)
	fsys["look.yaml"] = &fstest.MapFile{Data: []byte(`{name: own, based: din5008, foot: [[{at: seller, show: "{name}", bare: true}], [{at: seller, show: "Amtsgericht Ulm, HRB 1234", bare: true}]]}`)}
	l, err := page.ReadLook(fsys, "look.yaml")
	if err != nil {
		t.Fatal(err)
	}
	inv := small(t, 1)
	inv.Seller.Name = model.NewText(strings.Repeat("Nordlicht ", 200))
	lowest := ""
	for _, rows := range rowsOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data)[:1] {
		for _, r := range rows {
			if strings.Contains(r.text(), "Amtsgericht") {
				lowest = r.text()
			}
		}
	}
	if lowest != "Amtsgericht Ulm, HRB 1234" {
		t.Errorf("the foot has %q", lowest)
	}
}
