package engine

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
)

// A fieldPath is an entry of a rule's fields: relative to the context, or from
// the invoice with a leading slash.
type fieldPath struct {
	absolute bool
	steps    []*model.Field
}

// FieldNamed is the field that a text of the fields of a rule names, from a group.
func FieldNamed(text string, this *model.Type) (*model.Field, error) {
	path, err := parseFieldPath(text, this)
	if err != nil {
		return nil, err
	}
	return path.steps[len(path.steps)-1], nil
}

func parseFieldPath(text string, this *model.Type) (fieldPath, error) {
	name, absolute := strings.CutPrefix(text, "/")
	p := fieldPath{absolute: absolute}
	t := this
	if absolute {
		t = model.InvoiceType()
	}
	for i, step := range strings.Split(name, ".") {
		if i > 0 && (t == nil || p.steps[i-1].Kind == model.KindList) {
			return p, fmt.Errorf("field %q: %s is not one group, so nothing in it can be named", text, p.steps[i-1].Name)
		}
		f, ok := t.Field(step)
		if !ok {
			return p, &noField{path: text, step: step, in: t}
		}
		p.steps = append(p.steps, f)
		t = f.Elem
	}
	return p, nil
}

// noField says that a group has no field of a name. What may be meant is looked for when
// somebody reads it: fields of rules over the source are tried on many groups.
type noField struct {
	path, step string
	in         *model.Type
}

func (e *noField) Error() string {
	message := fmt.Sprintf("field %q: %s has no %s", e.path, e.in.Name, e.step)
	if i := slices.IndexFunc(e.in.Fields, func(f model.Field) bool { return f.BT == e.step }); i >= 0 && e.step != "" {
		return message + Meant(e.in.Fields[i].Name)
	}
	if _, has := model.InvoiceType().Field(e.step); has && e.path == e.step {
		return message + "; from the invoice, it is /" + e.step
	}
	if near := e.in.Nearest(e.step); near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	return message
}

// checkSourceFields checks the fields of a rule that selects in the source
// document: which group they are relative to shows only there, so some group
// must have them.
func checkSourceFields(fields []string) error {
	for _, text := range fields {
		known := false
		for _, t := range ModelTypes() {
			if _, err := parseFieldPath(text, t); err == nil {
				known = true
				break
			}
		}
		if !known {
			return fmt.Errorf("field %q: no group of the invoice has it", text)
		}
	}
	return nil
}
