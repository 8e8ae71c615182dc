package archive

import (
	"errors"
	"fmt"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// producer names the program that wrote the file.
const producer = "einvoice"

// Write finishes a document whose pages are fit for PDF/A-3: it describes the
// document, names the colour space of its colours and attaches the files, in
// place of what the document said of these before. The context is not to be used
// afterwards.
func Write(ctx *model.Context, m Metadata, files []File) (data []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			data, err = nil, fmt.Errorf("the PDF library failed: %v", r)
		}
	}()
	m, err = m.complete()
	if err != nil {
		return nil, err
	}
	d, err := newDocument(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.attach(files, m.Date); err != nil {
		return nil, err
	}
	if err := d.describe(m); err != nil {
		return nil, err
	}
	return d.bytes()
}

// complete cleans texts, so that they are the same wherever they are written, and
// tells what is missing.
func (m Metadata) complete() (Metadata, error) {
	for _, s := range []*string{&m.Title, &m.Author, &m.Subject, &m.Creator, &m.Language} {
		*s = clean(*s)
	}
	if m.Creator == "" {
		m.Creator = producer
	}
	if m.Date.IsZero() {
		return m, errors.New("the document has no date; set Metadata.Date")
	}
	if m.Accessible && (m.Title == "" || m.Language == "") {
		return m, errors.New("an accessible document needs a title and a language; set Metadata.Title and Metadata.Language")
	}
	return m, nil
}

// document is a PDF under work: the objects that were read, and new ones.
type document struct {
	*model.XRefTable
	catalog types.Dict
	info    types.Dict
}

func newDocument(ctx *model.Context) (*document, error) {
	if ctx == nil || ctx.XRefTable == nil || ctx.Root == nil {
		return nil, errors.New("the PDF has no catalog; read it with pdfcpu first")
	}
	catalog, err := ctx.DereferenceDict(*ctx.Root)
	if err != nil || catalog == nil {
		return nil, errors.Join(errors.New("the catalog of the PDF cannot be read"), err)
	}
	return &document{XRefTable: ctx.XRefTable, catalog: catalog}, nil
}

// add makes an object that others can refer to.
func (d *document) add(o types.Object) (types.IndirectRef, error) {
	ref, err := d.IndRefForNewObject(o)
	if err != nil {
		return types.IndirectRef{}, err
	}
	return *ref, nil
}

// addStream makes a stream that is compressed when it is written.
func (d *document) addStream(entries types.Dict, content []byte) (types.IndirectRef, error) {
	return d.add(types.StreamDict{Dict: entries, Content: content})
}

// entry is a dictionary in another one; it is made if it is not there.
func (d *document) entry(parent types.Dict, key string) types.Dict {
	o, err := d.Dereference(parent[key])
	if e, ok := o.(types.Dict); ok && err == nil {
		return e
	}
	e := types.Dict{}
	parent[key] = e
	return e
}

// describe says what the document is: metadata, language and colour space.
func (d *document) describe(m Metadata) error {
	metadata, err := d.add(types.StreamDict{
		Dict: types.Dict{"Type": types.Name("Metadata"), "Subtype": types.Name("XML")},
		Raw:  packet(m), // legible as it is, for programs that look for it
	})
	if err != nil {
		return err
	}
	d.catalog["Metadata"] = metadata
	delete(d.catalog, "Version") // the header says it
	if m.Language != "" {
		d.catalog["Lang"] = text(m.Language)
	}
	d.entry(d.catalog, "ViewerPreferences")["DisplayDocTitle"] = types.Boolean(true)
	d.info = types.Dict{
		"Producer": text(producer), "Creator": text(m.Creator),
		"CreationDate": date(m.Date), "ModDate": date(m.Date),
	}
	for key, value := range map[string]string{"Title": m.Title, "Author": m.Author, "Subject": m.Subject} {
		if value != "" {
			d.info[key] = text(value)
		}
	}
	return d.intend()
}

// intend says that colours which name no space of their own are meant as sRGB.
func (d *document) intend() error {
	profile, err := d.addStream(types.Dict{"N": types.Integer(3)}, sRGB())
	if err != nil {
		return err
	}
	intent, err := d.add(types.Dict{
		"Type": types.Name("OutputIntent"), "S": types.Name("GTS_PDFA1"),
		"OutputConditionIdentifier": text(sRGBName), "Info": text(sRGBName),
		"DestOutputProfile": profile,
	})
	d.catalog["OutputIntents"] = types.Array{intent}
	return err
}
