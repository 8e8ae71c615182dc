package page

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	ot "github.com/go-text/typesetting/font/opentype"

	"einvoice/formats/pdf/font"
)

// Fonts are folders of fonts for characters that the program's own fonts do not have. The
// zero Fonts has none. It can be used by several goroutines.
type Fonts struct {
	folders []string
	lock    sync.Mutex
	listed  bool
	files   []*fontFile
	chosen  map[rune]*typeface // nil for characters that no file has
}

// A fontFile is a file of a font, whose characters are read when they are asked for.
type fontFile struct {
	path  string
	read  bool
	chars *font.Cmap
	face  *typeface
}

// Bounds of what is read of folders.
const (
	maxFontFiles = 5000
	maxFontBytes = 64 << 20
)

// NewFonts are the fonts of folders, with all folders inside. The first that has a
// character counts; upright fonts of usual weight without serifs come first.
func NewFonts(folders ...string) *Fonts { return &Fonts{folders: folders} }

// SystemFonts are the folders in which the operating system has its fonts.
func SystemFonts() []string {
	home, _ := os.UserHomeDir() // without one, its folders are not there
	switch runtime.GOOS {
	case "windows":
		return []string{filepath.Join(os.Getenv("WINDIR"), "Fonts"), filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin":
		return []string{"/System/Library/Fonts", "/Library/Fonts", filepath.Join(home, "Library", "Fonts")}
	}
	return []string{"/usr/share/fonts", "/usr/local/share/fonts", filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts")}
}

// with is a font that has a character; nil if none has.
func (f *Fonts) with(r rune) *typeface {
	if f == nil || r < 0x80 || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) {
		return nil
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if face, known := f.chosen[r]; known {
		return face
	}
	if f.chosen == nil {
		f.chosen = map[rune]*typeface{}
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
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error { // a folder that is not there has no fonts
			if err != nil || len(f.files)+len(files) >= maxFontFiles {
				return nil //nolint:nilerr // what cannot be read has no fonts
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				if d.Type().IsRegular() {
					files = append(files, &fontFile{path: path})
				}
			}
			return nil
		})
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

// has tells whether a font has a character. Of the file only the table cmap is read.
func (f *fontFile) has(r rune) bool {
	if !f.read {
		f.read = true
		f.chars = readCharacters(f.path)
	}
	return f.chars.Glyph(int(r)) != font.NotDef
}

func readCharacters(path string) *font.Cmap {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > maxFontBytes {
		return nil
	}
	loaders, err := ot.NewLoaders(file)
	if err != nil || len(loaders) == 0 {
		return nil
	}
	table, err := loaders[0].RawTable(ot.MustNewTag("cmap"))
	if err != nil {
		return nil
	}
	return unicodeTable(font.ReadCmaps(table))
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
func (f *fontFile) load() *typeface {
	if f.face != nil {
		return f.face
	}
	data, err := os.ReadFile(f.path)
	if err == nil {
		f.face, err = newTypeface(strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path)), data)
	}
	if err != nil || f.face.mayBeEmbedded() != nil || f.face.shapeFont() == nil {
		f.face, f.chars = nil, nil // it is not asked again
	}
	return f.face
}
