package pdf

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A Document is the table of objects of a PDF: of one that was read, or of one that
// is built to be written.
type Document struct {
	table  *model.XRefTable
	next   int          // the number of the next object that is added; 0 until then
	opened map[int]bool // object streams that were decompressed, by their numbers
}

// NewDocument makes a document of a catalog alone.
func NewDocument(catalog types.Dict) (*Document, error) {
	ctx, err := model.NewContext(bytes.NewReader(nil), DefaultLimits().configuration())
	if err != nil {
		return nil, err
	}
	size := 1
	ctx.Size = &size
	ctx.Table[0] = model.NewFreeHeadXRefTableEntry()
	d := &Document{table: ctx.XRefTable}
	root := d.Add(catalog)
	d.table.Root = &root
	return d, nil
}

// Root is the reference to the catalog, as the trailer has it; nil without one.
func (d *Document) Root() types.Object { return reference(d.table.Root) }

// Info is the reference to the information dictionary; nil without one.
func (d *Document) Info() types.Object { return reference(d.table.Info) }

// Encrypt is the reference to the encryption dictionary; nil without one.
func (d *Document) Encrypt() types.Object { return reference(d.table.Encrypt) }

func reference(ref *types.IndirectRef) types.Object {
	if ref == nil {
		return nil
	}
	return *ref
}

// Catalog is the catalog of the document.
func (d *Document) Catalog() (types.Dict, error) {
	catalog, err := d.table.DereferenceDict(d.Root())
	if err != nil || catalog == nil {
		return nil, errors.Join(errors.New("the catalog of the PDF cannot be read"), err)
	}
	return catalog, nil
}

// Object is the object that a reference leads to; nil if there is none. It is for
// documents whose cost is known: a Reader has limits.
func (d *Document) Object(ref types.IndirectRef) (types.Object, error) {
	return d.table.Dereference(ref)
}

// Contains reports whether the object that a reference leads to is there.
func (d *Document) Contains(ref types.IndirectRef) bool {
	entry, found := d.table.FindTableEntryForIndRef(&ref)
	return found && entry != nil && !entry.Free && entry.Object != nil
}

// References are references to all objects, by number.
func (d *Document) References() []types.IndirectRef {
	refs := make([]types.IndirectRef, 0, len(d.table.Table))
	for _, number := range slices.Sorted(maps.Keys(d.table.Table)) {
		generation := 0
		if g := d.table.Table[number].Generation; g != nil {
			generation = *g
		}
		refs = append(refs, *types.NewIndirectRef(number, generation))
	}
	return refs
}

// Add adds an object and returns the reference to it.
func (d *Document) Add(o types.Object) types.IndirectRef {
	if d.next == 0 {
		d.next = firstNewNumber()
	}
	number := d.next
	d.next++
	d.table.Table[number] = model.NewXRefTableEntryGen0(o)
	return *types.NewIndirectRef(number, 0)
}

// firstNewNumber is the number of the first object that is added to a document. It is
// above all numbers of objects, and it cannot be foreseen: a document may refer to any
// number that it does not define, which means the null object, and not what is added here.
// Numbers are given again when a document is written.
func firstNewNumber() int {
	const quarter = 1 << (strconv.IntSize - 3)
	return 2*quarter + rand.IntN(quarter) //nolint:gosec // it has to be unknown to whoever made the document before
}

// AddStream adds a stream that is compressed when it is written.
func (d *Document) AddStream(entries types.Dict, content []byte) types.IndirectRef {
	return d.Add(types.StreamDict{Dict: entries, Content: content})
}

// Replace stores an object in place of the one that a reference leads to.
func (d *Document) Replace(ref types.IndirectRef, with types.Object) {
	if entry, found := d.table.FindTableEntryForIndRef(&ref); found {
		entry.Object = with
	}
}
