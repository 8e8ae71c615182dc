package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
)

// A judge is what a document is validated with.
type judge struct {
	engine.Judged
	refs      []string
	dated     bool // the day chose among the versions of a family
	renewed   bool // a table that is asked has a day until which it is fresh
	validator *engine.Validator
	overlays  []*engine.Overlay
	stack     []*engine.Overlay    // all that there are for the request and the profile, asked for or not
	asked     int                  // how many of them were asked for, or such are over them
	told      []engine.OverlayInfo // of the stack
	wishes    string               // what else of the request decides about the document
}

// Validator returns the validator of the document, which overlays may have changed.
func (r *Result) Validator() *engine.Validator { return r.judge.validator }

// wishesOf are those of a request beside rules, overlays and days that decide about this document; empty
// for most, whose digest is that of the rules alone.
func (j *judge) wishesOf(rules *Rules) (wishes string) {
	if slices.ContainsFunc(j.stack, func(o *engine.Overlay) bool { return o.Excepts(j.Standard) }) {
		wishes = "standard " + j.Standard + "\n"
	}
	if rules.ContainerAdvises && j.Document.Container != nil {
		wishes += "container advises\n"
	}
	if rules.ComparePages && j.Document.Container != nil {
		wishes += "pages compared\n"
	}
	return wishes
}

// checkDays reports a day that is not one: a day is a text, and compares with others whatever it is.
func (r *Rules) checkDays() error {
	for _, asked := range [...]struct {
		option string
		day    engine.Day
	}{{"at", r.At}, {"received", r.Received}} {
		if asked.day == "" {
			continue
		}
		if _, err := engine.ParseDay(string(asked.day)); err != nil {
			return problem.Option(asked.option, err)
		}
	}
	return nil
}

// check reports a day that is not one, and a standard that neither a profile nor a format is of.
func (s *Service) check(r Rules) error {
	if err := r.checkDays(); err != nil || r.Standard == "" {
		return err
	}
	known, err := standardsOf(s.library)
	if err != nil || slices.Contains(known, r.Standard) {
		return err
	}
	return problem.Option("standard", fmt.Errorf("there is no standard %s; there are %s", quote.Value(r.Standard), strings.Join(known, ", ")))
}

// judge finds the versions, the overlays and the validator for a document.
func (s *Service) judge(ctx context.Context, rules Rules, profile *engine.Profile, doc *model.Document) (*judge, error) {
	if err := s.check(rules); err != nil {
		return nil, err
	}
	days := engine.DaysOf(doc.Invoice, rules.At, rules.Received)
	j := &judge{Judged: engine.Judged{Document: doc, Profile: profile, Days: days, Standard: rules.Standard}}
	if j.Standard == "" && rules.Profile != "" {
		j.Standard = profile.Standard
	}
	refs, err := s.rulesets(rules, profile, doc)
	if err != nil {
		return nil, err
	}
	if err = s.choose(j, refs); err != nil {
		return nil, err
	}
	j.Rulesets = j.refs
	ofProfile := profile
	if rules.alone() {
		ofProfile = nil
	}
	if j.stack, j.asked, err = s.library.OverlaysOf(ofProfile, rules.Overlays); err != nil {
		return nil, err
	}
	if err := s.keeps(ctx, &rules, j); err != nil {
		return nil, err
	}
	j.wishes = j.wishesOf(&rules)
	if j.overlays, j.told, err = s.library.Applying(ctx, j.stack, j.asked, &j.Judged); err != nil {
		return nil, err
	}
	if len(j.overlays) > 0 && doc.Batch == nil { // the rulesets that overlays add are about each document by itself
		if err = s.choose(j, engine.AddedRulesets(j.refs, j.overlays)); err != nil {
			return nil, err
		}
	}
	if j.validator, err = s.validator(j.refs, j.overlays); err != nil {
		return nil, err
	}
	for _, name := range j.validator.Tables() {
		t, err := s.library.Table(name)
		if err != nil {
			return nil, err
		}
		j.renewed = j.renewed || t.FreshUntil != ""
	}
	return j, nil
}

// keeps refuses a day that takes out of force, for this document, what may not be left out. That depends on
// the days of the document and on which documents an overlay is for, so it is not known before.
func (s *Service) keeps(ctx context.Context, rules *Rules, j *judge) error {
	if rules.At == "" || len(rules.Kept) == 0 {
		return nil
	}
	kept, err := s.library.Compose(rules.Kept)
	if err != nil {
		return err
	}
	lost, err := s.library.Loses(ctx, kept, &j.Judged, engine.DaysOf(j.Document.Invoice, "", rules.Received))
	if lost == nil || err != nil {
		return err
	}
	return &problem.Error{
		Code: problem.CodeOption, Field: "at",
		Message: fmt.Sprintf("the overlay %s may not be left out, and on %s not all of it is in force that is for this document", lost.Name, rules.At),
		Remedy:  `leave "at" out, or ask for a day on which it is in force as it is for the document`,
	}
}

// tell has a report name what judged beside rulesets: overlays, whoever named them, and the day.
func (j *judge) tell(report *engine.Report, rules Rules) {
	report.Overlays, report.Date = j.told, j.date(rules.At)
	report.Today = j.today(&rules, report.Date)
}

// today is the day of validation where the report depends on it, and may be another on another day.
func (j *judge) today(rules *Rules, told *engine.DecidingDate) engine.Day {
	decides := told != nil && (told.By == engine.ByToday || told.By == engine.ByMalformed || told.Receipt != "" && rules.Received == "" || told.Validation != "")
	if rules.At == "" && (decides || j.renewed) {
		return j.Days.Validation
	}
	return ""
}

// date tells which day decided, where that matters.
func (j *judge) date(asked engine.Day) *engine.DecidingDate {
	if asked != "" {
		return &engine.DecidingDate{Day: asked, By: engine.ByRequest}
	}
	if j.asked == 0 && !j.dated && !j.validator.IsDated() && !slices.ContainsFunc(j.stack, (*engine.Overlay).IsDated) {
		return nil
	}
	date := &engine.DecidingDate{Day: j.Days.Issue, By: engine.ByIssueDate}
	switch issued := j.Document.Invoice.IssueDate; {
	case engine.IssueDay(j.Document.Invoice) != "":
	case issued.Present:
		date.By = engine.ByMalformed
	default:
		date.By = engine.ByToday
	}
	if j.isDecidedBy(engine.DecidedByReceipt) {
		date.Receipt = j.Days.Receipt
	}
	if j.isDecidedBy(engine.DecidedByValidation) {
		date.Validation = j.Days.Validation
	}
	return date
}

// isDecidedBy reports whether a day of a kind decides about a rule or an overlay.
func (j *judge) isDecidedBy(by string) bool {
	return j.validator.IsDecidedBy(by) || slices.ContainsFunc(j.stack, func(o *engine.Overlay) bool { return o.DecidedBy == by })
}

// choose takes the versions of rulesets that are in force on the day that decides.
func (s *Service) choose(j *judge, refs []string) (err error) {
	j.refs, err = s.inForce(refs, j.Days.Issue)
	j.dated = j.dated || !slices.Equal(j.refs, refs) // it names versions where there are several
	return err
}

// inForce gives each family without a version the one that is in force on a day.
func (s *Service) inForce(refs []string, day engine.Day) ([]string, error) {
	out := refs
	for i, ref := range refs {
		if strings.Contains(ref, "/") {
			continue
		}
		timeless, err := s.isTimeless(ref)
		if err != nil {
			return nil, err
		}
		if timeless {
			continue // the newest version, as ever
		}
		version, err := s.library.VersionAt(ref, day)
		if err != nil {
			return nil, err
		}
		out = slices.Clone(out)
		out[i] = version
	}
	return out, nil
}

// isTimeless reports whether the newest version of a family is in force at any time.
func (s *Service) isTimeless(family string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.timeless[family]; ok {
		return known, nil
	}
	newest, err := s.library.Ruleset(family)
	if err != nil {
		return false, err
	}
	s.timeless[family] = newest.Effective == engine.Period{}
	return s.timeless[family], nil
}

// mostOverlaid bounds how many validators with overlays are kept: which overlays apply is
// up to requests and documents.
const mostOverlaid = 16

// An overlaidValidator is the validator of rulesets with overlays.
type overlaidValidator struct {
	key       string
	validator *engine.Validator
}

// ValidatorOf returns the validator of rulesets, which it compiles once. The error says that
// one does not exist or does not load.
func (s *Service) ValidatorOf(refs ...string) (*engine.Validator, error) {
	return s.validator(refs, nil)
}

// ValidatorWith returns the validator of a ruleset with rules of others, by ruleset, which it
// compiles once for each name of a ruleset.
func (s *Service) ValidatorWith(ruleset string, rules map[string][]string) (*engine.Validator, error) {
	return s.prepared("with "+ruleset, func() (*engine.Validator, error) { return s.library.ValidatorWith(ruleset, rules) })
}

// prepared is what was prepared before, or is now.
func (s *Service) prepared(key string, prepare func() (*engine.Validator, error)) (*engine.Validator, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.validators[key]; ok {
		return v, nil
	}
	v, err := prepare()
	if err == nil {
		s.validators[key] = v
	}
	return v, err
}

// validator prepares rulesets, with the overlays that change more than levels.
func (s *Service) validator(refs []string, overlays []*engine.Overlay) (*engine.Validator, error) {
	var changing []*engine.Overlay
	for _, o := range overlays {
		if o.ChangesRules() {
			changing = append(changing, o)
		}
	}
	key := strings.Join(refs, ",")
	if len(changing) == 0 {
		return s.prepared(key, func() (*engine.Validator, error) { return s.library.Validator(refs...) })
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range changing {
		key += " " + o.Name
	}
	if i := slices.IndexFunc(s.overlaid, func(have overlaidValidator) bool { return have.key == key }); i >= 0 {
		return s.overlaid[i].validator, nil
	}
	v, err := s.library.OverlaidValidator(changing, refs...)
	if err != nil {
		return nil, err
	}
	if len(s.overlaid) == mostOverlaid {
		s.overlaid = slices.Delete(s.overlaid, 0, 1)
	}
	s.overlaid = append(s.overlaid, overlaidValidator{key, v})
	return v, nil
}

// setLevels gives findings the levels that overlays say, and tells of changes whose term
// has ended.
func (s *Service) setLevels(ctx context.Context, result *Result) error {
	j := result.judge
	expired, err := s.library.SetLevels(ctx, j.overlays, &j.Judged, result.Report)
	if err != nil {
		return err
	}
	for _, c := range expired {
		f, err := s.Notice(noticeExpired, "", Values{
			"rules": strings.Join(c.Rules, ", "), "level": string(c.Level), "until": string(c.Until), "owner": c.Owner,
			"reason": strings.TrimSuffix(c.Reason, "."), "day": string(j.Days.By(c.DecidedBy())),
		})
		if err != nil {
			return err
		}
		result.Report.Add(f)
	}
	if err := s.tellNotFresh(result); err != nil {
		return err
	}
	result.Report.Attribute(j.overlays)
	return nil
}

// tellNotFresh adds a notice for each table that the rules look rows up in and whose data is
// to be renewed.
func (s *Service) tellNotFresh(result *Result) error {
	j := result.judge
	for _, name := range j.validator.Tables() {
		t, err := s.library.Table(name)
		if err != nil {
			return err
		}
		if t.FreshUntil == "" || j.Days.Validation <= t.FreshUntil {
			continue
		}
		f, err := s.Notice(noticeNotFresh, "", Values{"table": name, "title": t.Title, "until": string(t.FreshUntil), "day": string(j.Days.Validation), "owner": t.Owner})
		if err != nil {
			return err
		}
		result.Report.Add(f)
	}
	return nil
}

// Decides returns the digest of all rules that decide on a document. Rules with the same
// digest lead to the same report.
func (s *Service) Decides(ctx context.Context, doc *model.Document, rules Rules) (string, error) {
	if !isRead(doc) {
		return "", noDocument()
	}
	profile, _, err := s.profile(rules, doc)
	if err != nil {
		return "", err
	}
	j, err := s.judge(ctx, rules, profile, doc)
	if err != nil {
		return "", err
	}
	if rules.alone() {
		profile = nil
	}
	return s.digest(j, j.validator.Rulesets(), profile), nil
}

// digest is that of everything that decided, computed once for each combination.
func (s *Service) digest(j *judge, rulesets []engine.RulesetInfo, profile *engine.Profile) string {
	key := strings.Join(j.refs, ",")
	if profile != nil {
		key += " " + profile.ID
	}
	for _, o := range j.overlays {
		key += " " + o.Name
	}
	key += "\n" + j.wishes
	if j.asked > 0 { // one of many combinations, which are not kept
		return engine.DigestOf(rulesets, profile, j.overlays, j.wishes+s.ownNotices)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.digests[key]
	if !ok {
		known = engine.DigestOf(rulesets, profile, j.overlays, j.wishes+s.ownNotices)
		s.digests[key] = known
	}
	return known
}
