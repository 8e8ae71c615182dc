package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/formats/pdf/fontfiles"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model/numeral"
	"einvoice/service/inputfile"
	"einvoice/service/operation"
	"einvoice/service/render"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pageOptions are the flags of every command that draws pages.
type pageOptions struct {
	look  string
	fonts []string
}

func (o *pageOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.look, "look", "", "look of the pages: "+strings.Join(look.Names(), ", ")+", or the file of one (default that of the seller's country); refused where no pages are made")
	f.StringArrayVar(&o.fonts, "fonts", nil, "folder of fonts for characters that the program's own do not have, before those of the system; may be repeated")
}

// config is the configuration of a service that draws pages so.
func (o *pageOptions) config() (operation.Config, error) {
	if err := foldersOfFonts(o.fonts); err != nil {
		return operation.Config{}, err
	}
	config := operation.Config{Fonts: typeset.NewFonts(append(slices.Clone(o.fonts), fontfiles.System()...)...)}
	if o.look == "" || slices.Contains(look.Names(), o.look) {
		return config, nil
	}
	if _, err := os.Stat(o.look); errors.Is(err, fs.ErrNotExist) {
		return config, fmt.Errorf("there is no look and no file %s; the looks are %s", o.look, strings.Join(look.Names(), ", "))
	}
	look, err := render.ReadLook(o.look)
	if err != nil {
		return config, err
	}
	config.Looks = render.OneLook(o.look, look)
	return config, nil
}

// foldersOfFonts returns an error if a folder of --fonts is not there.
func foldersOfFonts(folders []string) error {
	for _, folder := range folders {
		if err := inputfile.Folder(folder); err != nil {
			return fmt.Errorf("--fonts: %w", err)
		}
	}
	return nil
}

// tellUnsaid says what the law wants invoices to say and this one does not.
func tellUnsaid(cmd *cobra.Command, about *engine.Report) error {
	if err := about.Translate(spoken(cmd)); err != nil {
		return err
	}
	for i := range about.Findings {
		if f := &about.Findings[i]; f.Rule == render.NotSaid {
			fmt.Fprintln(cmd.ErrOrStderr(), f.Message)
		}
	}
	return nil
}

// tellUnshown says which terms the look leaves out.
func tellUnshown(cmd *cobra.Command, unshown []compose.Unshown) {
	if len(unshown) == 0 {
		return
	}
	terms := make([]string, len(unshown))
	for i, u := range unshown {
		terms[i] = strings.TrimSpace(u.Term + " " + u.Label)
	}
	tell(cmd, "the look leaves out %s: %s", numeral.Count(len(unshown), "term"), strings.Join(terms, ", "))
}
