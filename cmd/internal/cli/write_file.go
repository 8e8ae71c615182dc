package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"einvoice/service/inputfile"
)

// writeOutput writes a document to a file, or to standard output.
func writeOutput(stdout io.Writer, file string, data []byte) error {
	if file == "-" && isTerminal(stdout) && !utf8.Valid(data) {
		return errors.New("a PDF or ZIP cannot be shown on a terminal: name a file with -o")
	}
	if file == "-" {
		_, err := stdout.Write(data)
		return err
	}
	return writeFile(file, data)
}

// writeFile replaces a file as a whole, as replaceFile does.
func writeFile(name string, data []byte) error {
	return replaceFile(name, func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		return nil
	})
}

// replaceFile replaces a file as a whole by what write writes: whatever goes wrong, the old one is
// still there complete. What is not a regular file, such as a pipe or a device, is written to as it is.
func replaceFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644) // an invoice is as readable as any file that its user makes
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	case err == nil:
		mode = info.Mode().Perm()
	}
	target, err := filepath.EvalSymlinks(name) // a link stays a link
	if err != nil {
		target = name
	}
	if err := inputfile.Folder(filepath.Dir(target)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = &fs.PathError{Op: "write", Path: filepath.Dir(target), Err: of.Err} // nobody asked for the file with the other name
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := write(temporary); err != nil {
		temporary.Close()
		os.Remove(temporary.Name())
		return err
	}
	if err := finish(temporary, mode); err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(temporary.Name(), target); err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// finish gives a file that was written its permissions, and closes it when the disk has it.
func finish(f *os.File, mode fs.FileMode) error {
	err := f.Chmod(mode)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
