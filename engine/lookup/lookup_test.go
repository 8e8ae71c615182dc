package lookup_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"einvoice/engine/lookup"
)

func from(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

func vendors(columns ...string) lookup.Shape {
	s := lookup.Shape{Key: "vat", Columns: []lookup.Column{{Name: "iban", Kind: lookup.Text}, {Name: "vat", Kind: lookup.Text}, {Name: "limit", Kind: lookup.Decimal}}}
	s.Without = columns
	return s
}

// Every row that is in a table is found with all its cells, and no other is, whatever the
// cells hold.
func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 11)) //nolint:gosec // the same tables in every run
	letters := []rune("ab,;\"\n üß€0")
	cell := func() string {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		return strings.TrimSpace(b.String())
	}
	quoted := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	for range 200 {
		want := map[string]string{}
		var text strings.Builder
		text.WriteString("vat,limit,iban\n")
		for range r.IntN(300) {
			key := cell()
			if _, twice := want[key]; twice || key == "" {
				continue
			}
			want[key] = cell()
			fmt.Fprintf(&text, "%s,%d.5,%s\n", quoted(key), len(want), quoted(want[key]))
		}
		table, err := lookup.Load(from(text.String()), vendors())
		if err != nil {
			t.Fatal(err)
		}
		if table.Len() != len(want) {
			t.Fatalf("%d rows of %d", table.Len(), len(want))
		}
		for key, iban := range want {
			row, found := table.Find(" " + key)
			if !found || row.Cell(table.Column("iban")) != iban || row.Cell(table.Column("vat")) != key {
				t.Fatalf("%q is %q: %v", key, iban, found)
			}
		}
		for range 100 {
			key := cell()
			if _, found := table.Find(key); found != (want[key] != "" || hasKey(want, key)) {
				t.Fatalf("%q is found: %v", key, found)
			}
		}
	}
}

func hasKey(m map[string]string, key string) bool { _, has := m[key]; return has }

// Whatever lines lie before them, the second row of a key is told with its line; and a row that no
// document finds, as its key has a character that nobody sees, is told.
func TestPlaceInData(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 11)) //nolint:gosec // the same tables in every run
	for range 300 {
		var text strings.Builder
		text.WriteString("vat,limit,iban\n")
		lines := 1
		put := func(row string) (line int) {
			for range r.IntN(3) {
				text.WriteString("\n")
				lines++
			}
			line = lines + 1
			text.WriteString(row + "\n")
			lines += strings.Count(row, "\n") + 1
			return line
		}
		rows := 1 + r.IntN(20)
		for i := range rows {
			put(fmt.Sprintf("k%d,1,\"%s\"", i, strings.Repeat("a\n", r.IntN(3))))
		}
		key := fmt.Sprint("k", r.IntN(rows))
		if r.IntN(2) == 0 {
			hidden := []rune("\u00ad\u200b\u200e\u202a\u2060\ufeff\u0085x")[r.IntN(7)]
			at := r.IntN(len(key) + 1)
			key = key[:at] + string(hidden) + key[at:]
		}
		line := put(key + ",1,b")
		_, err := lookup.Load(from(text.String()), vendors())
		if at, is := errors.AsType[*lookup.Error](err); !is || at.Line != line {
			t.Fatalf("%q in line %d: %+v in\n%s", key, line, err, text.String())
		}
	}
}

// What is wrong with data is told with its place and what to do.
func TestMistakesInData(t *testing.T) {
	for text, wanted := range map[string]string{
		"":                                                        "1:1: the data is empty",
		"vat,iban\n":                                              "1:1: the data has no column limit",
		"vat,ibann,limit\n":                                       `1:1: the data has the column "ibann", which is not declared (did you mean iban?): give it a type`,
		"vat,vat,iban,limit\n":                                    `1:1: two columns are named "vat": rename or remove one`,
		"vat,iban,limit\nDE1,X,1.000,00\n":                        "2:1: the row has 4 cells and the first line has 3: put a cell with a separator in it in quotation marks",
		"vat,iban,limit\nDE1,X,ten\n":                             `2:7: "ten" is not of type decimal, which the column limit has: write it as 1250.00`,
		"vat,iban,limit\n,X,1\n":                                  "2:1: the row has no vat, which is the key",
		"vat,iban,limit\nA,X,1\nB,Y,\nA,Z,\n":                     `4:1: two rows have the key "A", numbers 1 and 3 below the first line: remove one`,
		"vat;iban;limit\nA;X;1\n":                                 "1:1: the first line is one cell, \"vat;iban;limit\": say what is between its cells, as in `separator: ;`",
		"vat\tiban\tlimit\nA\tX\t1\n":                             `as in ` + "`separator: \"\\t\"`",
		"VAT,iban,limit\nA,X,1\n":                                 `the column "VAT", which is not declared (did you mean vat?)`,
		"vat,iban,limit\nA,M\xfcller,1\n":                         `2:3: "M\xfcller" is not UTF-8: save the data as UTF-8`,
		"vat,iban,limit\nA\x00,X,1\n":                             `2:1: "A\x00" has a control character: remove it`,
		"\xff\xfev\x00a\x00t\x00":                                 "1:1: the data is UTF-16: save it as UTF-8",
		"PK\x03\x04\x14\x00\x06\x00":                              "1:1: the data is a workbook or a ZIP: save the sheet as CSV",
		"vat,iban,limit\n\nB,\"X\nY\",1\n\nA\u200b,X,1\n":         `6:1: "A\u200b", which is the key, has the character U+200B`,
		"vat,iban,limit\rA,X,1\r":                                 `has a carriage return without a line feed`,
		"v\xe4t,iban,limit\nA,X,1\n":                              `1:1: "v\xe4t" is not UTF-8`,
		"vat,iban,limit\nA,\"X,1\n":                               "cannot be read",
		"vat,iban,limit\nA," + strings.Repeat("x", 1<<17) + ",\n": "2:1: the row has more than 65536 bytes",
	} {
		_, err := lookup.Load(from(text), vendors())
		at, is := errors.AsType[*lookup.Error](err)
		if !is {
			t.Errorf("%.60q: %v", text, err)
			continue
		}
		if said := fmt.Sprintf("%d:%d: %s", at.Line, at.Column, at.Message); !strings.Contains(said, wanted) {
			t.Errorf("%.60q: %s, not %s", text, said, wanted)
		}
	}
	if _, err := lookup.Load(from("\ufeffvat;iban;limit;more\nDE1;X;-1.5;y\n"), func() lookup.Shape { s := vendors("more"); s.Separator = ';'; return s }()); err != nil {
		t.Error(err)
	}
}

// Data that did not change is held once, however often its rules are loaded.
func TestSharedData(t *testing.T) {
	text := "vat,iban,limit\nDE1,X,1\n"
	a, err := lookup.Load(from(text), vendors())
	if err != nil {
		t.Fatal(err)
	}
	if b, err := lookup.Load(from(text), vendors()); err != nil || a != b {
		t.Errorf("the same data is held twice: %v", err)
	}
	other := vendors()
	other.Columns[0].Kind = lookup.Boolean
	if _, err := lookup.Load(from(text), other); err == nil {
		t.Error("another shape takes the rows of the first")
	}
	runtime.KeepAlive(a)
}

// million writes a million vendors without holding them.
func million() (io.ReadCloser, error) {
	r, w := io.Pipe()
	go func() {
		_, err := io.WriteString(w, "vat,iban,limit,name\n")
		for i := range 1_000_000 {
			if err == nil {
				_, err = fmt.Fprintf(w, "DE%09d,DE%020d,%d.00,Vendor number %d of a table\n", i*7, i, i%100_000, i)
			}
		}
		w.CloseWithError(err)
	}()
	return r, nil
}

// A million rows take at most 200 MB. BenchmarkFind says how long a look-up takes.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million rows")
	}
	table := loadMillion(t)
	t.Logf("%d rows take %d bytes", table.Len(), table.Memory())
	if table.Len() != 1_000_000 || table.Memory() > 200e6 {
		t.Errorf("%d rows take %d bytes", table.Len(), table.Memory())
	}
	if row, found := table.Find("DE006999993"); !found || row.Cell(table.Column("iban")) != "DE00000000000000999999" {
		t.Errorf("the last row is not found: %v %v", found, row)
	}
}

func loadMillion(t testing.TB) *lookup.Table {
	t.Helper()
	s := vendors()
	s.Columns = append(s.Columns, lookup.Column{Name: "name", Kind: lookup.Text})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	table, err := lookup.Load(million, s)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 200e6 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	return table
}
