package xpath

import (
	"fmt"

	"einvoice/model"
)

// Parse reads the context of a rule: absolute location paths down to elements or
// groups, joined by |.
func Parse(text string) (*Union, error) {
	u, err := ParseRelative(text)
	if err != nil {
		return nil, err
	}
	for i := range u.Paths {
		if path := &u.Paths[i]; !path.Absolute {
			return nil, &Error{Column: path.Steps[0].Column, Message: "a context begins with / at the root of the invoice or document"}
		}
	}
	return u, nil
}

// ParseRelative reads location paths that may begin at a node, joined by |.
func ParseRelative(text string) (*Union, error) {
	x, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := offered(&x); err != nil {
		return nil, err
	}
	if x.Op != Path && x.Op != Joined {
		return nil, &Error{Column: x.Column, Message: "this selects nothing: a path leads to elements or groups; decisions belong into the CEL assertion"}
	}
	return &Union{Text: text, Paths: x.paths(nil)}, nil
}

// offered says why rules may not hold an expression, and what to write instead;
// nil if they may.
func offered(x *Expr) error {
	if remedy, not := notOffered[x.Op]; not {
		return &Error{Column: x.Column, Message: remedy}
	}
	if x.Op == Path {
		return offeredPath(&x.Path, x.Column)
	}
	if x.Op == Number {
		if _, err := model.ParseDecimal(x.Value); err != nil {
			return &Error{Column: x.Column, Message: err.Error()}
		}
	}
	if err := refuseBooleanOfPath(x); err != nil {
		return err
	}
	for i := range x.Args {
		if err := offered(&x.Args[i]); err != nil {
			return err
		}
	}
	return nil
}

const computed = "rules have no arithmetic in paths: compute in the CEL assertion"

// notOffered are the operations of XPath 1.0 that rules may not use.
var notOffered = map[Op]string{
	add: computed, subtract: computed, multiply: computed, divide: computed, modulo: computed,
	variable: "there are no variables: write the value, or ${name} for a constant of the ruleset",
	filter:   "nothing can follow parentheses: put the steps and predicates to each path in them; (//a)[1] is decided in the CEL assertion",
}

// refuseBooleanOfPath refuses to compare a path with true() or false(), which
// asks whether there is anything at the path, where XPath 2.0 asks what is
// written there.
func refuseBooleanOfPath(x *Expr) error {
	if x.Op != Equal && x.Op != NotEqual {
		return nil
	}
	for i := range x.Args {
		path, constant := &x.Args[i], &x.Args[1-i]
		if path.kind() == kindNodes && constant.Op == Call && (constant.Name == "true" || constant.Name == "false") {
			written := map[string]string{"true": "a[. = 'true' or . = '1']", "false": "a[. = 'false' or . = '0']"}[constant.Name]
			return &Error{Column: constant.Column, Message: fmt.Sprintf("a path compared with %s() asks whether it leads to anything: write [a] or [not(a)] for that, and %s for what an xs:boolean says", constant.Name, written)}
		}
	}
	return nil
}

func offeredPath(path *LocationPath, column int) error {
	if len(path.Steps) == 0 {
		return &Error{Column: column, Message: "/ alone is the root and selects no element: write /* for the document element, or /invoice"}
	}
	for i := range path.Steps {
		if err := offeredStep(&path.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// otherAxes say what to write in place of an axis that rules may not use.
var otherAxes = map[Axis]string{
	descendant:       "write //a, and .//a below a node",
	descendantOrSelf: "write //a, and .//a below a node",
	ancestorOrSelf:   "write self::a | ancestor::a",
	following:        "write //a",
	preceding:        "write //a",
	namespace:        "prefixes are fixed, whatever a document declares",
}

func offeredStep(step *Step) error {
	if remedy, other := otherAxes[step.Axis]; other {
		return &Error{Column: step.Column, Message: fmt.Sprintf("rules do not have the axis %s: %s", step.Axis, remedy)}
	}
	upOrSelf := step.Axis == Parent || step.Axis == Self
	switch {
	case step.Name == anyNode && !upOrSelf:
		return &Error{Column: step.Column, Message: "write * for any element and @* for any attribute: rules see no other nodes"}
	case step.Name == anyNode && len(step.Predicates) > 0:
		return &Error{Column: step.Column, Message: fmt.Sprintf("write %s::*[...]", step.Axis)}
	case step.Name == "text()":
		return &Error{Column: step.Column, Message: "leave text() out: the value of an element is its text"}
	case step.Name[len(step.Name)-1] == ')' && step.Name != anyNode:
		return &Error{Column: step.Column, Message: "rules see elements and attributes only"}
	case step.Descendant && (upOrSelf || step.Axis.leadsAround()):
		return &Error{Column: step.Column, Message: "// leads down to a name: write //a, and //a/.. for what is around it"}
	}
	for i := range step.Predicates {
		if err := offered(&step.Predicates[i]); err != nil {
			return err
		}
	}
	return nil
}

// downwards refuses a path that does not only go down to elements and attributes,
// as a context and the path of a row must.
func (path *LocationPath) downwards() error {
	for i := range path.Steps {
		switch step := &path.Steps[i]; step.Axis {
		case Parent:
			return &Error{Column: step.Column, Message: "a context only goes down: for /a/b/.. write /a[b]"}
		case Ancestor, FollowingSibling, PrecedingSibling:
			return &Error{Column: step.Column, Message: fmt.Sprintf("a context only goes down: for /a/%s::b write //b with a condition", step.Axis)}
		case Self:
			return &Error{Column: step.Column, Message: "a context only goes down: leave . out, and for /a/self::b write /a[self::b]"}
		case Attribute:
			if i < len(path.Steps)-1 {
				return &Error{Column: step.Column, Message: "nothing is below an attribute: for /a/@b/.. write /a[@b]"}
			}
		}
	}
	return nil
}
