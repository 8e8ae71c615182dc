package bundle

import (
	"archive/zip"
	"encoding/json"
	"io"
)

// manifestName is the file in a ZIP that says what the others are.
const manifestName = "manifest.json"

// WriteZIP writes the documents as a ZIP, with a manifest.json that is the bundle
// as JSON. The same bundle makes the same bytes.
func (b *Bundle) WriteZIP(w io.Writer) error {
	z := zip.NewWriter(w)
	manifest, err := z.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate})
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
		part, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: f.Modified})
		if err != nil {
			return err
		}
		if _, err := part.Write(f.Data); err != nil {
			return err
		}
	}
	return z.Close()
}
