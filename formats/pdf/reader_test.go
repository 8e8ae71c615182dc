package pdf_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/pdftest"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// objects opens a PDF that has these objects before its pages and its catalog.
func objects(tb testing.TB, bodies ...string) *pdf.Container {
	tb.Helper()
	var w pdftest.Writer
	for _, body := range bodies {
		w.Add(body)
	}
	pages := w.Pages(1, "")
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(pages) + " >>")
	return open(tb, w.Close("/Root "+pdftest.Ref(root)))
}

func ref(number int) types.Object { return *types.NewIndirectRef(number, 0) }

func reader(c *pdf.Container, steps int) *pdf.Reader {
	return c.Reader(steps, time.Now().Add(time.Minute))
}

func TestReaderValues(t *testing.T) {
	c := objects(t,
		"<< /Name /Value /Text (a) /Number 1.5 /Numbers [1 2 3 4] /Mixed [1 (a)] /True true >>",
		"1 0 R",
		"[ 1 0 R 99 0 R ]",
		"<< /Length 3 >>\nstream\nabc\nendstream",
	)
	r := reader(c, 1000)
	d := r.Dict(ref(1))
	if r.Name(d["Name"]) != "Value" || r.Text(d["Text"]) != "a" || r.Integer(d["Number"], 9) != 1 || !r.Boolean(d["True"]) {
		t.Errorf("the values of %v are wrong", d)
	}
	if v, ok := r.Number(d["Number"]); v != 1.5 || !ok {
		t.Errorf("the number is %v, %v", v, ok)
	}
	if got := fmt.Sprint(r.Numbers(d["Numbers"], 4), r.Numbers(d["Numbers"], 3), r.Numbers(d["Mixed"], 2)); got != "[1 2 3 4] [] []" {
		t.Errorf("the numbers are %s", got)
	}
	if r.Resolve(ref(2)) != nil || r.Resolve(ref(99)) != nil {
		t.Error("a reference to a reference, or to no object, is not null")
	}
	if a := r.Array(ref(3)); len(a) != 2 || r.Dict(a[0]) == nil || r.Resolve(a[1]) != nil {
		t.Errorf("the array is %v", a)
	}
	if r.Dict(ref(4)) != nil || r.Entries(ref(4)) == nil {
		t.Error("a stream is taken for a dictionary, or has no entries")
	}
	if s, ok := r.Stream(ref(4)); !ok {
		t.Error("the stream is none")
	} else if data, err := r.Decode(s); err != nil || string(data) != "abc" {
		t.Errorf("the stream is %q, %v", data, err)
	}
	if r.Err() != nil {
		t.Errorf("the reader has ended: %v", r.Err())
	}
}

// After the first limit that is exceeded, nothing more is found, and the error is that
// of the first.
func TestReaderEndsAtALimit(t *testing.T) {
	c := objects(t, "<< /A 1 >>")
	for name, r := range map[string]*pdf.Reader{
		"steps":   reader(c, 2),
		"time":    c.Reader(1000, time.Now().Add(-time.Second)),
		"decoded": func() *pdf.Reader { r := reader(objects(t, "<< /A 1 >>"), 1000); r.Decoded(1 << 30); return r }(),
	} {
		for range 3 {
			r.Resolve(ref(1))
		}
		first := r.Err()
		if first == nil || typed(t, first).Code != pdf.CodeLimit {
			t.Errorf("%s: the error is %v", name, first)
		}
		r.Fail(errors.New("another"))
		if r.Resolve(ref(1)) != nil || r.Step() || !errors.Is(r.Err(), first) {
			t.Errorf("%s: the reader goes on, with %v", name, r.Err())
		}
		if r.Dict(types.Dict{"A": types.Integer(1)}) == nil {
			t.Errorf("%s: a direct object is lost", name)
		}
	}
}

func TestReaderDecodeLimits(t *testing.T) {
	var w pdftest.Writer
	small := w.Stream("", []byte(strings.Repeat("a", 600)))
	many := w.Raw("/Filter ["+strings.Repeat("/DCTDecode ", 9)+"]", []byte("data"))
	root := w.Add("<< /Type /Catalog /Pages " + pdftest.Ref(w.Pages(1, "")) + " >>")
	c, err := pdf.Open(w.Close("/Root "+pdftest.Ref(root)), pdf.Limits{Decoded: 1000})
	if err != nil {
		t.Fatal(err)
	}
	r := reader(c, 1000)
	s, _ := r.Stream(ref(small))
	if data, err := r.Decode(s); len(data) != 600 || err != nil || r.DecodeLeft() != 400 {
		t.Errorf("%d bytes, %v, %d left", len(data), err, r.DecodeLeft())
	}
	if data, err := r.Decode(s); data != nil || !errors.Is(err, pdf.ErrDecodeLimit) || r.Err() != nil {
		t.Errorf("beyond the limit: %d bytes, %v, %v", len(data), err, r.Err())
	}
	s, _ = r.Stream(ref(many))
	if _, err := r.Decode(s); err == nil || typed(t, err).Code != pdf.CodeLimit {
		t.Errorf("nine filters: %v", err)
	}
}

// Pages are visited once and in order, with the resources that they have or inherit.
func TestReaderPages(t *testing.T) {
	c := objects(t,
		"<< /Kids [2 0 R 5 0 R 1 0 R] /Resources << /R 1 >> >>",
		"<< /Kids [3 0 R 4 0 R] /Resources << /R 2 >> >>",
		"<< /N 3 >>",
		"<< /N 4 /Resources << /R 4 >> >>",
		"<< /N 5 >>",
	)
	r := reader(c, 1000)
	var got []string
	r.Pages(ref(1), func(page types.Dict, resources types.Object) {
		got = append(got, fmt.Sprintf("%d:%d", r.Integer(page["N"], 0), r.Integer(r.Dict(resources)["R"], 0)))
	})
	if want := "3:2 4:4 5:1"; strings.Join(got, " ") != want || r.Err() != nil {
		t.Errorf("got %s, %v; want %s", got, r.Err(), want)
	}
}

// An object that is added does not take the number of one that is there, whatever the
// trailer says.
func TestDocumentAdd(t *testing.T) {
	data := pdftest.Hybrid(file("factur-x.xml", cii))
	data = []byte(strings.Replace(string(data), "/Size", "/Size 2 /Ignored", 1))
	d := open(t, data).Document()
	before := len(d.References())
	added := d.Add(types.Name("New"))
	if o, err := d.Object(added); o != types.Name("New") || err != nil || !d.Contains(added) {
		t.Errorf("the object is %v, %v", o, err)
	}
	if after := len(d.References()); after != before+1 {
		t.Errorf("%d objects after %d", after, before)
	}
	d.Replace(added, nil)
	if d.Contains(added) {
		t.Error("an object that was replaced by nothing is there")
	}
	if _, err := d.Catalog(); err != nil {
		t.Error(err)
	}
}
