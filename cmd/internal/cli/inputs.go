package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"einvoice/model/quote"
	"einvoice/service/inputfile"
)

// inputs expands the command's paths: a file, which is always read, a folder (with the
// invoices of all folders below it), "-"
// for standard input, "@LIST" for a file with one path a line.
func inputs(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		switch list, isList := strings.CutPrefix(path, "@"); {
		case path == "-":
			out = append(out, path)
		case isList:
			names, err := readList(list)
			if err != nil {
				return nil, err
			}
			out = append(out, names...)
		default:
			found, err := expand(path)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// readList returns the paths of a list. One without any is refused, as a folder without an
// invoice is: a pipeline whose list came out empty would go on as if all were valid.
func readList(name string) ([]string, error) {
	list, err := openList(name)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	var paths []string
	if err := inputfile.Paths(list, func(path string) error { paths = append(paths, path); return nil }); err != nil {
		return nil, inFile("@"+name, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there is no path in the list %s: write one a line", quote.Name(name))
	}
	return paths, nil
}

func expand(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, nil //nolint:nilerr // a file that cannot be read is reported as such, among the others
	}
	var found []string
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && inputfile.MayBeInvoice(name) {
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no invoice in %s: a folder is searched for files ending in %s", quote.Name(path), strings.Join(inputfile.Endings, ", "))
	}
	return found, nil
}

// readInput reads a document, but never much more than the limit allows.
func readInput(path string, stdin io.Reader, limit int64) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(stdin, limit+1))
	}
	data, _, err := inputfile.Read(path, limit)
	return data, err
}
