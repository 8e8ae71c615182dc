package bundle

import (
	"archive/zip"
	"encoding/json"
	"io"
	"time"
)

// manifestName is the file in a ZIP that describes the others.
const manifestName = "manifest.json"

// WriteZIP writes the documents as a ZIP, with the bundle as JSON in manifest.json. The
// same bundle always gives the same bytes.
func (b *Bundle) WriteZIP(w io.Writer) error {
	z := zip.NewWriter(w)
	manifest, err := z.CreateHeader(Header(manifestName, time.Time{}))
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(manifest)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(b); err != nil {
		return err
	}
	for i := range b.Files {
		f := &b.Files[i]
		part, err := z.CreateHeader(Header(f.Name, f.Modified))
		if err != nil {
			return err
		}
		if _, err := part.Write(f.Data); err != nil {
			return err
		}
	}
	return z.Close()
}

// Header is the header of one file in a ZIP. A ZIP cannot express that a date is unknown, so the
// first day that it can express is used, as other programs do.
func Header(name string, modified time.Time) *zip.FileHeader {
	if y := modified.Year(); y < 1980 || y > 2100 {
		modified = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	return &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified}
}
