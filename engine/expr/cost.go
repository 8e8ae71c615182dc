package expr

import "einvoice/engine/budget"

// Everything that can take long pays for it in steps of the budget: a loop for
// each element, by the size of what it evaluates there; functions by the length
// of the texts and lists that they read and make. What a rule costs is therefore
// bounded, whatever its author wrote and however long the document is.

const (
	// nodesPerStep is how many operations of an expression are worth one step.
	nodesPerStep = 8
	// bytesPerStep is how many bytes of text that is read are worth one step.
	bytesPerStep = 64
	// written is how much dearer a byte is that is made: it takes memory.
	written = 8
	// matched is how much dearer a byte is that a regular expression looks at, and
	// rewritten one of a text that it takes apart, with a place for each match.
	matched   = 64
	rewritten = 512
)

// price is what evaluating an expression once costs, its loops aside.
func price(n *node) int64 { return 1 + n.weight()/nodesPerStep }

// step takes one step of the budget; false stops the evaluation.
func (act *Activation) step() bool { return act.budget().Step() }

// pay takes steps for so many bytes; false stops the evaluation.
func (act *Activation) pay(bytes int) bool {
	return bytes < bytesPerStep || act.budget().Spend(int64(bytes/bytesPerStep))
}

func (act *Activation) budget() *budget.Budget { return act.evaluation.Budget }

// payElements takes a step for each element of a list.
func (act *Activation) payElements(l *list) bool {
	return act.budget().Spend(int64(l.len()) + l.longTexts())
}

// longTexts are the steps for reading the texts of a list, beyond one for each.
func (l *list) longTexts() (steps int64) {
	for _, s := range l.texts {
		steps += int64(len(s) / bytesPerStep)
	}
	return steps
}
