package typeset

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"einvoice/formats/pdf/font"
	"einvoice/formats/pdf/fontfiles"
)

// Fonts are folders of fonts for characters that the program's own fonts do not have. The
// zero Fonts has none. It can be used by several goroutines.
type Fonts struct {
	folders []string
	lock    sync.Mutex
	listed  bool
	files   []*fontFile
	chosen  map[rune]*Face // nil for characters that no file has
}

// A fontFile is a file of a font, whose characters are read when they are asked for.
type fontFile struct {
	path  string
	read  bool
	chars *font.Cmap
	face  *Face
}

// NewFonts are the fonts of folders, with all folders inside. The first that has a
// character counts; upright fonts of usual weight without serifs come first.
func NewFonts(folders ...string) *Fonts { return &Fonts{folders: folders} }

// with is a font that has a character; nil if none has.
func (f *Fonts) with(r rune) *Face {
	if f == nil || r < 0x80 || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) {
		return nil
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if face, known := f.chosen[r]; known {
		return face
	}
	if f.chosen == nil {
		f.chosen = map[rune]*Face{}
	}
	if !f.listed {
		f.list()
	}
	f.chosen[r] = nil
	for _, file := range f.files {
		if file.has(r) {
			if face := file.load(); face != nil {
				f.chosen[r] = face
				break
			}
		}
	}
	return f.chosen[r]
}

// list finds the files.
func (f *Fonts) list() {
	f.listed = true
	for _, folder := range f.folders {
		var files []*fontFile
		for _, path := range fontfiles.In(folder) {
			files = append(files, &fontFile{path: path})
		}
		slices.SortStableFunc(files, func(a, b *fontFile) int { return a.rank() - b.rank() })
		f.files = append(f.files, files...)
	}
}

// rank orders the fonts of a folder: the plainest first.
func (f *fontFile) rank() int {
	name := strings.ToLower(filepath.Base(f.path))
	rank := 0
	for _, word := range []string{"bold", "italic", "oblique", "black", "light", "thin", "medium", "condensed", "mono", "serif", "ui", "display", "emoji", "kufi", "nastaliq", "rashi"} {
		if strings.Contains(name, word) {
			rank += 2
		}
	}
	if !strings.Contains(name, "regular") {
		rank++
	}
	return rank
}

// has reports whether a font has a character. Of the file only the table cmap is read.
func (f *fontFile) has(r rune) bool {
	if !f.read {
		f.read = true
		f.chars = unicodeTable(font.ReadCmaps(fontfiles.Table(f.path, "cmap")))
	}
	return f.chars.Glyph(int(r)) != font.NotDef
}

// unicodeTable is the table of Unicode among those of a font.
func unicodeTable(tables []*font.Cmap) *font.Cmap {
	for _, want := range [][2]int{{3, 10}, {0, 6}, {0, 4}, {3, 1}, {0, 3}} {
		for _, t := range tables {
			if t.Platform == want[0] && t.Encoding == want[1] {
				return t
			}
		}
	}
	return nil
}

// load reads the font; nil if it cannot be used or may not be embedded.
func (f *fontFile) load() *Face {
	if f.face != nil {
		return f.face
	}
	data, err := os.ReadFile(f.path)
	if err == nil {
		f.face, err = NewFace(strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path)), data)
	}
	if err != nil || f.face.MayBeEmbedded() != nil || f.face.shapeFont() == nil {
		f.face, f.chars = nil, nil // it is not asked again
	}
	return f.face
}
