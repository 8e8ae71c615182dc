package language

import "maps"

// A Wording is what the law, or its custom, wants to be said in a language.
type Wording struct {
	// Titles are those of types of documents (BT-3) that are called otherwise than their
	// code, with a line that is shown below.
	Titles map[string]Title `yaml:"titles"`
	// Reasons are what is said for a VAT category whose reason has no text, where the law of
	// the country (package law) says nothing of its own.
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
	w := Wording{maps.Clone(l.Wording.Titles), l.Wording.Reasons}
	maps.Copy(w.Titles, own.Titles)
	return w
}
