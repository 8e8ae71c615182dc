package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"

	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

const (
	// logFolder has the log of a target that cannot add to a file: files of some lines, by the
	// number of the first byte.
	logFolder = "log/"
	// logFile is from how many bytes on a new file begins. The last one is written again with each
	// line.
	logFile = 128 << 10
)

// objects is the log of such a target.
type objects struct {
	ctx  context.Context //nolint:containedctx // of the line
	in   bulk.Target
	at   int64  // bytes before the last file
	last []byte // of the last file
}

func (j *objects) name(at int64) string { return fmt.Sprintf("%s%015d.jsonl", logFolder, at) }

// FileName is the log of a target in the file system.
const FileName = "log.jsonl"

// OpenIn goes on with the log of a target, see Resume.
func OpenIn(ctx context.Context, in bulk.Target, see func(Line) error) (*Log, error) {
	if folder, is := in.(bulk.Folder); is {
		return Open(filepath.Join(string(folder), FileName), see)
	}
	return Resume(&objects{ctx: context.WithoutCancel(ctx), in: in}, see)
}

// ReadIn reads the log of a target.
func ReadIn(ctx context.Context, in bulk.Target) (io.ReadCloser, error) {
	if folder, is := in.(bulk.Folder); is {
		log, err := in.Open(ctx, FileName)
		path := filepath.Join(string(folder), FileName)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no file %s: name the folder that archive add or watch wrote into", path)
		case errors.Is(err, syscall.ENOTDIR):
			return nil, fmt.Errorf("%s is a file, not a folder: name the folder that archive add or watch wrote into", string(folder))
		case err != nil:
			return nil, inputfile.Plainly(path, err)
		}
		return log, nil
	}
	return (&objects{ctx: ctx, in: in}).Open()
}

// Open reads the files one after the other.
func (j *objects) Open() (io.ReadCloser, error) {
	var names []string
	err := j.in.Each(j.ctx, logFolder, func(name string) error { names = append(names, name); return nil })
	slices.Sort(names)
	return &files{j: j, names: names}, err
}

// files reads files one after the other, and remembers the last one.
type files struct {
	j     *objects
	names []string
	now   bytes.Reader
}

func (f *files) Read(p []byte) (int, error) {
	for {
		if n, err := f.now.Read(p); n > 0 || !errors.Is(err, io.EOF) || len(f.names) == 0 {
			return n, err
		}
		r, err := f.j.in.Open(f.j.ctx, f.names[0])
		if err != nil {
			return 0, err
		}
		data, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			return 0, err
		}
		f.names = f.names[1:]
		f.now.Reset(data)
	}
}

func (*files) Close() error { return nil }

// Cut goes on after so many bytes: a file is there as a whole or not at all, so that nothing is
// behind them but what the last file has.
func (j *objects) Cut(size int64) error {
	j.at, j.last = size, nil
	return nil
}

// Append writes the last file again with the lines.
func (j *objects) Append(lines []byte) error {
	if len(j.last)+len(lines) > logFile {
		j.at, j.last = j.at+int64(len(j.last)), nil
	}
	with := append(j.last, lines...) //nolint:gocritic // one goroutine writes
	if err := j.in.Write(j.ctx, bulk.File{Name: j.name(j.at), Data: with}); err != nil {
		return err
	}
	j.last = with
	return nil
}

func (*objects) Close() error { return nil }
