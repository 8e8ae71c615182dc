package archive

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // what PDF asks for; it secures nothing
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// relationships are what a file may be to the document by ISO 19005-3.
var relationships = []string{"Source", "Data", "Alternative", "Supplement", "Unspecified"}

var mimeType = regexp.MustCompile(`^[-\w+.]+/[-\w+.]+$`)

// longestName is how many bytes of a name are kept; file systems have such a limit.
const longestName = 200

// attach makes these files the files of the document, and no others.
func (d *document) attach(files []File, modified time.Time) error {
	names := d.entry(d.catalog, "Names")
	delete(names, "EmbeddedFiles")
	delete(d.catalog, "AF")
	if len(files) == 0 {
		return nil
	}
	type leaf struct {
		key  types.StringLiteral
		spec types.IndirectRef
	}
	var leaves []leaf
	var associated types.Array
	taken := map[string]bool{}
	for _, f := range files {
		f.Name = uniqueName(f.Name, taken)
		spec, err := d.fileSpec(f, modified)
		if err != nil {
			return err
		}
		leaves = append(leaves, leaf{text(f.Name), spec})
		associated = append(associated, spec)
	}
	slices.SortFunc(leaves, func(a, b leaf) int { return bytes.Compare(bytesOf(a.key), bytesOf(b.key)) })
	var pairs types.Array
	for _, l := range leaves {
		pairs = append(pairs, l.key, l.spec)
	}
	tree, err := d.add(types.Dict{"Names": pairs})
	names["EmbeddedFiles"] = tree
	// Direct: readers have been seen that do not follow a reference here.
	d.catalog["AF"] = associated
	return err
}

func (d *document) fileSpec(f File, modified time.Time) (types.IndirectRef, error) {
	relationship := cmp.Or(f.Relationship, "Unspecified")
	if !slices.Contains(relationships, relationship) {
		return types.IndirectRef{}, fmt.Errorf("the relationship %q of %s is none that PDF/A-3 knows; use one of %s",
			f.Relationship, f.Name, strings.Join(relationships, ", "))
	}
	mime := f.MIME
	if !mimeType.MatchString(mime) {
		mime = "application/octet-stream"
	}
	sum := md5.Sum(f.Data) //nolint:gosec // see the import
	file, err := d.addStream(types.Dict{
		"Type": types.Name("EmbeddedFile"), "Subtype": types.Name(mime),
		"Params": types.Dict{
			"CreationDate": date(modified), "ModDate": date(modified),
			"Size": types.Integer(len(f.Data)), "CheckSum": literal(sum[:]),
		},
	}, f.Data)
	if err != nil {
		return file, err
	}
	return d.add(types.Dict{
		"Type": types.Name("Filespec"), "F": text(plainName(f.Name)), "UF": text(f.Name),
		"Desc": text(cmp.Or(clean(f.Description), f.Name)), "AFRelationship": types.Name(relationship),
		"EF": types.Dict{"F": file, "UF": file},
	})
}

// uniqueName is a name under which a file can be saved anywhere, and which no
// other file has, capitals or not.
func uniqueName(name string, taken map[string]bool) string {
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
	ending := path.Ext(name)
	if len(ending) > 20 || ending == name {
		ending = ""
	}
	stem := strings.TrimSuffix(name, ending)
	stem = strings.ToValidUTF8(stem[:min(len(stem), longestName)], "")
	unique := stem + ending
	for n := 2; taken[strings.ToLower(unique)]; n++ {
		unique = fmt.Sprintf("%s-%d%s", stem, n, ending)
	}
	taken[strings.ToLower(unique)] = true
	return unique
}

// plainName is for the entry F, whose encoding old readers guess.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '_'
		}
		return r
	}, name)
}
