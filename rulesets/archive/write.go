package archive

import (
	"crypto/sha256"
	"io/fs"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Names are those of all files below a folder.
func Names(fsys fs.FS, folder string) (names []string, err error) {
	err = fs.WalkDir(fsys, folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// Write makes the archive of files by their names. Those for which asItIs is false are compressed.
// Equal files give equal bytes.
func Write(fsys fs.FS, names []string, asItIs func(name string) bool) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false)) // a file has its digest
	if err != nil {
		return nil, err
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	entries := appendNumber([]byte(magic), len(names))
	begin := len(entries) + len(names)*entrySize
	var rest []byte
	add := func(data []byte) (at int) {
		at = begin + len(rest)
		rest = append(rest, data...)
		return at
	}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		held := data
		if !asItIs(name) {
			if packed := encoder.EncodeAll(data, nil); len(packed) < len(data) {
				held = packed
			}
		}
		sum := sha256.Sum256(data)
		for _, number := range []int{
			add(append([]byte(name), sum[:]...)), len(name), add(held), len(held), len(data),
		} {
			entries = appendNumber(entries, number)
		}
	}
	return append(entries, rest...), nil
}
