package archive

import (
	"cmp"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// allowedActions are the actions that are kept: PDF/A allows them, and they lead to a
// destination.
var allowedActions = []string{"GoTo", "GoToR", "URI", "Named"}

// allowedNamedActions are the named actions that PDF/A allows.
var allowedNamedActions = []string{"NextPage", "PrevPage", "FirstPage", "LastPage"}

// action keeps the action of an entry if it is one of these kinds, without those that
// follow it. Any other action is removed.
func (c *converter) action(d types.Dict, key string, kinds ...string) {
	if d[key] == nil {
		return
	}
	a := c.Dict(d[key])
	kind := c.Name(a["S"])
	if slices.Contains(kinds, kind) && (kind != "Named" || slices.Contains(allowedNamedActions, c.Name(a["N"]))) {
		if a["Next"] != nil {
			c.changed("an action that follows another one is removed")
		}
		delete(a, "Next")
		// The other file as a name alone: a file specification would count as that of an attachment.
		if file := c.Dict(a["F"]); kind == "GoToR" && file != nil {
			a["F"] = textString(cmp.Or(c.cleanText(file["UF"]), c.cleanText(file["F"])))
		}
		return
	}
	delete(d, key)
	if kind != "" {
		c.changed("an action is removed: " + kind)
	}
}
