package cli

import (
	"fmt"
	"io"
	"strings"

	"einvoice/engine/ruletest"
	"einvoice/engine/words"
	"einvoice/service/report"
)

// A cardPrinter prints cards in a language; nil is English. Expressions and examples are as
// they are written.
type cardPrinter struct {
	w        io.Writer
	language *words.Language
}

func (p cardPrinter) say(sentence string) string { return p.language.Say(sentence) }

func (p cardPrinter) title(sentence string) { fmt.Fprintf(p.w, "\n%s\n", p.say(sentence)) }

func (p cardPrinter) print(c ruletest.Card) {
	w := p.w
	c.Translate(p.language)
	fmt.Fprintf(w, "%s  %s  (%s %s, %s %s)\n\n", c.ID, c.Level, c.Ruleset, c.Version, p.say("layer"), c.Layer)
	printWrapped(w, c.Text)
	p.title("To correct it")
	printWrapped(w, c.Message)
	if len(c.Terms) > 0 {
		p.title("Terms")
		for _, t := range c.Terms {
			fmt.Fprintf(w, "  %-10s %s\n", t.Code, t.Name)
		}
	}
	if len(c.Fields) > 0 {
		p.title("Fields")
		printWrapped(w, strings.Join(c.Fields, ", "))
	}
	for _, f := range c.Forms {
		p.title("Decided" + f.Title())
		if f.Reason != "" {
			printWrapped(w, f.Reason)
		}
		if f.Applies {
			fmt.Fprintf(w, "  %-9s %s\n", p.say("for each"), f.Context)
			for i, line := range strings.Split(f.Assert, "\n") {
				fmt.Fprintf(w, "  %-9s %s\n", map[bool]string{true: p.say("assert")}[i == 0], line)
			}
		}
	}
	if len(c.Examples) > 0 {
		p.title("Examples")
		for _, e := range c.Examples {
			fmt.Fprintf(w, "  %s\n", e)
		}
	}
	if c.Effective != nil {
		p.title("In force")
		printWrapped(w, p.say(c.Effective.String()))
	}
	if c.NeverFires != "" {
		p.title("Never fires")
		printWrapped(w, c.NeverFires)
	}
	p.references(c)
	p.title(fmt.Sprintf("Written in %s:%d", c.File, c.Line))
}

func printWrapped(w io.Writer, text string) {
	for _, line := range report.Wrap(text, 92) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// references prints what refers to a rule.
func (p cardPrinter) references(c ruletest.Card) {
	w := p.w
	for _, part := range []struct {
		title string
		names []string
	}{{"In", c.Rulesets}, {"Left out by", c.LeftOutBy}, {"Run by the profiles", c.Profiles}} {
		if len(part.names) > 0 {
			p.title(part.title)
			printWrapped(w, strings.Join(part.names, ", "))
		}
	}
	if a := c.AddedBy; a != nil {
		p.title(fmt.Sprintf("Added by the overlay %s", a.Overlay))
		if a.Owner != "" {
			printWrapped(w, a.Owner)
		}
		if a.Effective != nil {
			printWrapped(w, p.say(fmt.Sprintf("in force %s", a.Effective)))
		}
	}
	for _, o := range c.Overlays {
		p.title(fmt.Sprintf("Made %s by the overlay %s", o.Level, o.Overlay))
		if o.Where != "" {
			printWrapped(w, p.say("For documents: "+o.Where))
		}
		if len(o.Profiles) > 0 {
			printWrapped(w, p.say("Of the profiles: "+strings.Join(o.Profiles, ", ")))
		}
		if o.Until != "" {
			printWrapped(w, p.say(fmt.Sprintf("Until %s", o.Until)))
		}
		if o.Owner != "" {
			printWrapped(w, o.Owner)
		}
		printWrapped(w, o.Reason)
	}
	if c.Source != nil {
		p.title("Published in")
		if c.Source.Clause != "" {
			printWrapped(w, c.Source.Clause)
		}
		printWrapped(w, strings.TrimSpace(fmt.Sprintf("%s %s %s", c.Source.Artefact, c.Source.Version, c.Source.URL)))
	}
}
