// Package fontfiles finds files of fonts in folders, and reads single tables of them.
//
//	files := fontfiles.In("/usr/share/fonts")
//	table := fontfiles.Table(files[0], "cmap")
package fontfiles

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Bounds of what is read of folders.
const (
	maxFiles  = 5000
	maxTables = 64
	// MaxBytes is the most that the file of a font may have.
	MaxBytes = 64 << 20
)

// System are the folders in which the operating system has its fonts.
func System() []string {
	home, _ := os.UserHomeDir() // without one, its folders are not there
	switch runtime.GOOS {
	case "windows":
		return []string{filepath.Join(os.Getenv("WINDIR"), "Fonts"), filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin":
		return []string{"/System/Library/Fonts", "/Library/Fonts", filepath.Join(home, "Library", "Fonts")}
	}
	return []string{"/usr/share/fonts", "/usr/local/share/fonts", filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts")}
}

// In are the files of fonts (TTF, OTF, TTC, OTC) in a folder, with all folders inside, in
// the order of their names. What cannot be read has no fonts.
func In(folder string) (files []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // as the comment says
		case len(files) == maxFiles:
			return filepath.SkipAll
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf", ".ttc", ".otc":
			if d.Type().IsRegular() {
				files = append(files, path)
			}
		}
		return nil
	})
	return files
}

// Table is a table of the font in a file, of the first one in a collection; nil if it
// cannot be read.
func Table(path, tag string) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() > MaxBytes {
		return nil
	}
	start := int64(0)
	head := make([]byte, 16)
	if !read(file, head, 0) {
		return nil
	}
	if string(head[:4]) == "ttcf" {
		start = int64(binary.BigEndian.Uint32(head[12:]))
		if !read(file, head[:12], start) {
			return nil
		}
	}
	entry := make([]byte, 16)
	for i := range min(int(binary.BigEndian.Uint16(head[4:])), maxTables) {
		if !read(file, entry, start+12+16*int64(i)) {
			return nil
		}
		offset, length := int64(binary.BigEndian.Uint32(entry[8:])), int64(binary.BigEndian.Uint32(entry[12:]))
		if string(entry[:4]) == tag && offset+length <= info.Size() {
			table := make([]byte, length)
			if read(file, table, offset) {
				return table
			}
			return nil
		}
	}
	return nil
}

func read(file io.ReaderAt, into []byte, at int64) bool {
	n, _ := file.ReadAt(into, at) // a part of a table is none
	return n == len(into)
}

// PostScriptName is the name that a table name has for PDF; empty if it has none.
func PostScriptName(table []byte) string {
	u16 := func(at int) int {
		if at < 0 || at+2 > len(table) {
			return 0
		}
		return int(binary.BigEndian.Uint16(table[at:]))
	}
	const postScript = 6
	texts := u16(4)
	for i := range min(u16(2), 1000) {
		record := 6 + 12*i
		if u16(record+6) != postScript {
			continue
		}
		from, length := texts+u16(record+10), u16(record+8)
		if from+length > len(table) {
			continue
		}
		name := table[from : from+length]
		if u16(record) != 1 { // UTF-16, for all but the old Macintosh
			var ascii []byte
			for j := 1; j < len(name); j += 2 {
				ascii = append(ascii, name[j])
			}
			name = ascii
		}
		return string(name)
	}
	return ""
}
