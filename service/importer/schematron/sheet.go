package schematron

import "fmt"

// A Sheet is what an artefact holds.
type Sheet struct {
	Patterns  []*Pattern
	Variables []Variable        // seen by all rules
	Functions []*Function       // of its own
	Prefixes  map[string]string // of the names in its expressions
	Phase     string            // of a Schematron, whose patterns these are; "" where they are all
}

// A Pattern is rules of which the first whose context matches a node takes it.
type Pattern struct {
	Name      string
	Variables []Variable
	Rules     []*Rule
}

// A Rule is a context and what it asks of each node.
type Rule struct {
	Context string
	Asserts []*Assert
	Line    int
}

// An Assert is a condition that holds for the nodes of a context; that of a report must not.
type Assert struct {
	ID, Level string
	Test      string
	Report    bool
	Variables []Variable // of the rule, before it
	Line      int
}

// A Variable is a name for an expression.
type Variable struct {
	Name, Select string
	Line         int
}

// A Function is a function of the artefact's own.
type Function struct {
	Name       string
	Parameters []Parameter
	Variables  []Variable
	Result     string // "" where it is more than an expression
	Line       int
}

// A Parameter is one of a function's, with the type that its argument is made.
type Parameter struct{ Name, Type string }

// An Error is a mistake in an artefact.
type Error struct {
	File    string
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message) }
