package model

// The subtypes of lines of Factur-X EXTENDED (BT-X-8). A line without one is a detail.
const (
	LineDetail      = "DETAIL"      // part of the totals
	LineGroup       = "GROUP"       // the sum of other lines
	LineInformation = "INFORMATION" // shown only
)

// CountsInTotals reports whether the net amount of a line of this subtype (BT-X-8) is
// part of the totals.
func CountsInTotals(statusReasonCode Text) bool {
	code := trimXMLSpace(statusReasonCode.Raw)
	return code != LineGroup && code != LineInformation
}

// Subtype is the subtype (BT-X-8) of a line within another one, which is nil for a line
// that is in no other. A sub line that says none is a detail of a group; of any other
// line, which counts itself, it is information.
func (l *Line) Subtype(around *Line) Text {
	switch {
	case l.StatusReasonCode.Present || around == nil:
		return l.StatusReasonCode
	case trimXMLSpace(around.StatusReasonCode.Raw) == LineGroup:
		return NewText(LineDetail)
	}
	return NewText(LineInformation)
}

// EachLine calls f for every line and, after it, for the sub lines inside it. around is
// the line that a sub line is in, nil for other lines.
func (inv *Invoice) EachLine(f func(l, around *Line)) { eachLine(inv.Lines, nil, f) }

func eachLine(lines []Line, around *Line, f func(l, around *Line)) {
	for i := range lines {
		f(&lines[i], around)
		eachLine(lines[i].SubLines, &lines[i], f)
	}
}

// Flat are the lines with the sub lines inside them as lines of their own after them, as
// Factur-X EXTENDED has them: each names the line that it belongs to (BT-X-304), and its
// subtype.
func (inv *Invoice) Flat() []Line {
	var flat []Line
	inv.EachLine(func(l, around *Line) {
		line := *l
		line.SubLines = nil
		if around != nil {
			line.StatusReasonCode = l.Subtype(around)
			if !l.ParentLineIdentifier.Present {
				line.ParentLineIdentifier = around.Identifier
			}
		}
		flat = append(flat, line)
	})
	return flat
}
