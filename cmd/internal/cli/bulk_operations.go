package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/parse/ocr"
	"einvoice/service/bulk"
	"einvoice/service/operation"

	"github.com/spf13/cobra"
)

// bulkOperationNamed has one of bulk.Operations(), with flags of its own.
func bulkOperationNamed(name string) *bulkOperation {
	switch name {
	case "validate":
		return bulkValidate()
	case "impact":
		return bulkImpact()
	case "parse":
		return bulkParse()
	}
	return bulkMaking(name)
}

// read is how documents are read.
func (o *bulkOptions) read() formats.Options { return formats.Options{Limits: o.limits} }

func bulkValidate() *bulkOperation {
	v := validating{}
	var batch []string
	return &bulkOperation{
		name: "validate", short: "Validate all documents: what validate --output jsonl prints",
		flags: v.flags,
		together: func(cmd *cobra.Command) {
			cmd.Flags().StringSliceVar(&batch, "batch", nil, "at the end, compare the documents with each other by these `rulesets` of the layer batch: batch, or your own; comma-separated")
		},
		make: func(_ *cobra.Command, o *bulkOptions) (bulk.Operation, error) {
			library, language, err := v.open(o.rulesets)
			if err != nil {
				return nil, err
			}
			s := operation.New(library, operation.Config{Read: o.read()})
			if err := s.CheckRules(v.rules); err != nil {
				return nil, err
			}
			return bulk.NewValidation(bulk.Validation{Service: s, Rules: v.rules, Language: language, Batch: batch})
		},
	}
}

func bulkImpact() *bulkOperation {
	before, after := "", ""
	var days []string
	return &bulkOperation{
		name: "impact", short: "Report the documents on which two sets of rules decide differently, as rules diff --on does",
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.StringVar(&before, "old", "", "rules as they are: a built-in ruleset, the folder of a version or of rulesets")
			f.StringVar(&after, "new", "", "rules as they are to be, likewise")
			f.StringSliceVar(&days, "between", nil, "compare --old (all built-in rules without it) as it is in force on two `days`, comma-separated")
			cmd.MarkFlagsMutuallyExclusive("new", "between")
		},
		make: func(_ *cobra.Command, o *bulkOptions) (bulk.Operation, error) {
			var args []string
			for _, arg := range []string{before, after} {
				if arg != "" {
					args = append(args, arg)
				}
			}
			if len(days) == 0 && len(args) != 2 || len(days) != 0 && len(days) != 2 {
				return nil, errors.New("name what is compared: --old and --new, or --between with two days (--between 2026-12-31,2027-01-01)")
			}
			old, new, err := openSides(args, days)
			if err != nil {
				return nil, err
			}
			all, err := pairs(old, new)
			if err != nil {
				return nil, err
			}
			library, err := openLibrary(o.rulesets)
			if err != nil {
				return nil, err
			}
			compared := make([]bulk.Pair, len(all))
			for i, p := range all {
				compared[i] = bulk.Pair{Before: old.ref(p[0]), After: new.ref(p[1])}
			}
			if len(old.overlays)+len(new.overlays) > 0 {
				for _, sets := range setsOf(old, new) {
					before, err := old.whole(sets.old)
					if err != nil {
						return nil, err
					}
					after, err := new.whole(sets.new)
					if err != nil {
						return nil, err
					}
					compared = append(compared, bulk.Pair{Before: before, After: after})
				}
			}
			return bulk.NewImpact(operation.New(library, operation.Config{Read: o.read()}), compared)
		},
	}
}

func bulkParse() *bulkOperation {
	program, languages := "", ""
	asked := bulk.Options{Values: operation.Values{To: "json"}}
	reading := parse.DefaultLimits()
	return &bulkOperation{
		name: "parse", short: operation.Named("parse").Words,
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.BoolVar(&asked.Details, "details", false, "say where each value is from, and what the rules say of the invoice")
			f.StringVar(&program, "ocr", "", "`program` (Tesseract) that recognises text in pictures, or none; without it the one on the PATH")
			f.StringVar(&languages, "ocr-languages", "", "its names of languages, such as deu+pol; without it those of eng, deu and fra that are there")
			countVar(f, &reading.Pages, "parse-pages", "most pages")
		},
		make: func(cmd *cobra.Command, o *bulkOptions) (bulk.Operation, error) {
			config := operation.Config{Read: o.read(), Parse: reading}
			recogniser, err := ocr.Choose(cmd.Context(), program, languages)
			if err != nil {
				return nil, err
			}
			if recogniser != nil {
				config.OCR = recogniser
			}
			asked.Digest = fmt.Sprint(recogniser != nil, program, languages, reading)
			return newMaking("parse", o, config, asked)
		},
	}
}

func bulkMaking(name string) *bulkOperation {
	asked := bulk.Options{}
	pages := makeOptions{}
	of := operation.Named(name)
	takes := func(option string) bool { return slices.Contains(of.Options, option) }
	return &bulkOperation{
		name: name, short: of.Words,
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.StringVar(&asked.To, "to", of.Usual, "what to make")
			if takes(operation.OptionStrict) {
				f.BoolVar(&asked.Strict, "strict", false, "write nothing for a document if a value would be lost")
			}
			switch {
			case takes(operation.OptionProfile):
				pages.flags(f)
				f.StringVar(&asked.Transform.BuyerReference, "buyer-reference", "", "buyer reference (BT-10) of all documents; each one's own without it")
			case takes(operation.OptionLook):
				languageFlags(f, &pages.language, &pages.date)
				pages.pageOptions.flags(f)
			}
		},
		make: func(_ *cobra.Command, o *bulkOptions) (bulk.Operation, error) {
			if err := pages.over(&asked.Transform.Options); err != nil {
				return nil, err
			}
			config := operation.Config{}
			if takes(operation.OptionLook) {
				var err error
				if config, err = pages.config(); err != nil {
					return nil, err
				}
				if look, err := os.ReadFile(pages.look); err == nil { // the name of one of the program's is not a file
					asked.Digest = string(look)
				}
				asked.Digest += strings.Join(pages.fonts, ",")
			}
			config.Read = o.read()
			return newMaking(name, o, config, asked)
		},
	}
}

func newMaking(name string, o *bulkOptions, config operation.Config, asked bulk.Options) (bulk.Operation, error) {
	library, err := openLibrary(o.rulesets)
	if err != nil {
		return nil, err
	}
	return bulk.NewMaking(name, operation.New(library, config), asked)
}
