package archive

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // the checksum that ISO 32000 requires; it secures nothing
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"einvoice/formats/pdf"
	"einvoice/model/filename"
	"einvoice/model/pattern"
	"einvoice/model/problem"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// relationships are the values of AFRelationship by ISO 19005-3.
var relationships = []string{"Source", "Data", "Alternative", "Supplement", "Unspecified"}

var mimeType = pattern.Later(`^[-\w+.]+/[-\w+.]+$`)

// maxFileName is how many bytes the name of an attached file may have; file systems
// have such a limit.
const maxFileName = 200

// attach makes these files the embedded and associated files of the document, in
// place of those that it had.
func (o *output) attach(files []File, modified time.Time) error {
	if most := pdf.DefaultLimits().Attachments; len(files) > most {
		return &problem.Error{
			Code: pdf.CodeLimit, Message: fmt.Sprintf("the PDF would have %d files attached, and %d are read", len(files), most),
			Remedy: "leave some out, or take the invoice as XML, which has them all",
		}
	}
	names := o.subdictionary(o.catalog, "Names")
	delete(names, "EmbeddedFiles")
	delete(o.catalog, "AF")
	if len(files) == 0 {
		return nil
	}
	type leaf struct {
		key  types.StringLiteral
		spec types.IndirectRef
	}
	var leaves []leaf
	var associated types.Array
	var taken filename.Names
	for _, f := range files {
		f.Name = taken.Take(safeName(f.Name))
		spec, err := o.fileSpecification(f, modified)
		if err != nil {
			return err
		}
		leaves = append(leaves, leaf{textString(f.Name), spec})
		associated = append(associated, spec)
	}
	slices.SortFunc(leaves, func(a, b leaf) int { return bytes.Compare(stringBytes(a.key), stringBytes(b.key)) })
	var pairs types.Array
	for _, l := range leaves {
		pairs = append(pairs, l.key, l.spec)
	}
	names["EmbeddedFiles"] = o.Add(types.Dict{"Names": pairs})
	// A direct array: some readers do not follow a reference here.
	o.catalog["AF"] = associated
	return nil
}

func (o *output) fileSpecification(f File, modified time.Time) (types.IndirectRef, error) {
	relationship := cmp.Or(f.Relationship, "Unspecified")
	if !slices.Contains(relationships, relationship) {
		return types.IndirectRef{}, fmt.Errorf("the relationship %q of %s is none that PDF/A-3 knows; use one of %s",
			f.Relationship, f.Name, strings.Join(relationships, ", "))
	}
	mime := f.MIME
	if !mimeType().MatchString(mime) {
		mime = "application/octet-stream"
	}
	sum := md5.Sum(f.Data) //nolint:gosec // see the import
	file := o.AddStream(types.Dict{
		"Type": types.Name("EmbeddedFile"), "Subtype": types.Name(mime),
		"Params": types.Dict{
			"CreationDate": dateString(modified), "ModDate": dateString(modified),
			"Size": types.Integer(len(f.Data)), "CheckSum": literalString(sum[:]),
		},
	}, f.Data)
	return o.Add(types.Dict{
		"Type": types.Name("Filespec"), "F": textString(asciiName(f.Name)), "UF": textString(f.Name),
		"Desc": textString(cmp.Or(clean(f.Description), f.Name)), "AFRelationship": types.Name(relationship),
		"EF": types.Dict{"F": file, "UF": file},
	}), nil
}

// safeName is a name that every file system accepts.
func safeName(name string) string {
	name = path.Base(strings.ReplaceAll(clean(name), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/|?*`, r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, name)
	if strings.Trim(name, ". _") == "" {
		name = "attachment"
	}
	name = filename.Safe(name)
	extension := path.Ext(name)
	if len(extension) > 20 || extension == name {
		extension = ""
	}
	stem := strings.TrimSuffix(name, extension)
	stem = strings.ToValidUTF8(stem[:min(len(stem), maxFileName)], "")
	return stem + extension
}

// asciiName is a name for the entry F, whose encoding old readers guess.
func asciiName(name string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '_'
		}
		return r
	}, name)
}
