package archive

import (
	"errors"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// pictureFilters are the filters whose data is a picture; it is left encoded.
var pictureFilters = []string{"DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"}

// plainFilters are the other filters that PDF/A allows.
var plainFilters = []string{"FlateDecode", "ASCIIHexDecode", "ASCII85Decode", "RunLengthDecode"}

// content is the content of a stream, decompressed.
func (c *converter) content(o types.Object) ([]byte, error) {
	s, ok := c.at(o).(types.StreamDict)
	if !ok {
		return nil, errNoStream
	}
	if s.Content != nil {
		return s.Content, nil
	}
	return c.decode(s)
}

func (c *converter) decode(s types.StreamDict) ([]byte, error) {
	if !c.tick() {
		return nil, c.err
	}
	if len(s.Raw) == 0 {
		return []byte{}, nil
	}
	s.Content = nil
	err := s.DecodeWithLimit(int64(max(c.most-c.decoded, 1)))
	if c.decoded += len(s.Content); errors.Is(err, filter.ErrDecodeLimitExceeded) || c.decoded > c.most {
		c.fail(errTooMuch("the streams of the PDF decompress to more than the %d bytes that are allowed", c.most))
		return nil, c.err
	}
	return s.Content, err
}

// replace gives a stream other content.
func (c *converter) replace(o types.Object, s types.StreamDict, content []byte) {
	s.Content, s.Raw, s.FilterPipeline = content, nil, nil
	delete(s.Dict, "Filter")
	delete(s.Dict, "DecodeParms")
	c.put(o, s)
}

// encoding checks how a stream is encoded, and encodes it anew where PDF/A
// excludes that. It comes after everything else, for each stream that is kept.
func (c *converter) encoding(o types.Object, s types.StreamDict) {
	for _, key := range []string{"F", "FFilter", "FDecodeParms"} {
		if s.Dict[key] != nil {
			c.refuse(ReasonStream, "data of the document is in another file", remedySave)
			return
		}
	}
	if s.Raw == nil {
		return
	}
	again := false
	for _, f := range s.FilterPipeline {
		switch {
		case slices.Contains(plainFilters, f.Name), slices.Contains(pictureFilters, f.Name):
		case f.Name == "LZWDecode" || f.Name == "Crypt" && (f.DecodeParms == nil || c.name(f.DecodeParms["Name"]) == "Identity" || f.DecodeParms["Name"] == nil):
			again = true
		default:
			c.refuse(ReasonStream, "data is encoded with "+f.Name+", which PDF/A excludes", remedySave)
			return
		}
	}
	if again {
		c.encodeAgain(o, s)
	}
}

// encodeAgain decodes a stream as far as it is no picture.
func (c *converter) encodeAgain(o types.Object, s types.StreamDict) {
	picture := slices.IndexFunc(s.FilterPipeline, func(f types.PDFFilter) bool { return slices.Contains(pictureFilters, f.Name) })
	rest := []types.PDFFilter{}
	part := s
	if picture >= 0 {
		rest = s.FilterPipeline[picture:]
		part.FilterPipeline = s.FilterPipeline[:picture]
	}
	part.FilterPipeline = slices.DeleteFunc(slices.Clone(part.FilterPipeline), func(f types.PDFFilter) bool { return f.Name == "Crypt" })
	plain := part.Raw
	if len(part.FilterPipeline) > 0 {
		part.Dict = types.Dict{} // the decoder looks for the kind of the stream there
		var err error
		if plain, err = c.decode(part); err != nil {
			c.refuse(ReasonDamaged, "data cannot be decoded", remedySave)
			return
		}
	}
	if picture < 0 {
		c.replace(o, s, plain)
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
	s.Raw, s.Content, s.FilterPipeline = plain, nil, rest
	s.Dict["Filter"], s.Dict["DecodeParms"] = filters, params
	c.put(o, s)
}
