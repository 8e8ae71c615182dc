package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/service/audit"
	"einvoice/service/bulk"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (m Machines) newArchive() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "Keep documents with their verdicts for years, so that both can be proved",
		Long: `Archive keeps documents and reports under their SHA-256, in a folder or a prefix of S3, and a log in
which each line has the SHA-256 of the line before: the digests of a document, of its report and of all
that decided, and the version of the program. The report has the digest of each ruleset and overlay.`,
	}
	cmd.AddCommand(m.newArchiveAdd(), m.newAuditVerify(ofArchive), m.newAuditJudge(ofArchive), m.newArchiveExport())
	return cmd
}

func (m Machines) newArchiveAdd() *cobra.Command {
	op := bulkOperationNamed("validate")
	o := &bulkOptions{}
	years := 0
	cmd := &cobra.Command{
		Use:   "add ARCHIVE SOURCE",
		Short: "Validate documents, and keep them with their reports",
		Long: `Add validates the documents of a folder, an archive (ZIP, TAR), a list (@LIST), or a prefix of S3,
and keeps each with its report. Documents that are there with a report by the same rules are not added
again, so that add can be repeated after a stop. The source stays as it is.

With --retain-years, S3 refuses to remove or to overwrite what was added until the end of so many
calendar years after this one, whoever asks: the bucket needs object lock.`,
		Example: `  einvoice archive add archive/2026-11 outbox/valid
  einvoiced archive add s3://archive/2026-11 outbox/valid --retain-years 8`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, documents, err := op.performance(cmd, o)
			if err != nil {
				return err
			}
			defer documents.Close()
			in, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			if years > 0 {
				locks, can := in.(interface {
					Retain(ctx context.Context, until time.Time) error
				})
				if !can {
					return &problem.Error{Code: "ARCHIVE-RETAIN", Message: args[0] + " is a folder, whose files can be removed by whoever may write there", Remedy: "name a prefix of S3, or leave --retain-years out"}
				}
				if err := locks.Retain(cmd.Context(), time.Date(time.Now().Year()+years, 12, 31, 23, 59, 59, 0, time.UTC)); err != nil {
					return err
				}
			}
			if strings.HasPrefix(args[1], objectStore) && m.Source == nil {
				return needsMachines(args[1])
			}
			source, err := m.openSource(args[1], in, int64(o.limits.Bytes), cmd.InOrStdin())
			if err != nil {
				return err
			}
			defer source.Close()
			program, err := bulk.Program()
			if err != nil {
				return err
			}
			a := audit.Archive{In: in, Program: program, By: by}
			added, failed, lost := map[string]int{}, 0, 0
			err = a.Add(cmd.Context(), source, filepath.ToSlash(args[1]), func(e *audit.Event) { added[e.Verdict]++ }, func(key string, err error) {
				if told, ok := errors.AsType[*problem.Error](err); ok && told.Code == audit.CodeLost {
					lost++
				} else {
					failed++
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", quote.Name(key), quote.Visible(err.Error()))
			})
			if err == nil && failed+lost == 0 && len(added) == 0 {
				tell(cmd, "einvoice: nothing was added: %s has no document, or the archive has each with a report by these rules", args[1])
			}
			fmt.Fprintf(cmd.OutOrStdout(), "added: %d valid, %d invalid, %d unreadable; %d could not be read", added["valid"], added["invalid"], added["unreadable"], failed)
			if lost > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "; %d lost", lost)
			}
			fmt.Fprintln(cmd.OutOrStdout())
			if err == nil && failed+lost > 0 {
				return errReported
			}
			return err
		},
	}
	timeFlag(cmd.Flags(), &o.time)
	o.limits = xmlparse.DefaultLimits()
	limitsFlags(cmd.Flags(), &o.limits)
	rulesetsFlag(cmd, &o.rulesets)
	op.flags(cmd)
	wholeVar(cmd.Flags(), &years, "retain-years", "calendar `years` after this one until whose end S3 removes nothing; 0 for no object lock")
	return cmd
}

func (m Machines) newArchiveExport() *cobra.Command {
	to, file := "csv", "-"
	cmd := &cobra.Command{
		Use:   "export ARCHIVE",
		Short: "Write the index of an archive as CSV or Parquet: a row for each verdict",
		Example: `  einvoice archive export archive/2026-11 -o index.csv
  einvoiced archive export s3://archive/2026-11 -o index.parquet`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			asked := "--to " + parquetFormat
			if strings.HasSuffix(file, ".parquet") && !cmd.Flags().Changed("to") {
				to, asked = parquetFormat, "-o "+file
			}
			i := slices.IndexFunc(m.Formats, func(f bulk.Format) bool { return f.Name == to })
			switch {
			case to == parquetFormat && i < 0:
				return needsMachines(asked)
			case to != "csv" && i < 0:
				return fmt.Errorf("there is no export %q: use csv or parquet", to)
			}
			in, err := m.openTarget(args[0])
			if err != nil {
				return err
			}
			log, err := audit.ReadIn(cmd.Context(), in)
			if err != nil {
				return err
			}
			defer log.Close()
			export := func(w io.Writer) error {
				if to == "csv" {
					return exportCSV(w, log)
				}
				return exportRows(m.Formats[i].Write(w), log)
			}
			if file == "-" {
				return export(cmd.OutOrStdout())
			}
			return replaceFile(file, export) // an index that was there stays where the log turns out to be broken
		},
	}
	cmd.Flags().StringVar(&to, "to", to, "csv, or parquet with einvoiced; a file that ends in .parquet is parquet without this flag")
	cmd.Flags().StringVarP(&file, "output", "o", file, "`file` to write; - for standard output")
	return cmd
}

// indexColumns are those of the index as CSV.
var indexColumns = []string{"line", "added", "file", "source", "sha256", "bytes", "verdict", "findings", "seller", "month", "report", "rules", "program"}

func exportCSV(w io.Writer, log io.Reader) error {
	rows := csv.NewWriter(w)
	if err := rows.Write(indexColumns); err != nil {
		return err
	}
	_, _, err := audit.Events(log, func(line audit.Line, e *audit.Event) error {
		findings := "" // the log of a target of watch does not have them
		if e.Program != "" {
			findings = strconv.Itoa(e.Findings)
		}
		row := []string{strconv.Itoa(line.Number), line.At.Format(time.RFC3339), e.File, e.Source, e.SHA256, strconv.FormatInt(e.Bytes, 10), e.Verdict, findings, e.Seller, e.Month, e.Report, e.Rules, e.Program}
		for i := range row {
			row[i] = noFormula(row[i])
		}
		return rows.Write(row)
	})
	rows.Flush()
	if err != nil {
		return err
	}
	return rows.Error()
}

// noFormula has spreadsheets take a text for a text, whatever a document says.
func noFormula(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}

func exportRows(rows bulk.RowWriter, log io.Reader) error {
	_, _, err := audit.Events(log, func(line audit.Line, e *audit.Event) error {
		if e.Program == "" {
			return errors.New("the log of a target of watch does not count findings; export it as csv, which leaves them empty")
		}
		return rows.WriteRows([]bulk.Row{{
			Key: e.File, Hash: bulk.HashPrefix + e.SHA256, Result: line.Event,
			Outcome: &bulk.Outcome{Verdict: bulk.Verdict(e.Verdict), Seller: e.Seller, Month: e.Month, Findings: e.Findings},
		}})
	})
	if err != nil {
		return err
	}
	return rows.Close()
}

// asOf is another name of a flag.
func asOf(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "as-of" {
		name = "at"
	}
	return pflag.NormalizedName(name)
}
