// Package guest answers programs of other languages, which have the validator inside them as a
// module of WebAssembly, or beside them as a process: a request in JSON, an answer in JSON.
//
//	g, err := guest.Open()
//	answer := g.Call([]byte(`{"operation": "validate", "document": "PEludm9pY2Ug..."}`))
//
// A guest reads no file, opens no connection and draws no pages. cmd/wasi makes the module.
package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"einvoice/engine"
	"einvoice/engine/budget"
	"einvoice/engine/words"
	"einvoice/formats/jsoninvoice"
	"einvoice/model"
	"einvoice/model/numeral"
	"einvoice/model/problem"
	"einvoice/service/answer"
	"einvoice/service/catalogue"
	"einvoice/service/convert"
	"einvoice/service/create"
	"einvoice/service/validate"
	"einvoice/service/verdict"
	"einvoice/service/write"
)

// The time that one call may take, in milliseconds.
const (
	usualTime   = 60_000
	longestTime = 600_000
)

// A Guest answers calls. Any number of goroutines may use it.
type Guest struct{ service *validate.Service }

// Open returns a Guest with the rules that ship. The error says that they cannot be opened.
func Open() (*Guest, error) {
	s, err := validate.Open(validate.Config{})
	if err != nil {
		return nil, err
	}
	return &Guest{s}, nil
}

// A Problem is why a call has no result. It has the members of the problems of the service
// over HTTP, without those that are HTTP's.
type Problem struct {
	ErrorCode string                `json:"errorCode"`
	Detail    string                `json:"detail"`
	Line      int                   `json:"line,omitempty"`
	Column    int                   `json:"column,omitempty"`
	Errors    map[string][]string   `json:"errors,omitempty"`
	Mistakes  []jsoninvoice.Mistake `json:"mistakes,omitempty"`
	Warnings  []engine.Finding      `json:"warnings,omitzero"`
	Findings  []engine.Finding      `json:"findings,omitzero"`
	Report    *answer.Summary       `json:"report,omitempty"`
	*answer.LossReport
}

// common is what every request has.
type common struct {
	Operation    string `json:"operation"`
	Language     string `json:"language"`     // of messages; English without it
	Milliseconds *int   `json:"milliseconds"` // that the call may take; a minute without it
}

// operations are what can be asked for, by name.
var operations = map[string]func(*Guest, []byte, *words.Language) (any, error){
	"validate": asked(validated), "convert": asked(converted), "create": asked(created),
}

// Call answers a request by {"result": ...} or {"problem": ...}. It always returns JSON.
func (g *Guest) Call(request []byte) (reply []byte) {
	defer func() {
		if fault := recover(); fault != nil {
			reply = encoded("problem", &Problem{ErrorCode: answer.CodeInternal, Detail: fmt.Sprintf("a fault of the program: %v", fault)})
		}
	}()
	result, language, err := g.call(request)
	if err != nil {
		return encoded("problem", problemOf(err, language))
	}
	return encoded("result", result)
}

func encoded(member string, value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{member: value}); err != nil {
		return encoded("problem", &Problem{ErrorCode: answer.CodeInternal, Detail: err.Error()})
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func (g *Guest) call(request []byte) (any, *words.Language, error) {
	var which struct {
		Operation string `json:"operation"`
		Language  string `json:"language"`
	}
	wrongly := json.Unmarshal(request, &which)
	language, err := g.service.Library().Language(which.Language) // what else is wrong is told in it too
	switch operation := operations[which.Operation]; {
	case wrongly != nil:
		return nil, language, notRequest(wrongly)
	case err != nil:
		return nil, nil, wrong("language", "there is no such language", "use one of "+strings.Join(g.service.Library().Languages(), ", "))
	case operation == nil:
		return nil, language, wrong("operation", "there is no operation of this name", "use validate, convert or create")
	default:
		result, err := operation(g, request, language)
		return result, language, err
	}
}

// asked makes an operation of a function with a typed request. Members that it does not have
// are refused.
func asked[R interface{ shared() *common }](do func(context.Context, *Guest, R, *words.Language) (any, error)) func(*Guest, []byte, *words.Language) (any, error) {
	return func(g *Guest, data []byte, language *words.Language) (any, error) {
		r, err := decoded[R](data)
		if err != nil {
			return nil, notRequest(err)
		}
		shared := r.shared()
		milliseconds := usualTime
		if shared.Milliseconds != nil {
			milliseconds = *shared.Milliseconds
		}
		if milliseconds <= 0 || milliseconds > longestTime { // 0 is what is left of a deadline, and no minute
			return nil, wrong("milliseconds", "this is not a time that a call can have", fmt.Sprintf("use a number from 1 to %d", longestTime))
		}
		ctx := budget.Until(context.Background(), time.Now().Add(time.Duration(milliseconds)*time.Millisecond))
		return do(ctx, g, r, language)
	}
}

func decoded[R any](data []byte) (r R, err error) { return r, problem.ReadJSON(data, &r) }

func (c *common) shared() *common { return c }

type toValidate struct {
	common
	Document []byte   `json:"document"`
	Format   string   `json:"format"` // that decides what it is compared with; the declared profile without it
	Overlays []string `json:"overlays"`
	At       string   `json:"at"`
}

func validated(ctx context.Context, g *Guest, r *toValidate, language *words.Language) (any, error) {
	received, err := g.service.Receive(ctx, r.Document, validate.Accept{})
	if err != nil {
		return nil, err
	}
	var rules validate.Rules
	standard := ""
	if r.Format != "" {
		format, err := formatOf(r.Format, received.Document.Syntax)
		if err != nil {
			return nil, err
		}
		if rules, err = g.service.RulesOf(format, received.Document.Invoice); err != nil {
			return nil, err
		}
		standard = format.Check.Standard
	}
	rules.Overlays = r.Overlays
	if r.At != "" {
		if rules.At, err = engine.ParseDay(r.At); err != nil {
			return nil, wrong("at", "this is not a day", "write it as 2026-11-20")
		}
	}
	result, err := g.service.ValidateReceived(ctx, received, rules)
	if err != nil {
		return nil, err
	}
	if standard != "" {
		result.Report.Standard = standard
	}
	if err := result.Report.Translate(language); err != nil {
		return nil, err
	}
	return answer.ValidationOf(result.Report, "", language), nil
}

// formatOf finds a format that XML can be compared with.
func formatOf(name string, syntax model.Syntax) (*catalogue.Format, error) {
	var names []string
	for _, f := range catalogue.Formats() {
		if f.Check == nil || f.Check.PDF == catalogue.PDFRequired {
			continue
		}
		if names = append(names, f.Name); f.Name != name {
			continue
		}
		if want := f.Check.Syntax; want != "" && want != syntax {
			return nil, &problem.Error{
				Code: validate.CodeSyntaxMismatch, Message: fmt.Sprintf("the document is in %s, and %s takes %s", syntax.Label(), name, want.Label()), Remedy: "leave the format out, and the profile of the document decides", Field: "format",
			}
		}
		return f, nil
	}
	return nil, wrong("format", "there is no such format", "use one of "+strings.Join(names, ", "))
}

type toConvert struct {
	common
	Document []byte `json:"document"`
	To       string `json:"to"`
	Strict   bool   `json:"strict"`
}

func converted(ctx context.Context, g *Guest, r *toConvert, language *words.Language) (any, error) {
	if !slices.Contains([]string{string(model.UBL), string(model.CII)}, r.To) {
		return nil, wrong("to", "there is no such syntax", "use ubl or cii")
	}
	doc, err := g.service.Read(ctx, r.Document, validate.Accept{})
	if err != nil {
		return nil, err
	}
	if string(doc.Syntax) == r.To {
		return nil, &problem.Error{
			Code: validate.CodeSyntaxMismatch, Message: fmt.Sprintf("the document is in %s already", doc.Syntax.Label()), Remedy: "use it as it is", Field: "to",
		}
	}
	c, err := convert.Document(ctx, g.service, doc, model.Syntax(r.To))
	if err != nil {
		return nil, err
	}
	if err := c.Translate(language); err != nil {
		return nil, err
	}
	losses := answer.LossesOf(c.Losses, language)
	if r.Strict && losses.Lost > 0 {
		return nil, &lossy{losses}
	}
	return answer.Converted{Document: answer.DocumentOf(c.Data, write.MediaTypeXML, write.FileName(doc.Invoice, ".xml")), LossReport: losses}, nil
}

// creatable refuses the name of a format that is not XML, and names those that are.
func creatable(name string) error {
	names := catalogue.ToCreateInXML()
	if slices.Contains(names, name) {
		return nil
	}
	return wrong("to", "there is no such format", "use one of "+strings.Join(names, ", "))
}

type toCreate struct {
	common
	Request json.RawMessage `json:"request"`
	To      string          `json:"to"`
	Strict  bool            `json:"strict"`
}

func created(ctx context.Context, g *Guest, r *toCreate, language *words.Language) (any, error) {
	if err := creatable(r.To); err != nil {
		return nil, err
	}
	pages := create.NoPages{Service: g.service}
	request, err := create.ReadRequestFor(ctx, pages, r.To, r.Request)
	if err != nil {
		return nil, err
	}
	made, err := create.Document(ctx, pages, r.To, request)
	if refused, ok := errors.AsType[*write.Refused](err); ok {
		if err := refused.Report.Translate(language); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	if losses := answer.LossesOf(made.Losses, language); losses.Lost > 0 && (r.Strict || request.Options.IsStrict()) {
		return nil, &lossy{losses}
	}
	if err := made.Report.Translate(language); err != nil {
		return nil, err
	}
	return answer.MadeOf(made, language), nil
}

// lossy is the error of what is not made because something would be lost.
type lossy struct{ losses *answer.LossReport }

func (l *lossy) Error() string {
	return fmt.Sprintf("The result would lack %s of the source. Leave \"strict\" out to get it anyway.", numeral.Count(l.losses.Lost, "value"))
}

func wrong(field, message, remedy string) error {
	return &problem.Error{Code: problem.CodeOption, Message: message, Remedy: remedy, Field: field}
}

func notRequest(err error) error { return problem.NotJSON(err, "see docs/packages.md") }

// problemOf is what a caller is told of an error.
func problemOf(err error, language *words.Language) *Problem {
	if e, ok := errors.AsType[*problem.Error](err); ok {
		p := &Problem{ErrorCode: e.Code, Detail: answer.Detail(e, language), Line: e.Position.Line, Column: e.Position.Column}
		if e.Field != "" {
			p.Errors = map[string][]string{"options": {e.Field + ": " + p.Detail}}
		}
		return p
	}
	if e, ok := errors.AsType[*problem.WrongOptions](err); ok {
		texts := make([]string, len(e.Wrong))
		for i, w := range e.Wrong {
			texts[i] = w.Field + ": " + answer.Detail(w, language)
		}
		return &Problem{ErrorCode: problem.CodeOption, Detail: strings.Join(texts, " "), Errors: map[string][]string{"options": texts}}
	}
	if e, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		p := &Problem{ErrorCode: problem.CodeRequest, Detail: language.Say(answer.MistakesIn(e))}
		var texts []string
		p.Mistakes, texts = answer.Mistakes(e.Mistakes, language)
		p.Errors = map[string][]string{"json": texts}
		if len(e.Mistakes) == 1 {
			p.Line, p.Column = e.Mistakes[0].Line, e.Mistakes[0].Column
		}
		return p
	}
	if e, ok := errors.AsType[*write.Refused](err); ok {
		p := &Problem{
			ErrorCode: answer.CodeViolations, Detail: verdict.Sentence(e.Report, language), Errors: map[string][]string{"xml": verdict.Violations(e.Report, language)},
			Warnings: answer.Warnings(e.Report), Findings: answer.Findings(e.Report), Report: answer.SummaryOf(e.Report, ""),
		}
		if len(e.Losses) > 0 {
			p.LossReport = answer.LossesOf(e.Losses, language)
		}
		return p
	}
	if e, ok := errors.AsType[*lossy](err); ok {
		return &Problem{ErrorCode: answer.CodeLossy, Detail: language.Say(e.Error()), LossReport: e.losses}
	}
	if e, ok := errors.AsType[*engine.NotFoundError](err); ok {
		return &Problem{ErrorCode: problem.CodeOption, Detail: problem.Sentence(language.Say(e.Error()))}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Problem{ErrorCode: answer.CodeTimeout, Detail: language.Say("The call took longer than it may and was stopped. Give it more milliseconds, or a smaller document.")}
	}
	return &Problem{ErrorCode: answer.CodeInternal, Detail: problem.Sentence(language.Say(err.Error()))}
}
