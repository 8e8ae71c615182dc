package cli

import (
	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats/xmlparse"
	"einvoice/service/validate"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// validating is by which rules documents are validated, and how findings are told: the flags of
// validate and of bulk run validate.
type validating struct {
	rules    validate.Rules
	overlays []string // names or folders
	language string
}

func (v *validating) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&v.rules.Rulesets, "rules", nil, "run these rulesets alone, without the profile's overlays: NAME or NAME/VERSION, comma-separated")
	f.StringVar(&v.rules.Profile, "as", "", "validate as this profile, whatever the document declares")
	f.StringSliceVar(&v.overlays, "overlay", nil, "apply overlays beside those of the profile: a `folder` whose overlays/*.yaml are all applied, or the name of one in --rulesets; comma-separated")
	dayFlag(cmd, &v.rules.At, "run the rules that are in force on this day, not on the issue date of each document")
	cmd.Flags().Var((*dayValue)(&v.rules.Received), "received", "the day on which the documents were received, for rules and overlays that it decides (default today); --at stands for this day too")
	messagesFlag(cmd, &v.language)
	cmd.MarkFlagsMutuallyExclusive("rules", "as")
	cmd.MarkFlagsMutuallyExclusive("at", "received") // the day of --at stands for that of receipt too
	_ = cmd.RegisterFlagCompletionFunc("rules", completeRulesets)
	_ = cmd.RegisterFlagCompletionFunc("as", completeProfiles)
}

// open opens the rulesets of a folder, "" for the built-in ones, with what the flags ask of them.
func (v *validating) open(rulesets string) (*engine.Library, *words.Language, error) {
	library, overlays, err := withOverlays(rulesets, v.overlays)
	if err != nil {
		return nil, nil, err
	}
	v.rules.Overlays = overlays
	language, err := library.Language(v.language)
	return library, language, err
}

// limitsFlags adds the limits of what is read.
func limitsFlags(f *pflag.FlagSet, l *xmlparse.Limits) {
	countVar(f, &l.Bytes, "max-bytes", "largest document in bytes")
	countVar(f, &l.Depth, "max-depth", "deepest nesting of elements")
	countVar(f, &l.Attributes, "max-attributes", "most attributes of one element")
	countVar(f, &l.TextBytes, "max-text", "longest text of one element or attribute, in bytes")
}
