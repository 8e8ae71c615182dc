package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"einvoice/formats/xmlparse"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/service/kosit"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
)

// stdinName is how the validator calls what comes by standard input.
const stdinName = "stdin"

// A kositRun checks files and writes their reports.
type kositRun struct {
	options       *kositOptions
	service       *operation.Kit
	configuration *kosit.Configuration
	log           *slog.Logger

	assertions       *kosit.Assertions // nil without -c
	asserted, failed int               // how many were evaluated, and were not true
}

// A kositOutcome is what the summary says of one file. It keeps nothing of the document.
type kositOutcome struct {
	name                    string
	processed, accepted     bool
	schema, schematron      bool // valid
	acceptance, description string
}

// outcomeOf is that of a file that was checked.
func outcomeOf(r *kosit.Result) kositOutcome {
	return kositOutcome{r.Name, r.Processed, r.Accepted(), r.SchemaValid, r.SchematronValid, string(r.Recommendation), described(r.Descriptions())}
}

func (k *kositRun) all(cmd *cobra.Command, files []string) error {
	paths, err := k.targets(cmd, files)
	if err == nil {
		err = makeFolder(k.options.out)
	}
	if err != nil {
		return &statusError{exitConfig, err}
	}
	k.warnTwins(cmd, paths)
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "\nChecking %s\n", numeral.Count(len(paths), "document"))
	began := time.Now()
	outcomes := make([]kositOutcome, 0, len(paths))
	for _, path := range paths {
		o, err := k.one(cmd, path)
		if err != nil {
			return &statusError{exitConfig, err}
		}
		outcomes = append(outcomes, o)
	}
	fmt.Fprintf(out, "Checked %s in %d ms\n", numeral.Count(len(paths), "document"), time.Since(began).Milliseconds())
	rejected := summarize(out, outcomes)
	if k.asserted > 0 {
		fmt.Fprintf(out, "Assertions run: %d, Assertions failed: %d\n", k.asserted, k.failed)
		if k.failed == 0 { // the validator calls it a success then, whatever is rejected
			return nil
		}
	}
	if rejected+k.failed > 0 {
		return &statusError{status: min(rejected+k.failed, exitMostRejected)}
	}
	return nil
}

// assert checks what is expected of a report.
func (k *kositRun) assert(cmd *cobra.Command, name string, report []byte) error {
	if k.assertions == nil {
		return nil
	}
	checked, failed, err := k.assertions.Check(name, report)
	if err != nil {
		return err
	}
	k.asserted, k.failed = k.asserted+checked, k.failed+len(failed)
	if checked == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: there are no assertions about %s\n", quote.Name(name))
	}
	for _, text := range failed {
		fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: %s: the assertion is not true: %s\n", quote.Name(name), quote.Visible(text))
	}
	return nil
}

// targets are the files to check: those that are named, and of folders those that end in
// .xml, without the folders below. A file that is not there is told and passed over, as
// the validator does; standard input is read where no file is named.
func (k *kositRun) targets(cmd *cobra.Command, files []string) ([]string, error) {
	if len(files) == 0 {
		if isTerminal(cmd.InOrStdin()) {
			return nil, errors.New("name files or folders to check, or pipe a document in")
		}
		return []string{"-"}, nil
	}
	var paths []string
	for _, file := range files {
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: there is no %s; it is passed over\n", quote.Name(file))
		case err == nil && info.IsDir():
			inside, err := os.ReadDir(file)
			if err != nil {
				return nil, err
			}
			for _, entry := range inside {
				if strings.EqualFold(filepath.Ext(entry.Name()), ".xml") {
					paths = append(paths, filepath.Join(file, entry.Name()))
				}
			}
		default:
			paths = append(paths, file)
		}
	}
	if len(paths) == 0 {
		return nil, errors.New("there is nothing to check: no file that was named is there, and no folder has files ending in .xml")
	}
	return slices.Compact(paths), nil
}

// warnTwins tells of documents whose reports have the same name: the last one stays.
func (k *kositRun) warnTwins(cmd *cobra.Command, paths []string) {
	first := map[string]string{}
	for _, path := range paths {
		name := documentName(path)
		if other, twice := first[name]; twice && other != path {
			fmt.Fprintf(cmd.ErrOrStderr(), "einvoice: the reports of %s and %s have the same name; only the last is kept\n", quote.Name(other), quote.Name(path))
		}
		first[name] = path
	}
}

// one checks a file and writes its report. An error is one of writing.
func (k *kositRun) one(cmd *cobra.Command, path string) (kositOutcome, error) {
	began := time.Now()
	reference, name := path, documentName(path)
	if path == "-" {
		reference, name = stdinName, stdinName
	} else if absolute, err := filepath.Abs(path); err == nil {
		reference = (&url.URL{Path: filepath.ToSlash(absolute)}).EscapedPath()
	}
	data, err := readInput(path, cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
	if err != nil {
		k.log.Error("not read", "document", reference, "error", err.Error())
		return kositOutcome{name: reference, acceptance: "UNDEFINED", description: described([]string{err.Error()})}, nil
	}
	result, err := k.configuration.Check(cmd.Context(), k.service.Service, kosit.Input{Name: reference, Data: data})
	if err != nil {
		return kositOutcome{}, err
	}
	if err := k.write(cmd, name, result); err != nil {
		return kositOutcome{}, err
	}
	if err := k.assert(cmd, name, result.Report); err != nil {
		return kositOutcome{}, err
	}
	k.log.Info("checked", "document", reference, "scenario", result.Scenario, "recommendation", result.Recommendation, "took", time.Since(began))
	if k.options.memory {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Fprintf(cmd.OutOrStdout(), "memory: %d KiB in use, %d KiB from the system\n", m.HeapAlloc>>10, m.Sys>>10)
	}
	return outcomeOf(result), nil
}

// write writes the report of a document, and what else is asked for.
func (k *kositRun) write(cmd *cobra.Command, name string, result *kosit.Result) error {
	file := filepath.Join(k.options.out, k.options.reportName(name)+".xml")
	if err := writeFile(file, result.Report); err != nil {
		return err
	}
	k.log.Debug("wrote the report", "file", file)
	if k.options.html {
		if err := writeFile(filepath.Join(k.options.out, name+"-report.html"), result.HTML); err != nil {
			return err
		}
	}
	if k.options.print {
		_, err := cmd.OutOrStdout().Write(result.Report)
		return err
	}
	return nil
}
