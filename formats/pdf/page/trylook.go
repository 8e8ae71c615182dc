package page

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"einvoice/formats/pdf"
	"einvoice/formats/pdf/archive"
	pdfcontent "einvoice/formats/pdf/content"
	"einvoice/formats/pdf/inspect"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

//go:embed sample.json
var sampleJSON []byte

// sampleLines fill more than one page.
const sampleLines = 60

// Sample is an invoice to try looks with, of several pages.
func Sample() *model.Invoice {
	inv := &model.Invoice{}
	if err := json.Unmarshal(sampleJSON, inv); err != nil {
		panic("page: sample.json: " + err.Error()) // the file is embedded
	}
	for i := 1; i < sampleLines; i++ {
		line := inv.Lines[0]
		line.Identifier = model.NewText(strconv.Itoa(i + 1))
		inv.Lines = append(inv.Lines, line)
	}
	return inv
}

// ReadLook reads a look from a file of a folder; the files that it names are beside it, or
// below. The error is a *problem.Error that says what is wrong with the look, or why pages
// that have it would not be PDF/A-3 and PDF/UA.
func ReadLook(fsys fs.FS, file string) (*look.Look, error) { return look.Read(fsys, file, try) }

// try draws a sample in a look, and reads what was made as a stranger's PDF is read: the
// error says why it is not PDF/A-3a and PDF/UA-1, as far as this program can tell.
func try(l *look.Look) error {
	rendered, err := PDF(context.Background(), Sample(), Options{Language: "en", Look: l})
	if err == nil {
		err = conforms(rendered.Data)
	}
	if err != nil {
		return fmt.Errorf("the pages of a sample are not what they have to be: %w", err)
	}
	return nil
}

// checkSteps bounds the objects that are looked at.
const checkSteps = 200_000

// conforms tells why a PDF is not PDF/A-3a and PDF/UA-1: its claims, fonts and colours, and
// its structure.
func conforms(data []byte) error {
	if err := archive.Conforms(data, pdf.Limits{}); err != nil {
		return err
	}
	container, err := pdf.Open(data, pdf.Limits{})
	if err != nil {
		return err
	}
	described, err := inspect.Container(context.Background(), container, nil)
	if err != nil {
		return err
	}
	claim := described.Claim
	switch {
	case claim == nil || claim.Part.Raw != "3" || claim.Conformance.Raw != "A":
		return errors.New("it does not claim to be PDF/A-3a")
	case described.Encryption.Present:
		return errors.New("it is encrypted")
	case len(described.Actions) > 0:
		return fmt.Errorf("it has an action (%s)", described.Actions[0].Type.Raw)
	case len(described.OutputIntents) == 0 || !described.OutputIntents[0].Profile.Present:
		return errors.New("it has no output intent with a profile of colours")
	}
	for _, f := range described.Fonts {
		if !f.Embedded.Present {
			return fmt.Errorf("page %s: the font %s is not embedded", f.Page.Raw, f.Name.Raw)
		}
	}
	c := &structureCheck{Reader: container.Reader(checkSteps, time.Now().Add(container.Limits().Time))}
	if err := pdf.Guard(func() error { return c.document(container.Document()) }); err != nil {
		return err
	}
	return c.Err()
}

// A structureCheck reads the structure of a tagged PDF.
type structureCheck struct {
	*pdf.Reader
	parents map[int]types.Array // of each page, by its key
}

func (c *structureCheck) document(d *pdf.Document) error {
	catalog := c.Entries(d.Root())
	root := c.Dict(catalog["StructTreeRoot"])
	switch {
	case !c.Boolean(c.Dict(catalog["MarkInfo"])["Marked"]) || root == nil:
		return errors.New("it is not tagged")
	case c.Text(catalog["Lang"]) == "":
		return errors.New("it has no language")
	case !c.Boolean(c.Dict(catalog["ViewerPreferences"])["DisplayDocTitle"]):
		return errors.New("its window does not show its title")
	}
	c.parents = map[int]types.Array{}
	numbers := c.Array(c.Dict(root["ParentTree"])["Nums"])
	for i := 0; i+1 < len(numbers); i += 2 {
		c.parents[c.Integer(numbers[i], -1)] = c.Array(numbers[i+1])
	}
	if err := c.figures(root["K"]); err != nil {
		return err
	}
	number := 0
	var found error
	c.Pages(catalog["Pages"], func(page types.Dict, resources types.Object) {
		if number++; found == nil {
			if err := c.page(page); err != nil {
				found = fmt.Errorf("page %d: %w", number, err)
			}
		}
	})
	return found
}

// figures wants a description of each figure.
func (c *structureCheck) figures(root types.Object) error {
	for stack := []types.Object{root}; len(stack) > 0 && c.Step(); {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch o := c.Resolve(top).(type) {
		case types.Array:
			stack = append(stack, o...)
		case types.Dict:
			if c.Name(o["S"]) == "Figure" && c.Text(o["Alt"]) == "" {
				return errors.New("a figure has no description")
			}
			stack = append(stack, o["K"])
		}
	}
	return nil
}

// page wants all that is drawn to be content of an element, or an artifact.
func (c *structureCheck) page(page types.Dict) error {
	if c.Name(page["Tabs"]) != "S" {
		return errors.New("its order of tabs is not that of the structure")
	}
	contents, ok := c.Stream(page["Contents"])
	if !ok {
		return errors.New("it has no content")
	}
	data, err := c.Decode(contents)
	if err != nil {
		return err
	}
	parents := c.parents[c.Integer(page["StructParents"], -1)]
	var marked []bool // sequences that are open: whether what is in them has a place
	place := func() bool {
		for _, has := range marked {
			if has {
				return true
			}
		}
		return false
	}
	return pdfcontent.Scan{}.Operators(data, func(op *pdfcontent.Op) error {
		switch op.Name {
		case "BMC", "BDC":
			tag, _ := op.Arg(0).(pdfcontent.Name)
			properties, _ := op.Arg(1).(pdfcontent.Dict)
			has := tag == "Artifact"
			if id, numbered := properties["MCID"].(pdfcontent.Number); numbered {
				if n := int(id.Value); n < 0 || n >= len(parents) || c.Dict(parents[n]) == nil {
					return fmt.Errorf("its marked content %d has no element", n)
				}
				has = true
			}
			marked = append(marked, has)
		case "EMC":
			if len(marked) == 0 {
				return errors.New("its marked content is not balanced")
			}
			marked = marked[:len(marked)-1]
		case "Tj", "TJ", "'", "\"", "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "Do", "sh", "BI":
			if !place() {
				return fmt.Errorf("what it draws (%s) is neither content of an element nor an artifact", op.Name)
			}
		}
		return nil
	})
}
