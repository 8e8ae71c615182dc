package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model/pattern"
	"einvoice/service/render"

	"github.com/spf13/cobra"
)

// lookName is what a look may be called.
var lookName = pattern.Later(`^[a-z0-9][a-z0-9_-]{0,39}$`)

func newLookNew() *cobra.Command {
	var based, logo, accent, shade string
	ask := false
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a look from a logo and two colours",
		Long: `New writes NAME.yaml: a look that is based on a built-in one, with a logo (SVG, PNG or
JPEG, beside the file or below), the colour of headings and that of areas. Colours that
could not be read are made darker or lighter. With --ask it asks for each. What it writes
is checked as "look check" does it; a look that is not good enough is not kept.`,
		Example: `  einvoice look new acme --logo logo.svg --accent "#8A1538" --shade "#F7EEF0"
  einvoice look new acme --ask`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if !lookName().MatchString(name) {
				return fmt.Errorf("%q cannot be the name of a look: it has small letters, digits, - and _", name)
			}
			if ask {
				in := bufio.NewReader(cmd.InOrStdin())
				for _, q := range []struct {
					text  string
					value *string
				}{
					{"Built-in look to base it on (" + strings.Join(look.Names(), ", ") + ")", &based},
					{"File of the logo, or nothing", &logo}, {"Colour of headings", &accent}, {"Colour of areas", &shade},
				} {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s [%s]: ", q.text, *q.value)
					answer, err := in.ReadString('\n')
					if err != nil && !errors.Is(err, io.EOF) {
						return err
					}
					if answer = strings.TrimSpace(answer); answer != "" {
						*q.value = answer
					}
				}
			}
			if _, err := look.BuiltIn(based); err != nil {
				return err
			}
			text, err := page.NewLook(name, based, filepath.ToSlash(logo), accent, shade)
			if err != nil {
				return err
			}
			file := name + ".yaml"
			f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return fmt.Errorf("%s cannot be written: %w; take another name, or remove the file", file, err)
			}
			_, err = f.WriteString(text)
			if err = errors.Join(err, f.Close()); err == nil {
				err = goodLook(cmd, file)
			}
			if err != nil {
				return errors.Join(err, os.Remove(file))
			}
			fmt.Fprintln(cmd.OutOrStdout(), spoken(cmd).Say(fmt.Sprintf("%s is written; try it: einvoice render --look %s invoice.xml -o pages.pdf", file, file)))
			return nil
		},
	}
	cmd.Flags().StringVar(&based, "based", "din5008", "built-in look that it is based on: "+strings.Join(look.Names(), ", "))
	cmd.Flags().StringVar(&logo, "logo", "", "file of the logo, beside the look or below")
	cmd.Flags().StringVar(&accent, "accent", "#124A6B", "colour of headings")
	cmd.Flags().StringVar(&shade, "shade", "#EDF4F7", "colour of areas")
	cmd.Flags().BoolVar(&ask, "ask", false, "ask for each of these")
	return cmd
}

// goodLook is why a look is not good enough.
func goodLook(cmd *cobra.Command, file string) error {
	own, err := render.ReadLook(file)
	if err != nil {
		return err
	}
	faults, err := page.CheckLook(cmd.Context(), own, drawn)
	for i := range faults {
		faults[i] = spoken(cmd).Say(faults[i])
	}
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("the look %s is not good enough to be sent:\n  %s", file, strings.Join(faults, "\n  "))
	}
	return err
}
