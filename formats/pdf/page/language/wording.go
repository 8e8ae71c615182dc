package language

import "maps"

// A Wording is what the law, or its custom, wants to be said in a language.
type Wording struct {
	// Titles are those of types of documents (BT-3) that are called otherwise than their
	// code, with a line that is shown below.
	Titles map[string]Title `yaml:"titles"`
	// Reasons are what is said for a VAT category whose reason has no text.
	Reasons map[string]string `yaml:"reasons"`
}

// A Title is what a document is called, with a line that is shown below.
type Title struct {
	Title string `yaml:"title"`
	About string `yaml:"about"`
}

// WordingFor is the wording for sellers of a country.
func (l *Language) WordingFor(country string) Wording {
	own, differs := l.Countries[country]
	if !differs {
		return l.Wording
	}
	w := Wording{maps.Clone(l.Wording.Titles), maps.Clone(l.Wording.Reasons)}
	maps.Copy(w.Titles, own.Titles)
	maps.Copy(w.Reasons, own.Reasons)
	return w
}
