package parse

import "strings"

// subPosition matches the number of a sub line, as 1.2 below 1.
var subPosition = pattern(`^\d{1,4}(?:\.\d{1,3}){1,3}$`)

// isPartOf tells whether a line's number is that of a part of another line.
func (l *line) isPartOf(whole *line) bool {
	number, of := strings.TrimSuffix(l.position(), "."), strings.TrimSuffix(whole.position(), ".")
	return of != "" && subPosition().MatchString(number) && strings.HasPrefix(number, of+".")
}

// position is the number of a line as it is printed; empty where it has none.
func (l *line) position() string {
	if of := l.texts["position"]; len(of) == 1 {
		return of[0].Text
	}
	return ""
}

// unit is the unit of the quantity, where it is printed as one that is known.
func (l *line) unit() printed {
	for _, w := range append(l.texts["unit"], l.texts["quantityUnit"]...) {
		if code, ok := unitCode(w.Text); ok {
			return printed{code, []*word{w}}
		}
	}
	return printed{}
}

// isStray tells whether a line lacks what lines have: its amount is not quantity times
// price, and it has no number of its own.
func (l *line) isStray() bool {
	_, quantity := l.numbers["quantity"]
	_, price := l.numbers["unitPrice"]
	return !l.isFixed && !(quantity && price) && len(l.texts["position"]) == 0
}
