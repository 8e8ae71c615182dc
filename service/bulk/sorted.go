package bulk

import (
	"errors"
	"io"
	"os"
)

// sortedNames lists a folder in the order of names. A folder with more than fit into memory
// is sorted in parts.
func sortedNames(folder, work string, yield func(name string, isFolder bool) error) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	names := &spill{work: work}
	defer names.close()
	var record []byte
	for {
		entries, err := d.ReadDir(1024)
		for _, e := range entries {
			kind := byte(0)
			if e.IsDir() {
				kind = 1
			}
			record = append(append(record[:0], e.Name()...), 0, kind) // no name has a 0
			if err := names.add(record); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return names.each(func(record []byte) error {
		last := len(record) - 1
		return yield(string(record[:last-1]), record[last] == 1)
	})
}
