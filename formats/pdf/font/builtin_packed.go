//go:build !js && packed

package font

import (
	"embed"
	"sync"

	"einvoice/model/packed"
)

//go:embed packed/*.zst
var files embed.FS

// unpacked are the fonts that were asked for, by name.
var unpacked struct {
	sync.Mutex
	fonts map[string][]byte
}

// BuiltIn is the file of one of the program's fonts; nil if it has none of that name.
func BuiltIn(name string) []byte {
	unpacked.Lock()
	defer unpacked.Unlock()
	if data, known := unpacked.fonts[name]; known {
		return data
	}
	if unpacked.fonts == nil {
		unpacked.fonts = map[string][]byte{}
	}
	data, err := packed.ReadFile(files, "packed/"+name+packed.Ending)
	if err != nil {
		data = nil
	}
	unpacked.fonts[name] = data
	return data
}
