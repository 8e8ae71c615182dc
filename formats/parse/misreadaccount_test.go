package parse_test

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model"
	"einvoice/model/sampled"
)

// readScan is what a page says whose text was recognised, with a payment code or "".
func readScan(t *testing.T, code string, rows ...string) *parse.Result {
	t.Helper()
	picture := whitePage(t, 620, 877)
	if code != "" {
		picture = payable(t, code, "EUR58.31", "Invoice INV-17")
	}
	page := fmt.Sprintf(bill, "INV-17", "58.31") + "\n" + strings.Join(rows, "\n")
	r, err := parse.File(t.Context(), picture, parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: page}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// asLetters exchanges some digits of an account for letters that are taken for them.
func asLetters(r *rand.Rand, iban string, many int) string {
	letters := map[byte]string{'0': "OQD", '1': "Il", '2': "Z", '5': "S", '6': "G", '8': "B"}
	s := []byte(iban)
	var at []int
	for i := 2; i < len(s); i++ {
		if letters[s[i]] != "" {
			at = append(at, i)
		}
	}
	r.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	for _, i := range at[:min(many, len(at))] {
		of := letters[s[i]]
		s[i] = of[r.IntN(len(of))]
	}
	return string(s)
}

// spoilt is an account of which so many digits are others, and whose check digits are wrong.
func spoilt(r *rand.Rand, iban string, many int) string {
	for {
		s := []byte(iban)
		for _, i := range r.Perm(len(s) - 4)[:many] {
			s[4+i] = '0' + (s[4+i]-'0'+1+byte(r.IntN(9)))%10
		}
		if !model.HasCheckDigits(string(s)) {
			return string(s)
		}
	}
}

// tells reports whether the review names the account with a text.
func tells(r *parse.Result, text string, least float64) bool {
	return slices.ContainsFunc(r.Review, func(x parse.Review) bool {
		return x.Weight >= least && slices.Contains(x.Fields, account) && strings.Contains(x.Message, text)
	})
}

func contradicts(r *parse.Result, pointer string) bool {
	return slices.ContainsFunc(r.CodeContradictions, func(c parse.CodeContradiction) bool { return c.Pointer == pointer })
}

var digitCountries = []string{"DE", "AT", "BE", "ES", "PL", "PT", "DK", "FI", "SE"}

// Letters that were recognised for digits of an account are read as these where the check digits are right then. It is
// not sure, unless a code says it too; a code with another account contradicts it.
func TestLettersForDigitsOfAccount(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 1))
	for i := range sampled.Of(40, 4) {
		country := digitCountries[r.IntN(len(digitCountries))]
		iban, other := madeAccount(r, country), madeAccount(r, "DE")
		misread := asLetters(r, iban, 1+r.IntN(3))
		if misread == iban {
			continue
		}
		row := "IBAN: " + strings.Join(groups(misread), " ")
		alone := readScan(t, "", row)
		if f := alone.Fields[account]; f == nil || f.Value != iban || f.Confidence >= 0.7 || len(f.Alternatives) != 1 || f.Alternatives[0].Value != strings.ToUpper(misread) {
			t.Errorf("%s: the account is %+v, want %s", row, f, iban)
		}
		if i%10 > 0 { // codes take time
			continue
		}
		if f := readScan(t, iban, row).Fields[account]; f == nil || f.Value != iban || f.Confidence < 0.98 {
			t.Errorf("%s beside a code that says so: the account is %+v", row, f)
		}
		if read := readScan(t, other, row); !contradicts(read, account) || read.Fields[account].Confidence > 0.5 {
			t.Errorf("%s beside a code for %s: the account is %+v, contradicted are %+v", row, other, read.Fields[account], read.CodeContradictions)
		}
	}
}

// An account of the page that cannot be read, or whose check digits are wrong, beside a code for another account is told
// and takes its confidence. A digit or two of the code's own account may be recognised wrong.
func TestUnreadAccountBesideCode(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 2))
	for range sampled.Of(2, 2) {
		iban, other := madeAccount(r, "DE"), madeAccount(r, "DE")
		misread := map[string]string{
			"letters": asLetters(r, spoilt(r, iban, 1), 3), "digits": spoilt(r, iban, 1), "check digits": iban[:2] + "O" + spoilt(r, iban, 1)[3:],
			"country": "0" + iban[1:], "short": iban[:len(iban)-2], "split": iban[:2] + "O" + iban[3:12] + "x" + iban[13:],
		}
		for _, name := range slices.Sorted(maps.Keys(misread)) {
			printed := misread[name]
			row := []string{"IBAN: ", "Please pay to ", "Bankverbindung: Hafenbank, "}[r.IntN(3)] + strings.Join(groups(printed), " ")
			read := readScan(t, other, row)
			f := read.Fields[account]
			switch {
			case f == nil || f.Confidence > 0.5 || !contradicts(read, account):
				t.Errorf("%s: %s beside a code for %s: the account is %+v, contradicted are %+v", name, row, other, f, read.CodeContradictions)
			case read.Decide(0).Accept || !tells(read, "", 0.1):
				t.Errorf("%s: %s beside a code for %s is accepted; the review is %+v", name, row, other, read.Review)
			}
			if same := readScan(t, iban, row); contradicts(same, account) || same.Fields[account] == nil || same.Fields[account].Value != iban || same.Fields[account].Confidence < 0.9 {
				t.Errorf("%s: %s beside its own code: the account is %+v, contradicted are %+v", name, row, same.Fields[account], same.CodeContradictions)
			}
		}
	}
}

// An account that was not read is told beside one that was, too; the number of an account in its country is not.
func TestUnreadAccountIsTold(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 3))
	for range sampled.Of(10, 3) {
		iban, second := madeAccount(r, "DE"), spoilt(r, madeAccount(r, "AT"), 1)
		parts := strings.Join(groups(second), " ")
		if read := readScan(t, "", "IBAN: "+iban, "IBAN: "+parts); !tells(read, parts, 0.5) || read.Fields[account].Value != iban {
			t.Errorf("%s below %s: the review is %+v", second, iban, read.Review)
		}
		if read := readScan(t, "", "IBAN: "+iban, "Bankverbindung: 1234567890 BLZ 37040044"); tells(read, "", 0) {
			t.Errorf("the review is %+v", read.Review)
		}
	}
	iban := madeAccount(r, "DE")
	const own = "1234567890 BLZ 37040044"
	if read := readScan(t, iban, "Bankverbindung: "+own); !tells(read, own, 0.95) {
		t.Errorf("beside the code for %s: the review is %+v", iban, read.Review)
	}
}

// Two codes for two accounts, of which the page prints none, contradict each other: nothing says which is meant.
func TestCodesForTwoAccounts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 4))
	first, second := madeAccount(r, "DE"), madeAccount(r, "DE")
	for name, c := range map[string]struct {
		rows []string
		want string // "" is no sure one
	}{
		"neither is printed": {nil, ""}, "the second is printed": {[]string{"IBAN: " + second}, second},
	} {
		page := fmt.Sprintf(bill, "INV-17", "58.31") + "\n" + strings.Join(c.rows, "\n")
		picture := besides(t, payable(t, first, "EUR58.31", "Invoice INV-17"), payable(t, second, "EUR58.31", "Invoice INV-17"))
		read, err := parse.File(t.Context(), picture, parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: page}})
		if err != nil {
			t.Fatal(err)
		}
		f := read.Fields[account]
		switch {
		case f == nil || contradicts(read, account) != (c.want == "") || (f.Confidence > 0.5) != (c.want != ""):
			t.Errorf("%s: the account is %+v, contradicted are %+v", name, f, read.CodeContradictions)
		case c.want != "" && f.Value != c.want:
			t.Errorf("%s: the account is %s, want %s", name, f.Value, c.want)
		}
	}
}

// besides is a picture with the left halves of two beside each other.
func besides(t *testing.T, left, right []byte) []byte {
	t.Helper()
	var pictures [2]image.Image
	for i, data := range [][]byte{left, right} {
		var err error
		if pictures[i], err = png.Decode(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	grey := image.NewGray(pictures[0].Bounds())
	half := grey.Rect.Dx() / 2
	draw.Draw(grey, grey.Rect, pictures[0], image.Point{}, draw.Src)
	draw.Draw(grey, image.Rect(half, 0, grey.Rect.Dx(), grey.Rect.Dy()), pictures[1], image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, grey); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
