package expr

import "einvoice/model"

// Everything that can take long pays for it in steps of the budget: a loop for
// each element, by the size of what it evaluates there; functions by the length
// of the texts, lists and numbers that they read and make. What a rule costs is
// therefore bounded, whatever its author wrote and however long the document is.

const (
	// nodesPerStep is how many operations of an expression are worth one step.
	nodesPerStep = 8
	// bytesPerStep is how many bytes of text that is read are worth one step.
	bytesPerStep = 64
	// written is how much dearer a byte is that is made: it takes memory.
	written = 32
	// rewritten is how much dearer a byte is of a text in which a regular expression
	// finds all matches, each with its positions.
	rewritten = 512
	// digitsPerStep is how many digits of a long number are worth one step.
	digitsPerStep = 16
	// maxDigits is how many digits a number may grow to by computing.
	maxDigits = 2000
)

// price is what evaluating an expression once costs, its loops aside.
func price(n *node) int64 { return 1 + n.weight()/nodesPerStep }

// step takes one step of the budget; false stops the evaluation.
func (act *Activation) step() bool { return act.budget.Step() }

// pay takes steps for so many bytes; false stops the evaluation.
func (act *Activation) pay(bytes int) bool {
	return bytes < bytesPerStep || act.spend(bytes/bytesPerStep)
}

// payDigits takes steps for a number with many digits.
func (act *Activation) payDigits(d model.Decimal) bool {
	return d.Length() < digitsPerStep || act.spend(d.Length()/digitsPerStep)
}

// spend is not inlined, so that its callers are, which rarely call it.
//
//go:noinline
func (act *Activation) spend(steps int) bool { return act.budget.Spend(int64(steps)) }

// payElements takes a step for each element of a list, and more for long ones.
func (act *Activation) payElements(l *list) bool {
	steps := l.len()
	for _, s := range l.all().texts {
		steps += len(s) / bytesPerStep
	}
	for _, d := range l.all().decimals {
		steps += d.Length() / digitsPerStep
	}
	return act.spend(steps)
}
