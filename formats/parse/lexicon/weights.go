package lexicon

import (
	_ "embed"
	"sync"

	"einvoice/model/strictyaml"
)

//go:embed weights.yaml
var weightsYAML []byte

// Weights say how much each kind of evidence counts; weights.yaml says what each is.
type Weights struct {
	Head struct {
		Beside, Below, Column, Skip, Row, Length, Colon, Start, Across, Large, Later, Numbered, Titled, Untitled, First float64
	}
	Title  struct{ High, Bold, Sentence float64 }
	Amount struct {
		Beside, Above, Length, Longer, Start, Further, Row, Second, Base, Sum float64
	}
	Chain struct {
		Enough, Groups, Lines, Rate, Unrated, Untaxed, Taxes, Other, Near, Against float64
	}
	Due  struct{ Least, Gross, Sure, Unproved float64 }
	Name struct {
		Form, Label, Sender, Beside, Address, Holder, Legal, Largest, Part, Bonus, Again, Letterhead, Imprint, Domain, Bank, Ranked float64
	}
	Band struct {
		Overlap, Edge, Kind, Other, Headless, Empty, Needed, Point float64
	}
}

// Weigh returns the weights, read when they are first needed. A test reads them too, so
// that this cannot fail in a released program.
var Weigh = sync.OnceValue(func() *Weights {
	w := &Weights{}
	if err := strictyaml.Decode(weightsYAML, w); err != nil {
		panic(err)
	}
	return w
})
