package pdf

import (
	"cmp"
	"errors"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// fileKeys are the keys under which a file specification may hold the file, and
// its name, the most usual first.
var fileKeys = []string{"UF", "F", "Unix", "Mac", "DOS"}

// attachment takes up the file that a file specification describes, if it is
// inside the PDF.
func (f *finder) attachment(o object, place Place, key string) error {
	o, err := f.at(o)
	if err != nil {
		return err
	}
	spec, ok := o.(types.Dict)
	if !ok {
		return nil
	}
	files, err := f.dict(spec["EF"])
	if err != nil || files == nil {
		return err
	}
	for _, k := range fileKeys {
		target, err := f.at(files[k])
		if err != nil {
			return err
		}
		stream, ok := target.(types.StreamDict)
		if !ok {
			continue
		}
		return f.add(f.describe(spec, stream, key), files[k], place)
	}
	f.broken = true
	return nil
}

func (f *finder) describe(spec types.Dict, stream types.StreamDict, key string) *Attachment {
	a := &Attachment{
		Key: key, Description: f.text(spec["Desc"]), Relationship: f.name(spec["AFRelationship"]),
		MIME: f.name(stream.Dict["Subtype"]), Size: -1, stream: stream, container: f.container,
	}
	for _, k := range fileKeys {
		a.Name = cmp.Or(a.Name, f.text(spec[k]))
	}
	a.Name = cmp.Or(a.Name, key)
	params, err := f.dict(stream.Dict["Params"])
	if err == nil && params != nil {
		a.Created, a.Modified = f.date(params["CreationDate"]), f.date(params["ModDate"])
		a.Size, a.CheckSum = f.size(params["Size"]), f.bytes(params["CheckSum"])
	}
	return a
}

// add keeps an attachment, or notes of one that is known already where else it
// was found.
func (f *finder) add(a *Attachment, file object, place Place) error {
	a.Places = place
	if ref, ok := file.(types.IndirectRef); ok {
		number := ref.ObjectNumber.Value()
		if known := f.found[number]; known != nil {
			known.Places |= place
			known.Key = cmp.Or(known.Key, a.Key)
			known.Relationship = cmp.Or(known.Relationship, a.Relationship)
			return nil
		}
		f.found[number] = a
	}
	if len(f.container.Attachments) >= f.container.limits.Attachments {
		return beyond("the PDF has more than the %d attachments that are allowed", f.container.limits.Attachments)
	}
	f.container.Attachments = append(f.container.Attachments, a)
	return nil
}

// decode decompresses an attachment.
func (c *Container) decode(a *Attachment) ([]byte, error) {
	var data []byte
	err := guarded(func() error {
		stream := a.stream // a copy, so that nothing decompressed is kept twice
		left := c.limits.Decoded - c.decoded
		if left <= 0 {
			return filter.ErrDecodeLimitExceeded
		}
		if len(stream.FilterPipeline) > mostFilters {
			return tooManyFilters()
		}
		if err := stream.DecodeWithLimit(int64(left)); err != nil {
			return err
		}
		data = stream.Content
		return c.charge(len(data))
	})
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, filter.ErrDecodeLimitExceeded):
		err = beyond("the attachments of the PDF decompress to more than the %d bytes that are allowed", c.limits.Decoded)
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = damaged(err)
		e.Message = "the attachment " + a.Name + " is damaged and cannot be read"
	}
	e.Names = []string{a.Name}
	return nil, e
}

// charge counts what was decompressed.
func (c *Container) charge(bytes int) error {
	if c.decoded += bytes; c.decoded > c.limits.Decoded {
		return beyond("the streams of the PDF decompress to more than the %d bytes that are allowed", c.limits.Decoded)
	}
	return nil
}
