package archive

import (
	"cmp"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// allowedActions are the actions that are kept: PDF/A allows them, and they lead
// to a place.
var allowedActions = []string{"GoTo", "GoToR", "URI", "Named"}

var allowedNamed = []string{"NextPage", "PrevPage", "FirstPage", "LastPage"}

// action keeps the action of an entry if it is one of the kinds, without those
// that follow it, and drops it else.
func (c *converter) action(d types.Dict, key string, kinds ...string) {
	if d[key] == nil {
		return
	}
	a := c.dict(d[key])
	kind := c.name(a["S"])
	if slices.Contains(kinds, kind) && (kind != "Named" || slices.Contains(allowedNamed, c.name(a["N"]))) {
		if a["Next"] != nil {
			c.changed("an action that follows another one is removed")
		}
		delete(a, "Next")
		if file := c.dict(a["F"]); kind == "GoToR" && file != nil { // as a name alone: a description would be that of an attachment
			a["F"] = text(cmp.Or(c.text(file["UF"]), c.text(file["F"])))
		}
		return
	}
	delete(d, key)
	if kind != "" {
		c.changed("an action is removed: " + kind)
	}
}
