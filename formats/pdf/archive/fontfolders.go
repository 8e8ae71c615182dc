package archive

import (
	"os"
	"strings"
	"sync"

	"einvoice/formats/pdf/font"
	"einvoice/formats/pdf/fontfiles"
)

// Fonts are folders of fonts that take the place of fonts that a PDF names and does not
// have: the font of that name, or one with the same widths. It can be used by several
// goroutines.
type Fonts struct {
	folders []string
	list    func() map[string]string // files by family and style
	lock    sync.Mutex
	read    map[string]*substituteFont // by file; nil for one that cannot be used
}

// NewFonts are the fonts of folders; the first that has a font counts.
func NewFonts(folders ...string) *Fonts {
	f := &Fonts{folders: folders, read: map[string]*substituteFont{}}
	f.list = sync.OnceValue(func() map[string]string {
		files := map[string]string{}
		for _, folder := range f.folders {
			for _, file := range fontfiles.In(folder) {
				if name := fontfiles.PostScriptName(fontfiles.Table(file, "name")); name != "" {
					if key := familyAndStyle(name); files[key] == "" {
						files[key] = file
					}
				}
			}
		}
		return files
	})
	return f
}

// familyAndStyle is the name of a font as names are compared: family, and style.
func familyAndStyle(name string) string {
	plain := plainName(name)
	style := ""
	if strings.Contains(plain, "bold") {
		style += " bold"
	}
	if strings.Contains(plain, "italic") || strings.Contains(plain, "oblique") {
		style += " italic"
	}
	plain = strings.NewReplacer("bold", "", "italic", "", "oblique", "", "regular", "", "mt", "").Replace(plain)
	return plain + style
}

// named is a font of the folders for one of that name; nil if there is none.
func (f *Fonts) named(name string) *substituteFont {
	if f == nil {
		return nil
	}
	wanted := familyAndStyle(name)
	file := f.list()[wanted]
	if file == "" {
		family, style, _ := strings.Cut(wanted, " ")
		for _, pair := range substitutes()["folders"] {
			if of, by, _ := strings.Cut(pair, "="); of == family {
				file = f.list()[strings.TrimSpace(by+" "+style)]
			}
		}
	}
	if file == "" {
		return nil
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	found, known := f.read[file]
	if !known {
		found = readSubstitute(file)
		f.read[file] = found
	}
	return found
}

// readSubstitute reads a font of a folder; nil if it is not TrueType, or may not be
// embedded in parts.
func readSubstitute(file string) *substituteFont {
	const restricted, notInParts = 0x0002, 0x0300
	data, err := os.ReadFile(file)
	if err != nil || len(data) > fontfiles.MaxBytes {
		return nil
	}
	program, err := font.Parse(data)
	if err != nil || program.Kind != font.TrueType || program.Cmap(3, 1) == nil {
		return nil
	}
	if p := program.EmbeddingPermission(); p&0x000e == restricted || p&notInParts != 0 {
		return nil
	}
	return newSubstitute(fontfiles.PostScriptName(fontfiles.Table(file, "name")), data)
}
