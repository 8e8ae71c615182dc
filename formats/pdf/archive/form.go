package archive

import (
	"fmt"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxFieldDepth is how far the parents of a field are followed.
const maxFieldDepth = 20

// form removes the interactive form: its fields become parts of the pages.
func (c *converter) form() {
	form := c.Dict(c.catalog["AcroForm"])
	delete(c.catalog, "AcroForm")
	if form == nil {
		return
	}
	if form["XFA"] != nil {
		c.refuseXFA()
	}
	if c.Boolean(form["NeedAppearances"]) && len(c.Array(form["Fields"])) > 0 {
		c.changed("fields are shown as the document has them; a program was asked to draw them again")
	}
	const signaturesExist = 1
	if c.Integer(form["SigFlags"], 0)&signaturesExist != 0 {
		for _, o := range c.Array(form["Fields"]) {
			if d := c.Dict(o); c.Name(d["FT"]) == "Sig" && d["V"] != nil {
				c.signatureRemoved()
			}
		}
	}
}

// field is the appearance that is drawn instead of a form field.
func (c *converter) field(d types.Dict, normal types.Object) *appearance {
	kind, value := c.Name(c.inherited(d, "FT")), c.inherited(d, "V")
	if kind == "Sig" && value != nil {
		c.signatureRemoved()
	}
	c.changed("the fields of the form are part of the page")
	drawn := c.placedAppearance(d, normal)
	hasText := c.cleanText(value) != "" && (kind == "Tx" || kind == "Ch")
	if drawn == nil && hasText && !c.isEmpty(d) {
		c.refuse(ReasonField, fmt.Sprintf("the field %s has a value and no appearance", c.cleanText(c.inherited(d, "T"))), remedySave)
	}
	return drawn
}

// inherited is an entry of a field, or of the nearest field above it that has it.
func (c *converter) inherited(d types.Dict, key string) types.Object {
	for depth := 0; d != nil && depth < maxFieldDepth; depth++ {
		if d[key] != nil {
			return d[key]
		}
		d = c.Dict(d["Parent"])
	}
	return nil
}

func (c *converter) signatureRemoved() {
	c.changedOn(0, "the signature is no longer valid and is removed; what it looked like stays")
}
