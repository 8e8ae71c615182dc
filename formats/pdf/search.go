package pdf

import (
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A search collects the attachments of a container.
type search struct {
	*Reader
	container *Container
	byObject  map[int]*Attachment // by the number of the object that is the file
	lacking   bool                // the catalog, or the file of a file specification, is not there
	dangling  bool                // the name tree or a file specification is named and not there
}

// findAttachments searches all places where a PDF may have files.
func (c *Container) findAttachments(deadline time.Time) error {
	s := &search{Reader: c.Reader(c.limits.Objects, deadline), container: c, byObject: map[int]*Attachment{}}
	catalog := s.Entries(c.document.Root())
	if catalog == nil || catalog["Pages"] == nil && s.Name(catalog["Type"]) != "Catalog" {
		s.lacking = true
	}
	names := s.node(catalog["Names"])
	s.node(names["EmbeddedFiles"])
	s.nameTree(names["EmbeddedFiles"])
	s.associatedFiles(catalog["AF"], InDocumentAF)
	s.pages(catalog["Pages"])
	if s.Err() == nil && len(c.Attachments) == 0 && (s.lacking || s.dangling || s.Damaged()) {
		s.looseObjects()
		c.incomplete = len(c.Attachments) == 0 && (s.lacking || s.Damaged())
	}
	return s.Err()
}

// node are the entries of o, a part of the way to files. Where o is named and not there, what it
// led to may be among the loose objects. By ISO 32000 a reference to nothing is no damage.
func (s *search) node(o types.Object) types.Dict {
	entries := s.Entries(o)
	if o != nil && entries == nil {
		s.dangling = true
	}
	return entries
}

// nameTree searches a name tree: pairs of a key and a file specification.
func (s *search) nameTree(root types.Object) {
	s.Tree(root, func(node types.Dict) {
		pairs := s.Array(node["Names"])
		for i := 0; i+1 < len(pairs); i += 2 {
			s.fileSpecification(pairs[i+1], InNameTree, s.label(pairs[i]))
		}
	})
}

// pages searches the associated files and the annotations of each page.
func (s *search) pages(root types.Object) {
	s.Tree(root, func(page types.Dict) {
		s.associatedFiles(page["AF"], InPageAF)
		for _, o := range s.Array(page["Annots"]) {
			annotation := s.Entries(o)
			if s.Name(annotation["Subtype"]) == "FileAttachment" {
				s.fileSpecification(annotation["FS"], InAnnotation, "")
			}
		}
	})
}

// associatedFiles searches an array of associated files; a single one is accepted
// as well, because some producers write it.
func (s *search) associatedFiles(o types.Object, place Place) {
	o = s.Resolve(o)
	files, several := o.(types.Array)
	if !several {
		files = types.Array{o}
	}
	for _, file := range files {
		s.fileSpecification(file, place, "")
	}
}

// looseObjects searches all objects for file specifications. This is done only where a part that
// leads to files is missing or damaged: elsewhere, an object that nothing refers to was deleted.
func (s *search) looseObjects() {
	for _, ref := range s.container.document.References() {
		if d := s.Dict(ref); d["EF"] != nil {
			s.fileSpecification(d, InLooseObject, "")
		}
	}
}
