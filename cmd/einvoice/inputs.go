package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"einvoice/service/bulk"
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

// regular refuses what is no file. A pipe or a device might be waited for without end.
func regular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder", path)
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a pipe, not a file; pipe the document in as standard input, and name it -", path)
	}
	return fmt.Errorf("%s is a device or socket, not a file", path)
}

func readList(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(name, info); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" {
			names = append(names, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("list %s: %w", name, err)
	}
	return names, nil
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
		if !d.IsDir() && slices.Contains(bulk.InvoiceEndings, strings.ToLower(filepath.Ext(name))) {
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no invoice in %s: a folder is searched for files ending in %s", path, strings.Join(bulk.InvoiceEndings, ", "))
	}
	return found, nil
}

// readInput reads a document, but never much more than the limit allows.
func readInput(path string, stdin io.Reader, limit int64) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(stdin, limit+1))
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, readError(path, err)
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	if info.Size() > limit { // not worth reading
		return nil, bulk.TooLarge(info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, readError(path, err)
	}
	defer f.Close()
	data := make([]byte, 0, min(info.Size(), limit)+512)
	for int64(len(data)) <= limit {
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data)+512)
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, readError(path, err)
		}
	}
	return data, nil
}

func readError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no permission to read %s", path)
	}
	return err
}
