package bulk

import (
	"context"
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
		_ = f.Close()
		return nil, Busy(context.Background(), Folder(folder))
	}
	return func() { _ = CloseLocked(f) }, nil
}

// LockFile keeps a second process from a file that is open, until it is closed or the process ends.
func LockFile(f *os.File) error {
	if tryLock(f) != nil {
		return busy(f.Name(), "wait until it has ended, or stop it")
	}
	return nil
}

// CloseLocked closes a file that [LockFile] keeps, and lets others have it at once.
func CloseLocked(f *os.File) error {
	release(f)
	return f.Close()
}

// Busy is the error of a target that another process works on. A job alone has a command that ends it.
func Busy(ctx context.Context, t Target) error {
	if _, err := readJob(ctx, t); err != nil {
		return busy(t.String(), "wait until it has ended, or stop it")
	}
	return busy(t.String(), "wait until it has ended, or end it with bulk cancel")
}

func busy(place, remedy string) error {
	return &problem.Error{Code: CodeBusy, Message: "another process works on " + place, Remedy: remedy}
}
