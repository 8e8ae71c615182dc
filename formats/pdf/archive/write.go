package archive

import (
	"context"
	"errors"

	"einvoice/formats/pdf"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// Write completes a document whose pages conform to PDF/A-3: it adds the metadata and
// the output intent and attaches the files, in place of those that the document had.
// The document is not to be used afterwards. The work ends with the context, with its error.
func Write(ctx context.Context, d *pdf.Document, m Metadata, files []File) ([]byte, error) {
	return write(ctx.Err, d, m, files)
}

// write is Write, which asks for each object why the work is to end.
func write(ended func() error, d *pdf.Document, m Metadata, files []File) (data []byte, err error) {
	m, err = m.complete()
	if err != nil {
		return nil, err
	}
	err = pdf.Guard(func() error {
		o, err := newOutput(d)
		if err != nil {
			return err
		}
		if err := o.attach(files, *m.Date); err != nil {
			return err
		}
		o.describe(m)
		data, err = o.bytes(ended)
		return err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// An output is a document that is being prepared and written.
type output struct {
	*pdf.Document
	root    types.IndirectRef // to the catalog
	catalog types.Dict
	info    types.Dict
	version string // of PDF
}

func newOutput(d *pdf.Document) (*output, error) {
	if d == nil {
		return nil, errors.New("there is no document to write")
	}
	root, ok := d.Root().(types.IndirectRef)
	if !ok {
		return nil, errors.New("the PDF has no catalog")
	}
	catalog, err := d.Catalog()
	if err != nil {
		return nil, err
	}
	return &output{Document: d, root: root, catalog: catalog}, nil
}

// subdictionary is a dictionary that is an entry of another one; it is added if it is
// not there.
func (o *output) subdictionary(parent types.Dict, key string) types.Dict {
	value := parent[key]
	if ref, ok := value.(types.IndirectRef); ok {
		var err error
		if value, err = o.Object(ref); err != nil {
			value = nil
		}
	}
	if d, ok := value.(types.Dict); ok {
		return d
	}
	d := types.Dict{}
	parent[key] = d
	return d
}

// describe writes the metadata, the language and the output intent.
func (o *output) describe(m Metadata) {
	o.catalog["Metadata"] = o.Add(types.StreamDict{
		Dict: types.Dict{"Type": types.Name("Metadata"), "Subtype": types.Name("XML")},
		Raw:  xmpPacket(m), // not compressed, for programs that search the file for it
	})
	delete(o.catalog, "Version") // the version in the header counts
	if m.Language != "" {
		o.catalog["Lang"] = textString(m.Language)
	}
	o.subdictionary(o.catalog, "ViewerPreferences")["DisplayDocTitle"] = types.Boolean(true)
	o.version = "1.7"
	if m.Level4F {
		o.version = "2.0" // which has no document information but in the XMP packet
		o.addOutputIntent()
		return
	}
	o.info = types.Dict{
		"Producer": textString(producer), "Creator": textString(m.Creator),
		"CreationDate": dateString(*m.Date), "ModDate": dateString(*m.Date),
	}
	for key, value := range map[string]string{"Title": m.Title, "Author": m.Author, "Subject": m.Subject, "Keywords": m.Keywords} {
		if value != "" {
			o.info[key] = textString(value)
		}
	}
	o.addOutputIntent()
}

// addOutputIntent says that colours in a device colour space are meant as sRGB.
func (o *output) addOutputIntent() {
	profile := o.AddStream(types.Dict{"N": types.Integer(3)}, sRGB())
	intent := o.Add(types.Dict{
		"Type": types.Name("OutputIntent"), "S": types.Name("GTS_PDFA1"),
		"OutputConditionIdentifier": textString(sRGBName), "Info": textString(sRGBName),
		"DestOutputProfile": profile,
	})
	o.catalog["OutputIntents"] = types.Array{intent}
}
