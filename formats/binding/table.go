package binding

import (
	"fmt"
	"slices"
	"strings"
)

// A table is a table of bindings as its YAML file has it. The keys are explained
// in the package comment.
type table struct {
	amounts struct {
		currency string
		always   bool
	}
	dates struct {
		layout    string // isoDates or compactDates
		attribute string // must have value; empty if none is needed
		value     string
	}
	kinds map[string][]row
	rows  []row
}

// The date layouts that a table can name.
const (
	isoDates     = "2006-01-02"
	compactDates = "20060102"
)

// A row of the table.
type row struct {
	line int
	// path is the XML path, by root element; the key is empty if it is the same under
	// all of them.
	path map[string]string

	term, group, list, around string
	like                      string
	as, in                    string // the kind that rows are taken from, and the group that it is about
	rows                      []row
	once, rest                bool
	first                     bool // of the elements that one entry is split into

	fixed  *string
	match  match
	equals string
	needs  string
	unless []unlessClause

	codes    map[string]string // from the code in the document to that in the model
	prefix   *prefix
	shape    string
	readOnly bool

	// For writing only.
	always     bool
	limit      int
	split      string
	prefer     *preference
	unlessSame string
	otherwise  *otherwise
}

// A preference chooses the entries of the enclosing list that a term is written in
// which does not belong to that list.
type preference struct {
	term  string
	codes []string
}

// otherwise is what is written if a term is absent but the schema requires its
// element: a text, or amounts that are added or subtracted. A placeholder is a text that
// says nothing, and is not read as the term.
type otherwise struct {
	text        string
	placeholder string
	total       string // a term of a list
	sum         []string
	difference  []string
}

// An unlessClause is something beside an element that prevents its row from
// binding it.
type unlessClause struct {
	path   string
	equals string
}

// A prefix is a term that is written between marks in front of another term's
// text.
type prefix struct {
	term   string
	mark   string
	length int
}

// A match says how a value of the document is compared with the one in the table.
type match string

const (
	matchExact    match = ""
	matchCaseless match = "caseless"
	matchBoolean  match = "boolean"
	matchAny      match = "any"
)

// shapeIBAN is the only shape that a value can be required to have.
const shapeIBAN = "iban"

// pathUnder is the row's path in documents with the given root element.
func (r *row) pathUnder(root string) (path string, ok bool) {
	if path, ok = r.path[""]; ok {
		return path, true
	}
	path, ok = r.path[root]
	return path, ok
}

// check refuses rows that say nothing or contradict themselves.
func (r *row) check() error {
	kinds := 0
	for _, given := range []bool{r.term != "", r.group != "", r.list != "", r.around != "", r.fixed != nil, r.equals != ""} {
		if given {
			kinds++
		}
	}
	switch {
	case len(r.path) == 0:
		return r.errorf("a row needs a path")
	case kinds > 1:
		return r.errorf("a row is one of term, group, list, around, fixed and equals")
	case kinds == 0 && r.rows == nil && r.as == "":
		return r.errorf("a row without rows inside must say term, fixed or equals")
	case r.in != "" && (r.as == "" || r.group+r.list != ""):
		return r.errorf("in needs as, and excludes group and list")
	case (r.once || r.rest) && r.rows == nil && r.as == "":
		return r.errorf("once and rest need rows")
	case r.like != "" && (r.list == "" || r.rows != nil):
		return r.errorf("like needs list, and excludes rows")
	case r.rows != nil && (r.term != "" || r.fixed != nil || r.equals != ""):
		return r.errorf("a term or value has no rows inside; use a row with path: .")
	case r.match != matchExact && r.fixed == nil:
		return r.errorf("match needs fixed")
	case r.match != matchExact && r.match != matchCaseless && r.match != matchBoolean && r.match != matchAny:
		return r.errorf("match %q is unknown; use caseless, boolean or any", r.match)
	case r.first && r.term == "":
		return r.errorf("first needs term")
	case r.otherwise != nil && r.term == "":
		return r.errorf("otherwise needs term")
	case r.unlessSame != "" && r.term == "":
		return r.errorf("unlessSame needs term")
	case (r.limit != 0 || r.split != "") && r.list == "":
		return r.errorf("limit and split need list")
	case r.shape != "" && r.shape != shapeIBAN:
		return r.errorf("shape %q is unknown; use %s", r.shape, shapeIBAN)
	}
	return nil
}

// sealed reports whether the model paths of all rows inside begin with prefix.
func (r *row) sealed(prefix string) bool {
	for i := range r.rows {
		inner := &r.rows[i]
		path := inner.term + inner.group + inner.list + inner.around
		if inner.equals != "" || path != "" && !strings.HasPrefix(path, prefix) || !inner.sealed(prefix) {
			return false
		}
	}
	return true
}

// sharesWithOthers reports whether the element of a group holds a term of another group too, as
// InvoicePeriod of UBL holds the VAT point date code.
func (r *row) sharesWithOthers() bool {
	for i := range r.rows {
		if term := r.rows[i].term; r.group != "" && term != "" && !strings.HasPrefix(term, r.group+".") && term[0] != '.' {
			return true
		}
	}
	return false
}

func (r *row) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{r.line}, args...)...)
}

// checkRoots refuses rows for root elements that the format does not have.
func checkRoots(rows []row, roots []string) error {
	for i := range rows {
		for root := range rows[i].path {
			if root != "" && !slices.Contains(roots, root) {
				return rows[i].errorf("the format has no root %s", root)
			}
		}
		if err := checkRoots(rows[i].rows, roots); err != nil {
			return err
		}
	}
	return nil
}
