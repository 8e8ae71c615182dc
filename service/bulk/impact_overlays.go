package bulk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/service/validate"
)

// WithOverlays judges documents by their profiles with overlays, on a day; "" is that of each
// document.
func WithOverlays(service *validate.Service, overlays []string, at engine.Day) (ruletest.Side, error) {
	rules := validate.Rules{Overlays: overlays, At: at}
	if err := service.CheckRules(rules); err != nil {
		return ruletest.Side{}, err
	}
	digest, err := digestOfAll(service, overlays)
	return ruletest.Side{
		Library: service.Library(), Ref: OverlaysRef(service.Library(), overlays), At: at, Digest: digest + string(at),
		Judge: func(ctx context.Context, doc *model.Document) (*engine.Report, error) {
			result, err := service.ValidateDocument(ctx, doc, rules)
			if err != nil {
				return nil, err
			}
			return result.Report, nil
		},
	}, err
}

// OverlaysRef are the overlays of a side as they are told, with who answers for each; "" for
// none.
func OverlaysRef(library *engine.Library, names []string) string {
	told := make([]string, len(names))
	for i, name := range names {
		told[i] = name
		if o, err := library.Overlay(name); err == nil && o.Owner != "" {
			told[i] += " (" + o.Owner + ")"
		}
	}
	if len(told) == 0 {
		return ""
	}
	return "overlays " + strings.Join(told, ", ")
}

// digestOfAll covers everything that documents of any profile are judged by.
func digestOfAll(service *validate.Service, overlays []string) (string, error) {
	l := service.Library()
	digest := sha256.New()
	versions, err := l.Versions()
	if err != nil {
		return "", err
	}
	var refs []string
	for family, all := range versions {
		for _, version := range all {
			refs = append(refs, family+"/"+version)
		}
	}
	slices.Sort(refs)
	for _, ref := range refs {
		s, err := l.Ruleset(ref)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(digest, ref, s.SHA256)
	}
	profiles, err := l.Profiles()
	if err != nil {
		return "", err
	}
	for _, p := range profiles {
		fmt.Fprintln(digest, p.ID, p.SHA256())
		stack, _, err := l.OverlaysOf(p, nil)
		if err != nil {
			return "", err
		}
		for _, o := range stack {
			addOverlay(digest, o)
		}
	}
	stack, err := l.Compose(overlays)
	if err != nil {
		return "", err
	}
	for _, o := range stack {
		addOverlay(digest, o)
	}
	io.WriteString(digest, service.OwnNotices())
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// addOverlay adds an overlay, with the code lists and tables that its rules ask.
func addOverlay(digest io.Writer, o *engine.Overlay) {
	fmt.Fprintln(digest, o.Name, o.SHA256)
	if rules := o.Rules(); rules != nil {
		fmt.Fprintln(digest, rules.SHA256)
	}
}
