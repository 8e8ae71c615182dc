package xpath

import (
	"einvoice/engine/budget"
	"einvoice/model/reuse"
	"einvoice/model/source"
)

// An Evaluation is what evaluating paths in one document needs besides the
// node. It serves one goroutine at a time, and may serve another document after
// End.
type Evaluation struct {
	Tree   *source.Tree // the source document; nil if there is none
	Budget *budget.Budget
	// Mask has the facts of the document that conditions at the route of the visited node
	// ask for (Bindable).
	Mask uint64
	// All has a dispatcher visit what has no need of a visit (Bindable), too.
	All bool

	selections    reuse.Table[selectionState]    // of a dispatcher's walk, by number
	kept          map[keptBy][]source.Ref        // what positional predicates keep
	rooted        map[*SourcePath][]source.Ref   // what absolute paths lead to; nil where that is too much
	compared      map[*comparedPath]literalIndex // nil where that is too much
	comparedNodes []comparedNode                 // of all these
	texts         []string                       // that are compared just now
	sides         span                           // of texts, the left side of a comparison of two paths
	comparing     bool                           // comparedNodes are being gathered
	remembered    int                            // how many nodes rooted has
	first         source.Ref                     // what the last look for a first node found
	names         nameIndex                      // of the document, made when it is asked for
	survey        survey                         // of the document, for a dispatcher
	stands        any                            // what a dispatcher knows of its routes

	around []modelNode  // the groups around the one that is looked at, where a path needs them
	found  []placedNode // what a selection over the model found so far
	places []int32      // where that is
}

// Begin prepares for a document.
func (e *Evaluation) Begin(tree *source.Tree, b *budget.Budget) {
	e.Tree, e.Budget = tree, b
	e.forget()
}

// End forgets the document, so that an evaluation that waits for the next one
// keeps nothing of it alive. Memory without references stays.
func (e *Evaluation) End() {
	e.forget()
	clear(e.around[:cap(e.around)])
	clear(e.found[:cap(e.found)])
	e.Tree, e.Budget = nil, nil
}

func (e *Evaluation) forget() {
	e.names.names, e.remembered = 0, 0
	clear(e.kept)
	clear(e.rooted)
	clear(e.compared)
	if cap(e.survey.routes) > mostRoutesKept {
		e.survey = survey{facts: e.survey.facts}
	}
	e.survey.texts = nil
	e.comparedNodes, e.texts = reuse.Emptied(e.comparedNodes, mostKept), reuse.Emptied(e.texts, mostKept)
}

// mostKept is how many elements working memory has room for that the next document uses.
const mostKept = 1 << 10

// mostRoutesKept is of how many elements the numbers of routes are kept.
const mostRoutesKept = 1 << 16

// bytesPerStep is how much text is worth one step.
const bytesPerStep = 64

// Read pays for what is done with a text. Without an evaluation, nothing is to
// be paid: then the text is a name.
func (e *Evaluation) Read(s string) string {
	if e != nil && len(s) >= bytesPerStep {
		e.Budget.Spend(int64(len(s) / bytesPerStep))
	}
	return s
}
