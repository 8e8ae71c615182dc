package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"

	"einvoice/model/problem"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

// openTarget is where a job is: a folder, or S3.
func (m Machines) openTarget(name string) (bulk.Target, error) {
	if !strings.HasPrefix(name, objectStore) {
		return bulk.Folder(name), nil
	}
	if m.Target == nil {
		return nil, needsMachines(name)
	}
	return m.Target(name, workOf(name))
}

// workOf is a folder of this machine for work on a place of S3.
func workOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(os.TempDir(), "einvoice-bulk", hex.EncodeToString(sum[:8]))
}

type bulkFiles struct{ *bulk.Files }

// Close does nothing: files are opened one at a time.
func (bulkFiles) Close() error { return nil }

// openSource opens what --in names. limit is the largest document in bytes.
func (m Machines) openSource(in string, target bulk.Target, limit int64, stdin io.Reader) (Source, error) {
	files := &bulk.Files{Work: target.Work(), Open: func(path string) ([]byte, int64, error) { return inputfile.Read(path, limit) }}
	list, isList := strings.CutPrefix(in, "@")
	switch info, err := os.Stat(in); {
	case strings.HasPrefix(in, objectStore):
		return m.Source(in, limit)
	case in == "-":
		return bulk.OpenTAR(stdin, target.Work(), limit)
	case in == "@-":
		kept, err := bulk.KeepList(stdin, target.Work())
		if err != nil {
			return nil, err
		}
		files.List = kept
	case isList:
		files.List = func() (io.ReadCloser, error) { return openList(list) }
	case err != nil:
		return nil, &problem.Error{Code: bulk.CodeSource, Message: "there is no file and no folder " + in, Remedy: "name a folder, @LIST, an archive, - for a TAR from standard input, or s3://bucket/prefix", Cause: err}
	case info.IsDir():
		files.Folder = in
	case bulk.IsArchive(in):
		return bulk.OpenArchive(in, target.Work(), limit, bulk.MostUnpacked)
	default: // one file
		files.List = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(in)), nil }
	}
	return bulkFiles{files}, nil
}

// openList opens a file with a path a line.
func openList(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = inputfile.Regular(name, info.Mode())
	}
	if err != nil {
		return nil, inputfile.Plainly(name, err)
	}
	return os.Open(name)
}
