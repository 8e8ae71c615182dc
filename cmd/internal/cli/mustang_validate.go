package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"einvoice/formats/xmlparse"
	"einvoice/model/numeral"
	"einvoice/model/quote"
	"einvoice/server"
	"einvoice/service/inputfile"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
)

// mustangCheck validates one file.
func mustangCheck(cmd *cobra.Command, s *operation.Kit, path string) (*report.Outcome, []byte) {
	o := &report.Outcome{Name: filepath.Base(path)}
	data, err := readInput(path, cmd.InOrStdin(), int64(xmlparse.DefaultLimits().Bytes))
	if err == nil {
		var result *validate.Result
		if result, err = s.Validate(cmd.Context(), data, validate.Rules{}); err == nil {
			o.Report, o.Document = result.Report, result.Document
		}
	}
	o.Err = err
	return o, data
}

// validate is the action validate: the report on standard output, a line on standard
// error.
func (o *mustangOptions) validate(cmd *cobra.Command) error {
	if err := needs(o.action, map[string]string{"source": o.source}); err != nil {
		return err
	}
	s, err := operation.Open(operation.Config{})
	if err != nil {
		return err
	}
	began := time.Now()
	outcome, data := mustangCheck(cmd, s, o.source)
	m := &report.Mustang{Options: report.Options{Library: s.Library(), Version: server.Version}, NoNotices: o.noNotices, Took: time.Since(began), Now: began}
	text, err := m.Write(outcome, data)
	if err != nil {
		return err
	}
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return err
	}
	valid := outcome.Err == nil && outcome.Report.Valid
	fmt.Fprintf(cmd.ErrOrStderr(), "%s is %s, took %d ms%s\n", quote.Name(outcome.Name), validWord(valid), m.Took.Milliseconds(), o.logAppend)
	if !valid {
		return &statusError{status: exitArguments}
	}
	return nil
}

func validWord(valid bool) string {
	if valid {
		return "valid"
	}
	return "invalid"
}

// expect is the actions validateExpectValid and validateExpectInvalid: whether all files
// of a folder are what is expected.
func (o *mustangOptions) expect(cmd *cobra.Command, valid bool) error {
	if err := needs(o.action, map[string]string{"directory": o.directory}); err != nil {
		return err
	}
	// A folder that is not there would count as an invalid file, as expected of validateExpectInvalid.
	if _, err := os.Stat(o.directory); err != nil {
		return inputfile.Plainly(o.directory, err)
	}
	paths, err := inputs([]string{o.directory})
	if err != nil {
		return err
	}
	s, err := operation.Open(operation.Config{})
	if err != nil {
		return err
	}
	wrong, left := 0, 0
	for _, path := range paths {
		if slices.Contains(o.exclude, filepath.Base(path)) {
			left++
			continue
		}
		outcome, _ := mustangCheck(cmd, s, path)
		is := outcome.Err == nil && outcome.Report.Valid
		if is != valid {
			wrong++
			fmt.Fprintf(cmd.OutOrStdout(), "%s is %s\n", quote.Name(path), validWord(is))
		}
	}
	if left == len(paths) {
		return errors.New("--exclude leaves out every file")
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s, %d of them not %s\n", numeral.Count(len(paths)-left, "file"), wrong, validWord(valid))
	if wrong > 0 {
		return &statusError{status: exitArguments}
	}
	return nil
}
