package bulk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"einvoice/model/problem"
)

// The codes of errors.
const (
	CodeOther   = "BULK-OTHER-JOB"   // the folder has results of something else
	CodeBusy    = "BULK-BUSY"        // another process works on the folder
	CodeNoJob   = "BULK-NO-JOB"      // the folder has none
	CodeWriting = "BULK-NOT-WRITTEN" // results cannot be written
)

// The files of a job's folder.
const (
	jobFile       = "job.json"
	manifestFile  = "manifest.jsonl"
	resultsFolder = "results"
	workFolder    = ".bulk" // what is of no use once the job is done
	cancelFile    = "cancel"
	lockFile      = "lock"
	streamFolder  = "stream"
)

// A Job is an operation on the documents of one manifest, with its results, in one folder.
type Job struct {
	folder    string
	operation Operation
	manifest  manifestInfo
}

// jobInfo is what jobFile holds.
type jobInfo struct {
	Operation string `json:"operation"`
	Digest    string `json:"digest"`
	Source    string `json:"source"`
	// Manifest is set once all of it is written.
	Manifest *manifestInfo `json:"manifest,omitempty"`
}

// Open opens the job of a folder, or makes one for the source where there is none. Results
// of another operation, of other rules or of another source are refused: they would be mixed.
func Open(folder, source string, operation Operation) (*Job, error) {
	j := &Job{folder: folder, operation: operation}
	info, err := readJob(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		entries, err := os.ReadDir(folder)
		if err == nil && len(entries) > 0 {
			return nil, &problem.Error{Code: CodeOther, Message: "the folder " + folder + " is not empty, and has no job", Remedy: "name a new folder for the results"}
		}
		if err := os.MkdirAll(filepath.Join(folder, resultsFolder), 0o755); err != nil {
			return nil, notWritten(err)
		}
		return j, j.write(jobInfo{Operation: operation.Name(), Digest: operation.Digest(), Source: source})
	case err != nil:
		return nil, err
	}
	different := ""
	switch {
	case info.Operation != operation.Name():
		different = "of " + info.Operation
	case info.Source != source:
		different = "about " + info.Source
	case info.Digest != operation.Digest():
		different = "of other rules, other options or another version of the program"
	}
	if different != "" {
		return nil, &problem.Error{Code: CodeOther, Message: "the results in " + folder + " are " + different, Remedy: "name a new folder for the results"}
	}
	if info.Manifest != nil {
		j.manifest = *info.Manifest
	}
	return j, nil
}

// readJob reads what a folder is about.
func readJob(folder string) (info jobInfo, err error) {
	data, err := os.ReadFile(filepath.Join(folder, jobFile))
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil {
		return info, fmt.Errorf("%s: %w", filepath.Join(folder, jobFile), err)
	}
	return info, nil
}

func (j *Job) write(info jobInfo) error {
	data, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(filepath.Join(j.folder, jobFile), append(data, '\n'))
}

// About is what a folder is about: the operation and the source. The error is a
// *problem.Error where there is no job.
func About(folder string) (operation, source string, err error) {
	info, err := readJob(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", &problem.Error{Code: CodeNoJob, Message: "there is no job in " + folder, Remedy: "name the folder that --out named"}
	}
	return info.Operation, info.Source, err
}

// Cancel asks whoever works on a folder to stop after the documents in hand.
func Cancel(folder string) error {
	if _, _, err := About(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, workFolder), 0o755); err != nil {
		return notWritten(err)
	}
	return writeWhole(filepath.Join(folder, workFolder, cancelFile), nil)
}

func (j *Job) work(name string) string { return filepath.Join(j.folder, workFolder, name) }

func notWritten(err error) error {
	return &problem.Error{Code: CodeWriting, Message: err.Error(), Remedy: "see that there is room and that the folder may be written to, then resume; what is done stays", Cause: err}
}

// writeWhole writes a file that is there as a whole or not at all, also after a loss of
// power.
func writeWhole(name string, data []byte) error {
	temporary := name + ".part"
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return notWritten(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return notWritten(errors.Join(err, os.Remove(temporary)))
	}
	return nil
}

// syncFolder makes the names in a folder last.
func syncFolder(name string) error {
	d, err := os.Open(name)
	if err == nil {
		err = errors.Join(d.Sync(), d.Close())
	}
	if err != nil {
		return notWritten(err)
	}
	return nil
}

// argumentsFile holds how the program was called, for whoever goes on.
const argumentsFile = "arguments.json"

// A Call is how a program was called.
type Call struct {
	Folder    string   `json:"folder"` // that relative paths are below
	Arguments []string `json:"arguments"`
}

// Remember keeps how the program was called, once.
func (j *Job) Remember(c Call) error {
	if _, err := os.Stat(j.work(argumentsFile)); err == nil {
		return nil
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(j.folder, workFolder), 0o755); err != nil {
		return notWritten(err)
	}
	return writeWhole(j.work(argumentsFile), data)
}

// Remembered is how the program was called that began the job of a folder.
func Remembered(folder string) (c Call, err error) {
	if _, _, err := About(folder); err != nil {
		return c, err
	}
	data, err := os.ReadFile(filepath.Join(folder, workFolder, argumentsFile))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(data, &c)
}
