package inspect

import (
	"fmt"
	"maps"
	"slices"

	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxActionDepth is how far a chain of actions is followed.
const maxActionDepth = 20

// actions lists what the PDF would do: when it is opened, at each page, annotation
// and form field, and from its outline.
func (i *inspector) actions(catalog types.Dict) {
	i.action(catalog["OpenAction"], "opening", 0)
	i.eventActions(catalog["AA"], "document")
	i.javaScript(i.Entries(catalog["Names"])["JavaScript"])
	i.pageActions(catalog["Pages"])
	i.formActions(catalog["AcroForm"])
	i.outlineActions(catalog["Outlines"])
}

// action lists an action and those that follow it. A destination, which the same
// entry may hold instead, is not an action.
func (i *inspector) action(o types.Object, place string, depth int) {
	if depth > maxActionDepth {
		return
	}
	switch a := i.Resolve(o).(type) {
	case types.Array:
		if depth > 0 {
			for _, next := range a[:min(len(a), maxListed)] {
				i.action(next, place, depth+1)
			}
		}
	case types.Dict:
		if kind := i.Name(a["S"]); kind != "" {
			i.list(kind, i.Name(a["N"]), place)
			i.action(a["Next"], place, depth+1)
		}
	}
}

// list adds an action, one of a kind for each place.
func (i *inspector) list(kind, name, place string) {
	a := model.ContainerAction{Type: model.NewText(kind), Name: optional(name), Place: model.NewText(place)}
	if kind != "Named" {
		a.Name = model.Text{}
	}
	if len(i.out.Actions) < maxListed && !slices.Contains(i.out.Actions, a) {
		i.out.Actions = append(i.out.Actions, a)
	}
}

// eventActions lists the additional actions (AA), which events cause.
func (i *inspector) eventActions(o types.Object, place string) {
	events := i.Entries(o)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		i.action(events[event], place, 0)
	}
}

// javaScript lists the scripts in the name tree of the document.
func (i *inspector) javaScript(names types.Object) {
	i.Tree(names, func(node types.Dict) {
		pairs := i.Array(node["Names"])
		for at := 1; at < len(pairs); at += 2 {
			i.action(pairs[at], "document", 0)
		}
	})
}

func (i *inspector) pageActions(pages types.Object) {
	number := 0
	i.Tree(pages, func(page types.Dict) {
		if i.Name(page["Type"]) == "Pages" || page["Kids"] != nil {
			return
		}
		number++
		place := fmt.Sprintf("page %d", number)
		i.eventActions(page["AA"], place)
		for _, annotation := range i.Array(page["Annots"]) {
			i.widgetActions(annotation, place)
		}
	})
}

func (i *inspector) formActions(o types.Object) {
	for _, field := range i.Array(i.Entries(o)["Fields"]) {
		i.Tree(field, func(node types.Dict) { i.widgetActions(node, "form") })
	}
}

// widgetActions lists the actions of an annotation or a form field.
func (i *inspector) widgetActions(o types.Object, place string) {
	widget := i.Entries(o)
	i.action(widget["A"], place, 0)
	i.eventActions(widget["AA"], place)
}

// outlineActions lists the actions of the outline items, which refer to the next
// one and to their first child.
func (i *inspector) outlineActions(o types.Object) {
	seen := map[types.IndirectRef]bool{}
	for stack := []types.Object{o}; len(stack) > 0 && i.Err() == nil; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		ref, ok := top.(types.IndirectRef)
		if !ok || seen[ref] { // by ISO 32000, outline items are indirect objects
			continue
		}
		seen[ref] = true
		item := i.Entries(ref)
		i.action(item["A"], "outline", 0)
		stack = append(stack, item["Next"], item["First"])
	}
}
