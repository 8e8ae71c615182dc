package workbench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/model/problem"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// A Desk answers the calls of the page over a service.
type Desk struct {
	service *operation.Kit
	config  operation.Config
	usual   []string // overlays where a request chooses none
	always  []string // overlays that no request leaves out
	base    fs.FS    // rulesets that drafts are laid over
	own     fs.FS    // those of them that the program does not bring along; nil for none
	drafts  *drafts
	archive *archive      // nil without one
	files   func() string // tells the service's own rules from those of another day
}

// Config says how a Desk works.
type Config struct {
	// Service is how services over drafts work.
	Service operation.Config
	// Overlays are the names of those that apply where a request chooses none.
	Overlays []string
	// Mandatory are the names of those that no request leaves out.
	Mandatory []string
	// Own is the folder of rulesets that the service has beside those of the program; nil for
	// none.
	Own fs.FS
	// Archive is the folder of past invoices that drafts are tried on; nil for none.
	Archive fs.FS
}

// New makes a Desk over a service.
func New(s *operation.Kit, c Config) *Desk {
	d := &Desk{service: s, config: c.Service, usual: c.Overlays, always: c.Mandatory, base: s.Library().FS(), own: c.Own, drafts: &drafts{}}
	d.files = sync.OnceValue(func() string { return digestOf(c.Own) })
	if c.Archive != nil {
		d.archive = &archive{folder: c.Archive}
	}
	return d
}

// digestOf tells a folder of rules from others. Files that cannot be read are told by their absence.
func digestOf(own fs.FS) string {
	h := sha256.New()
	if own != nil {
		_ = engine.EachFile(own, func(name string) error {
			data, _ := fs.ReadFile(own, name)
			_, err := fmt.Fprintf(h, "%q %q", name, data)
			return err
		})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// rulesInForce tells the rules that decide for whoever asks from those of another day, or for
// somebody else.
func (d *Desk) rulesInForce() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %q", d.files(), d.usual, d.always))
	return hex.EncodeToString(sum[:16])
}

// With is the Desk for somebody who has further overlays: they apply where a request chooses none,
// and no request leaves them out. Of all overlays that no request leaves out, this one may leave
// some out.
func (d *Desk) With(overlays, mayOmit []string) *Desk {
	if len(overlays) == 0 && len(mayOmit) == 0 {
		return d
	}
	c := *d
	c.usual = slices.Concat(d.usual, overlays)
	c.always = slices.DeleteFunc(slices.Concat(d.always, overlays), func(name string) bool { return slices.Contains(mayOmit, name) })
	return &c
}

// call is one operation: it decodes its request and answers.
type call func(d *Desk, ctx context.Context, request []byte) (any, error)

// CallView is the name of the call that draws a document as HTML.
const CallView = "view"

// calls are all operations by name.
var calls = map[string]call{
	"check":    asked((*Desk).check),
	CallView:   asked((*Desk).view),
	"remedies": asked((*Desk).remedies),
	"add":      asked((*Desk).add),
	"rules":    asked((*Desk).rules),
	"card":     asked((*Desk).card),
	"explain":  asked((*Desk).explain),
	"evaluate": asked((*Desk).evaluate),
	"draft":    asked((*Desk).draft),
	"complete": asked((*Desk).complete),
	"hover":    asked((*Desk).hover),
	"impact":   asked((*Desk).impact),
	"archived": asked((*Desk).document),
	"fires":    asked((*Desk).fires),
	"own":      asked((*Desk).ownRules),
	"make":     asked((*Desk).makeFile),
	"parse":    asked((*Desk).parse),
}

// Draws reports whether a call makes pages of a document, which takes more memory than
// reading it.
func Draws(name string) bool { return name == CallView || name == "make" || name == "parse" }

// Calls are the names of all operations, sorted.
func Calls() []string {
	names := make([]string, 0, len(calls))
	for name := range calls {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// asked makes a call of a method with a typed request. Members of a request that are not
// known are refused.
func asked[Request, Answer any](answer func(*Desk, context.Context, *Request) (Answer, error)) call {
	return func(d *Desk, ctx context.Context, data []byte) (any, error) {
		request := new(Request)
		if err := Decode(data, request); err != nil {
			return nil, err
		}
		return answer(d, ctx, request)
	}
}

// Call answers one operation. What is wrong with the request is a *problem.Error; mistakes in
// the JSON that an invoice is created of are a *jsoninvoice.Error. The answer can be written
// as JSON.
func (d *Desk) Call(ctx context.Context, name string, request []byte) (any, error) {
	c := calls[name]
	if c == nil {
		return nil, &problem.Error{Code: problem.CodeTarget, Message: "the workbench has no call of this name", Remedy: "/docs lists them"}
	}
	return c(d, ctx, request)
}

// Settings are what a person chooses for all documents.
type Settings struct {
	// Profile is the id of a profile; "" for the one that the document declares.
	Profile string `json:"profile"`
	// Overlays are names; null for the usual ones.
	Overlays []string `json:"overlays"`
	// At is the day whose rules are run; "" for the document's issue date.
	At string `json:"at"`
	// Language is that of messages and pages; "" for English.
	Language string `json:"language"`
	// Draft are files of rules, by their paths in a folder of rulesets, that are laid over
	// those in force.
	Draft map[string]string `json:"draft"`
}

// rules are the rules that the settings choose.
func (d *Desk) rulesOf(s *Settings) (rules validate.Rules, err error) {
	rules = validate.Rules{Profile: s.Profile, Overlays: s.Overlays}
	if s.Overlays == nil {
		rules.Overlays = d.usual
	}
	var all []string
	for _, name := range slices.Concat(rules.Overlays, d.always) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	rules.Overlays = all
	if s.At != "" {
		if rules.At, err = engine.ParseDay(s.At); err != nil {
			return rules, wrong("at", "this is not a day", "write it as 2026-11-20")
		}
	}
	if err = d.service.CheckRules(rules); err != nil {
		if _, ok := errors.AsType[*problem.Error](err); !ok {
			err = wrong("profile", err.Error(), "choose one that is listed")
		}
	}
	return rules, err
}

// language finds the language of an answer; nil is English.
func (d *Desk) language(tag string) (*words.Language, error) {
	language, err := d.service.Library().Language(tag)
	if err != nil {
		return nil, wrong("language", "there is no such language", "use one that /v1/workbench/rules lists")
	}
	return language, nil
}

// with is the desk of the settings: over their draft, if they have one.
func (d *Desk) with(ctx context.Context, s *Settings) (*Desk, error) {
	if len(s.Draft) == 0 {
		return d, nil
	}
	return d.drafts.desk(ctx, d, s.Draft)
}

// asked is the desk of the settings, with their language.
func (d *Desk) asked(ctx context.Context, s *Settings) (*Desk, *words.Language, error) {
	desk, err := d.with(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	language, err := desk.language(s.Language)
	return desk, language, err
}

func wrong(field, message, remedy string) error {
	return &problem.Error{Code: problem.CodeOption, Message: message, Remedy: remedy, Field: field}
}

// Decode reads the request of a call, which has no members but those of the call.
func Decode(data []byte, into any) error {
	if err := problem.ReadJSON(data, into); err != nil {
		return problem.NotJSON(err, "/docs describes it")
	}
	return nil
}
