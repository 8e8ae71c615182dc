package pdf

import (
	"cmp"
	"time"

	"einvoice/model/quote"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// fileKeys are the keys of a file specification for the file, and for its name, the
// most usual first.
var fileKeys = []string{"UF", "F", "Unix", "Mac", "DOS"}

// fileSpecification adds the file that a file specification describes, if it is
// inside the PDF. The key is that of the name tree.
func (s *search) fileSpecification(o types.Object, place Place, key string) {
	spec := s.Dict(o)
	if o != nil && s.Resolve(o) == nil {
		s.dangling = true
	}
	files := s.Entries(spec["EF"])
	if files == nil {
		return
	}
	for _, k := range fileKeys {
		if stream, ok := s.Stream(files[k]); ok {
			a := s.attachment(spec, stream, key)
			a.Places = place
			s.add(a, files[k])
			return
		}
	}
	s.lacking = true
}

func (s *search) attachment(spec types.Dict, stream types.StreamDict, key string) *Attachment {
	a := &Attachment{
		Key: key, Description: s.label(spec["Desc"]), Relationship: s.Name(spec["AFRelationship"]),
		MIME: s.Name(stream.Dict["Subtype"]), Size: -1, stream: stream, container: s.container,
	}
	for _, k := range fileKeys {
		a.Name = cmp.Or(a.Name, s.label(spec[k]))
	}
	a.Name = cmp.Or(a.Name, key)
	if params := s.Entries(stream.Dict["Params"]); params != nil {
		a.Created, a.Modified = s.date(params["CreationDate"]), s.date(params["ModDate"])
		a.Size, a.CheckSum = s.size(params["Size"]), s.checkSum(params["CheckSum"])
	}
	return a
}

// label is a text that messages name an attachment by.
func (s *search) label(o types.Object) string {
	return quote.Shorten(Printable(s.Text(o)), quote.Most)
}

// add lists an attachment. Of one that is listed already, it notes the other place.
func (s *search) add(a *Attachment, file types.Object) {
	c := s.container
	if ref, ok := file.(types.IndirectRef); ok {
		number := ref.ObjectNumber.Value()
		if known := s.byObject[number]; known != nil {
			known.Places |= a.Places
			known.Key = cmp.Or(known.Key, a.Key)
			known.Relationship = cmp.Or(known.Relationship, a.Relationship)
			return
		}
		s.byObject[number] = a
	}
	if len(c.Attachments) >= c.limits.Attachments {
		s.Fail(limitExceeded("the PDF has more than the %d attachments that are allowed", c.limits.Attachments))
		return
	}
	c.Attachments = append(c.Attachments, a)
}

func (s *search) date(o types.Object) time.Time {
	at, ok := types.DateTime(Printable(s.Text(o)), true)
	if _, err := at.MarshalText(); err != nil || !ok { // RFC 3339 cannot express it
		return time.Time{}
	}
	return at
}

func (s *search) size(o types.Object) int {
	n, ok := s.Resolve(o).(types.Integer)
	if !ok || n < 0 {
		return -1
	}
	return n.Value()
}

// checkSum is a string of bytes; nil if it is none. An unescaped carriage return in
// it stays one: who writes a binary value so means the byte.
func (s *search) checkSum(o types.Object) []byte {
	var raw []byte
	var err error
	switch v := s.Resolve(o).(type) {
	case types.StringLiteral:
		raw, err = types.Unescape(v.Value())
	case types.HexLiteral:
		raw, err = v.Bytes()
	}
	if err != nil {
		return nil
	}
	return raw
}
