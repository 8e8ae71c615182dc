package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"einvoice/engine"
)

// digestOf names what decides results: all files of rules, the program, the operation and
// its options, which have JSON.
func digestOf(library *engine.Library, version, operation string, options ...any) (string, error) {
	digest := sha256.New()
	fsys := library.FS()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".bin" { // what is compiled of the others
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		fmt.Fprintf(digest, "%s %d\n", name, len(data))
		digest.Write(data)
		return err
	})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(options)
	fmt.Fprintf(digest, "%s\n%s\n%s\n", version, operation, text)
	return hex.EncodeToString(digest.Sum(nil)), err
}
