package bulk

import (
	"errors"
	"os"
	"path/filepath"

	"einvoice/model/problem"
)

// lock keeps a second process from working on a folder. The system gives the lock back when
// the process ends, however it does.
func lock(folder, name string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, notWritten(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, notWritten(err)
	}
	if err := tryLock(f); err != nil {
		err = errors.Join(err, f.Close())
		return nil, &problem.Error{Code: CodeBusy, Message: "another process works on " + folder, Remedy: "wait until it has ended; bulk cancel ends a bulk job", Cause: err}
	}
	return func() { _ = f.Close() }, nil
}
