package binding

import (
	"cmp"
	"slices"
	"strings"
)

// expanded are rows with those of the kinds that they name. base is the group or list
// around them, which model paths that begin with a dot are relative to. around are the
// kinds that are being expanded.
func (t *table) expanded(rows []row, base string, around []string) ([]row, error) {
	out := make([]row, 0, len(rows))
	for i := range rows {
		r := rows[i]
		r.relativeTo(base)
		inside, of := r.rows, around
		if r.as != "" {
			kind, ok := t.kinds[r.as]
			switch {
			case !ok:
				return nil, r.errorf("there is no kind %q", r.as)
			case slices.Contains(around, r.as):
				return nil, r.errorf("kind %q contains itself", r.as)
			}
			inside, of = slices.Concat(inside, kind), append(slices.Clip(around), r.as)
		}
		if inside != nil {
			var err error
			if r.rows, err = t.expanded(inside, cmp.Or(r.group, r.list, r.in, base), of); err != nil {
				return nil, err
			}
		}
		if r.splices() {
			out = append(out, r.rows...)
		} else {
			out = append(out, r)
		}
	}
	return out, nil
}

// splices reports whether the rows of a kind are added to those beside the row, because
// they are about the same element.
func (r *row) splices() bool { return r.as != "" && r.path[""] == "." }

// relativeTo completes the model paths of a row that begin with a dot.
func (r *row) relativeTo(base string) {
	for _, path := range []*string{&r.term, &r.group, &r.list, &r.around, &r.in, &r.split} {
		if strings.HasPrefix(*path, ".") {
			*path = base + *path
		}
	}
}
