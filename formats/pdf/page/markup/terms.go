package markup

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/pattern"
)

// A Place is where a term is: its code in the standard, and the path of a request.
type Place struct {
	term, path string
	leaf       any
	mime, file string // of a document that is attached
}

var (
	mailAddress = pattern.Later(`^[\w.+-]+@[\w-]+(\.[\w-]+)+$`)
	notDialled  = pattern.Later(`[^0-9+]`)
	mimeType    = pattern.Later(`^(application/(pdf|vnd\.[a-z0-9.-]+)|image/(png|jpeg)|text/csv)$`)
)

// Link is where a term leads: a mail address, a telephone number, a document at a place of the
// web, or one that is attached, with the name to save it by. It is empty where a term leads
// nowhere, or to what is none of these.
func (p *Place) Link() (address, save string) {
	switch leaf := p.leaf.(type) {
	case *model.Binary:
		data, err := leaf.Decode()
		if err != nil || len(data) == 0 {
			return "", ""
		}
		mime := p.mime
		if !mimeType().MatchString(mime) { // it is saved, and not shown
			mime = "application/octet-stream"
		}
		if save = p.file; save == "" {
			save = "attachment"
		}
		return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data), save
	case *model.Text:
		raw := strings.TrimSpace(leaf.Raw)
		switch name := p.path[strings.LastIndexByte(p.path, '.')+1:]; {
		case name == "email" && mailAddress().MatchString(raw):
			return "mailto:" + raw, ""
		case name == "phone":
			if number := notDialled().ReplaceAllString(raw, ""); len(number) > 4 && len(raw) < 30 {
				return "tel:" + number, ""
			}
		case name == "externalLocation":
			if u, err := url.Parse(raw); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
				return u.String(), ""
			}
		}
	}
	return "", ""
}

// Term is the code of the term in the standard; empty where it has none.
func (p *Place) Term() string { return p.term }

// Places are the places of all terms of an invoice, by the pointers to their leaves.
func Places(o model.Object) map[any]Place {
	found := map[any]Place{}
	addPlaces(found, o, "")
	return found
}

func addPlaces(found map[any]Place, o model.Object, prefix string) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := prefix + f.Name
		switch {
		case !o.Has(f):
		case f.Kind.IsLeaf():
			leaf := compose.LeafOf(o, f)
			p := Place{term: f.BT, path: path, leaf: leaf}
			if f.Kind == model.KindBinary {
				for name, value := range map[string]*string{"attachmentMimeCode": &p.mime, "attachmentFileName": &p.file} {
					if beside, known := o.Type.Field(name); known && o.Has(beside) {
						*value = o.Raw(beside)
					}
				}
			}
			found[leaf] = p
		case f.Kind == model.KindGroup:
			addPlaces(found, o.Group(f), path+".")
		default:
			list := o.List(f)
			for j := range list.Len() {
				addPlaces(found, list.At(j), path+"["+strconv.Itoa(j)+"].")
			}
		}
	}
}

// Spans calls do for each part of a phrase, with the place of its term; that of words of
// the language is nil.
func Spans(p typeset.Phrase, where map[any]Place, do func(text string, at *Place)) {
	from := 0
	for _, m := range p.Marks {
		if m.From > from {
			do(p.Text[from:m.From], nil)
		}
		if m.To > m.From {
			if at, known := where[m.Leaf]; known {
				do(p.Text[m.From:m.To], &at)
			} else {
				do(p.Text[m.From:m.To], nil)
			}
		}
		from = max(from, m.To)
	}
	if from < len(p.Text) {
		do(p.Text[from:], nil)
	}
}
