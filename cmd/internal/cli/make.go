package cli

import (
	"fmt"

	"einvoice/model"
	"einvoice/service/write"

	"github.com/spf13/pflag"
)

// makeOptions are the flags of every command that makes a document.
type makeOptions struct {
	profile, syntax, language, date string
	pageOptions
}

func (o *makeOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.profile, "profile", "", "profile of the format, instead of its usual one")
	f.StringVar(&o.syntax, "syntax", "", "ubl or cii, for formats that have both")
	languageFlags(f, &o.language, &o.date)
	o.pageOptions.flags(f)
}

func languageFlags(f *pflag.FlagSet, language, date *string) {
	f.StringVar(language, "language", "", "language of the pages (default that of the buyer's country, or the seller's) and of messages (default en)")
	dateFlag(f, date)
}

func dateFlag(f *pflag.FlagSet, date *string) {
	f.StringVar(date, "date", "", "day on which a PDF says it was made, as 2026-11-20 (default the issue date); refused where no PDF is made")
}

// over lays the flags over options.
func (o *makeOptions) over(options *write.Options) error {
	for _, flag := range []struct {
		said string
		into *model.Text
	}{{o.profile, &options.Profile}, {o.syntax, &options.Syntax}, {o.language, &options.Language}, {o.look, &options.Look}} {
		if flag.said != "" {
			*flag.into = model.NewText(flag.said)
		}
	}
	date, err := dateOf(o.date)
	if date.Present {
		options.Date = date
	}
	return err
}

func dateOf(said string) (model.Date, error) {
	if said == "" {
		return model.Date{}, nil
	}
	date := model.NewDate(said)
	if !date.Valid {
		return date, fmt.Errorf("--date %s is not a day; write it as 2026-11-20", said)
	}
	return date, nil
}
