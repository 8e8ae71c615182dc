package archive

import (
	"errors"
	"slices"

	"einvoice/formats/pdf"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// imageFilters are the filters whose data is an image; it stays encoded.
var imageFilters = []string{"DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"}

// otherFilters are the other filters that PDF/A allows.
var otherFilters = []string{"FlateDecode", "ASCIIHexDecode", "ASCII85Decode", "RunLengthDecode"}

// streamEntries are the entries that every stream may have.
var streamEntries = []string{"Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms"}

var errNoStream = errors.New("not a stream")

// content is the decoded content of a stream.
func (c *converter) content(o types.Object) ([]byte, error) {
	s, ok := c.Stream(o)
	if !ok {
		return nil, errNoStream
	}
	if s.Content != nil {
		return s.Content, nil
	}
	return c.decode(s)
}

func (c *converter) decode(s types.StreamDict) ([]byte, error) {
	if !c.Step() {
		return nil, c.Err()
	}
	if len(s.Raw) == 0 {
		return []byte{}, nil
	}
	s.Content = nil
	data, err := c.Decode(s)
	if errors.Is(err, pdf.ErrDecodeLimit) {
		c.Fail(c.exceeded(pdf.LimitDecoded))
		return nil, c.Err()
	}
	return data, err
}

// replaceContent gives a stream other content.
func (c *converter) replaceContent(o types.Object, s types.StreamDict, content []byte) {
	s.Content, s.Raw, s.FilterPipeline = content, nil, nil
	delete(s.Dict, "Filter")
	delete(s.Dict, "DecodeParms")
	c.replaceObject(o, s)
}

// checkFilters checks the filters of a stream, and encodes it again if PDF/A forbids
// one of them. It is called last, for each stream that is kept.
func (c *converter) checkFilters(o types.Object, s types.StreamDict) {
	for _, key := range []string{"F", "FFilter", "FDecodeParms"} {
		if s.Dict[key] != nil {
			c.refuse(ReasonStream, "data of the document is in another file", remedySave)
			return
		}
	}
	if s.Raw == nil {
		return
	}
	anew := false
	for _, f := range s.FilterPipeline {
		switch {
		case slices.Contains(otherFilters, f.Name), slices.Contains(imageFilters, f.Name):
		case f.Name == "LZWDecode" || f.Name == "Crypt" && (f.DecodeParms == nil || c.Name(f.DecodeParms["Name"]) == "Identity" || f.DecodeParms["Name"] == nil):
			anew = true
		default:
			c.refuse(ReasonStream, "data is encoded with "+f.Name+", which PDF/A excludes", remedySave)
			return
		}
	}
	if anew {
		c.encodeAnew(o, s)
	}
}

// encodeAnew decodes a stream, up to the filter whose data is an image.
func (c *converter) encodeAnew(o types.Object, s types.StreamDict) {
	image := slices.IndexFunc(s.FilterPipeline, func(f types.PDFFilter) bool { return slices.Contains(imageFilters, f.Name) })
	rest := []types.PDFFilter{}
	part := s
	if image >= 0 {
		rest = s.FilterPipeline[image:]
		part.FilterPipeline = s.FilterPipeline[:image]
	}
	part.FilterPipeline = slices.DeleteFunc(slices.Clone(part.FilterPipeline), func(f types.PDFFilter) bool { return f.Name == "Crypt" })
	decoded := part.Raw
	if len(part.FilterPipeline) > 0 {
		part.Dict = types.Dict{} // pdfcpu looks for the kind of the stream there
		var err error
		if decoded, err = c.decode(part); err != nil {
			c.refuse(ReasonDamaged, "data cannot be decoded", remedySave)
			return
		}
	}
	if image < 0 {
		c.replaceContent(o, s, decoded)
		return
	}
	filters, params := types.Array{}, types.Array{}
	for _, f := range rest {
		filters = append(filters, types.Name(f.Name))
		if f.DecodeParms == nil {
			params = append(params, nil)
		} else {
			params = append(params, f.DecodeParms)
		}
	}
	s.Raw, s.Content, s.FilterPipeline = decoded, nil, rest
	s.Dict["Filter"], s.Dict["DecodeParms"] = filters, params
	c.replaceObject(o, s)
}
