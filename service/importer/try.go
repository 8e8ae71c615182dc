package importer

import (
	"bytes"
	"fmt"
	"io/fs"
	"testing/fstest"

	"einvoice/engine"
)

// Try is a library with translated rules, as they are before their author has written what
// they say, to see what they decide. base has the code lists that there are.
func Try(h Header, rules []*Rule, lists []CodeList, base fs.FS) (*engine.Library, error) {
	h.Words, h.tried = func(string) (message, text string) { return "?", "?" }, true
	files := fstest.MapFS{}
	var b bytes.Buffer
	if err := Write(&b, h, rules); err != nil {
		return nil, err
	}
	files[fmt.Sprintf("%s/%s/imported.yaml", h.Ruleset, h.Version)] = &fstest.MapFile{Data: bytes.Clone(b.Bytes())}
	for _, l := range lists {
		b.Reset()
		if err := WriteList(&b, l, h.Ruleset, h.Version); err != nil {
			return nil, err
		}
		files[engine.FolderOfCodeLists+"/"+l.Name+".yaml"] = &fstest.MapFile{Data: bytes.Clone(b.Bytes())}
	}
	return engine.Open(engine.Layered(files, base))
}
