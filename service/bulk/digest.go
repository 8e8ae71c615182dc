package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"

	"einvoice/service/operation"
)

// digestOf names what decides results: all files of rules, the limits of documents, the build of
// the program, whether veraPDF checks too, the operation and its options, which have JSON.
func digestOf(s *operation.Kit, operation string, options ...any) (string, error) {
	built, err := program()
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	fsys := s.Library().FS()
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".bin" { // what is compiled of the others
			return err
		}
		return digestFile(digest, fsys, name)
	})
	if err != nil {
		return "", err
	}
	if s.VeraPDF {
		built += " veraPDF"
	}
	text, err := json.Marshal(append(options, s.Limits(), s.PDF))
	fmt.Fprintf(digest, "%s\n%s\n%s\n", built, operation, text)
	return hex.EncodeToString(digest.Sum(nil)), err
}

// digestFile adds a file without holding it in memory: the rows of a table may be many.
func digestFile(digest io.Writer, fsys fs.FS, name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(digest, "%s %d\n", name, info.Size())
	_, err = io.Copy(digest, f)
	return err
}
