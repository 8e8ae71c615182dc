package parse

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"sync"

	"einvoice/formats/parse/layout"
	"einvoice/model"
	"einvoice/model/strictyaml"
)

// An Asker asks a large language model which words of the pages are which value. It
// answers with words alone, so what is not on the pages cannot be in the answer. After an
// *AskError the pages are read without it; any other error ends the reading.
type Asker interface {
	Ask(ctx context.Context, q *Question) (*Answer, error)
}

// A Question is what a model is asked.
type Question struct {
	// Text has the rows of the pages; before each word are its number and a colon.
	Text  string
	Words int // their number; they are counted from 1
	// Fields, Vat (of each row of the VAT breakdown) and Lines (of each line) are what is
	// asked for.
	Fields, Vat, Lines []AskedField
	// Pictures makes pictures of the pages, for models that see; nil where there are none.
	Pictures func(ctx context.Context) ([]*image.Gray, error)
	// Earlier is the answer that Objections are about; nil in the first question.
	Earlier    *Answer
	Objections []string
}

// An AskedField is one value that is asked for.
type AskedField struct {
	Name    string // in question and answer
	Pointer string // of the value in the invoice, or of a line its column
	Type    string // identifier, date, amount, number, percentage, currency, iban, vatIdentifier or text
	What    string // the question
}

// An Answer has the numbers of the words of each value, by the names of the fields. A
// value that is not printed is empty or missing.
type Answer struct {
	Fields map[string][]int   `json:"fields"`
	Vat    []map[string][]int `json:"vat"`
	Lines  []map[string][]int `json:"lines"`
}

// An AskError says why a model gave no answer. It has nothing of the question or answer.
type AskError struct {
	Reason Reason
	Detail string // a status or a limit; empty where the reason says all
	Cause  error
}

// A Reason is a kind of failure.
type Reason string

// The reasons.
const (
	ReasonUnreachable Reason = "unreachable" // no connection, or it broke
	ReasonTimeout     Reason = "timeout"     // no answer in the time of Detail
	ReasonStatus      Reason = "status"      // the HTTP status of Detail
	ReasonSize        Reason = "size"        // an answer of more bytes than Detail
	ReasonWords       Reason = "words"       // pages with more words than Detail
	ReasonPictures    Reason = "pictures"    // no pictures of the pages could be made
	ReasonAnswer      Reason = "answer"      // an answer of another form than was asked for
)

func (e *AskError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the language model gave no answer: %s %s", e.Reason, e.Detail))
}

func (e *AskError) Unwrap() error { return e.Cause }

// Aids are what reads what the program alone does not; each may be nil.
type Aids struct {
	OCR   Recogniser // for text in pictures
	Model Asker      // a large language model
	// Check says what the rules find wrong in an invoice; the model hears of it once.
	Check func(ctx context.Context, invoice *model.Invoice) ([]Mistake, error)
}

// A Mistake is what rules find wrong in an invoice.
type Mistake struct {
	Fields  []string // as JSON pointers
	Message string
}

//go:embed asked.yaml
var askedYAML []byte

// asked is what a model is asked for. A test reads it too, so that it cannot fail in a
// released program.
var asked = sync.OnceValue(func() (all struct{ Fields, Vat, Lines []AskedField }) {
	if err := strictyaml.Decode(askedYAML, &all); err != nil {
		panic(err)
	}
	return all
})

// maxObjections bounds what a model is told of its answer.
const maxObjections = 40

// consult asks a model, tells it once what is wrong with its answer, and gives the
// better of the two results. A model that does not answer leaves the result that the
// program alone has.
func (d *document) consult(ctx context.Context, own *builder, with Aids, pictures func(context.Context) ([]*image.Gray, error)) (*builder, error) {
	numbered := d.numberWords()
	q := &Question{Text: numbered.text, Words: len(numbered.words), Fields: asked().Fields, Vat: asked().Vat, Lines: asked().Lines, Pictures: pictures}
	best, fewest := own, -1
	for range 2 {
		answer, err := with.Model.Ask(ctx, q)
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		if why, ok := errors.AsType[*AskError](err); ok {
			best.result.Unanswered = why
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		b, objections := d.arbitrate(own, numbered, answer)
		if with.Check != nil {
			found, err := with.Check(ctx, b.result.Invoice)
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				if slices.ContainsFunc(m.Fields, isAsked) {
					objections = append(objections, m.Message)
				}
			}
		}
		if fewest < 0 || len(objections) < fewest {
			best, fewest = b, len(objections)
		}
		if len(objections) == 0 {
			break
		}
		q.Earlier, q.Objections = answer, objections[:min(len(objections), maxObjections)]
	}
	return best, nil
}

// isAsked reports whether an answer can change a value.
func isAsked(pointer string) bool {
	return strings.HasPrefix(pointer, linesAt) || strings.HasPrefix(pointer, totalsAt) || strings.HasPrefix(pointer, vatAt) ||
		slices.ContainsFunc(asked().Fields, func(f AskedField) bool { return f.Pointer == pointer })
}

// A numbering has the visible words of all pages by their numbers, from 1.
type numbering struct {
	text  string
	words []*layout.Word
	rows  map[*layout.Word]*layout.Row
}

// numberWords writes the rows of the pages with a number before each word. Words that a
// reader does not see are not among them.
func (d *document) numberWords() *numbering {
	n := &numbering{rows: map[*layout.Word]*layout.Row{}}
	var b strings.Builder
	page := 0
	for _, r := range d.Layout.Rows {
		if r.Page != page {
			page = r.Page
			fmt.Fprintf(&b, "page %d\n", page)
		}
		for i := range r.Cells {
			if i > 0 {
				b.WriteString(" | ")
			}
			for j, w := range r.Cells[i].Words() {
				if j > 0 {
					b.WriteByte(' ')
				}
				n.words = append(n.words, w)
				n.rows[w] = r
				fmt.Fprintf(&b, "%d:%s", len(n.words), w.Text)
			}
		}
		b.WriteByte('\n')
	}
	n.text = b.String()
	return n
}
