// Package words has what the program says in languages other than English: messages and
// texts of rules and findings, sentences of the program, and how numbers and days are
// written.
//
// English is in the rules and in the program. Another language is a folder languages/TAG
// of a library: language.yaml says how values are written, a file of texts lies at the
// path of the file whose rules it translates (languages/de/en16931/1.3.16/br-co.yaml), and
// phrases/*.yaml translate sentences of the program. Files are read when a text of them is
// first asked for.
//
//	german, err := words.Open(fsys, "de")
//	text, found, err := german.Text("en16931/1.3.16/br-co.yaml", "BR-CO-10")
package words

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"einvoice/model/strictyaml"

	bcp47 "golang.org/x/text/language"
)

// Folder has the languages of a library.
const Folder = "languages"

// English is the tag of the language that rules and program are written in.
const English = "en"

// A Language has the words of one language. It may be used by any number of goroutines at
// a time.
type Language struct {
	Tag  string `yaml:"language"` // BCP 47, as the name of its folder
	Name string `yaml:"name"`     // of the language, in itself
	// Date is how a day is written, in the notation of package time.
	Date    string `yaml:"date"`
	Decimal string `yaml:"decimal"` // the decimal mark
	Group   string `yaml:"group"`   // between groups of three digits

	fsys    fs.FS
	phrases func() (*phraseBook, error)
	whole   bool

	mu    sync.Mutex
	files map[string]*loaded // by path
}

type loaded struct {
	texts map[string]*Text
	err   error
}

// Tags lists the languages that a library has besides English, sorted.
func Tags(fsys fs.FS) []string {
	entries, err := fs.ReadDir(fsys, Folder)
	if err != nil {
		return nil // a library without the folder speaks English alone
	}
	var tags []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != English {
			tags = append(tags, e.Name())
		}
	}
	slices.Sort(tags)
	return tags
}

// Open reads how a language writes values. The error of a language that the library does
// not have wraps fs.ErrNotExist.
func Open(fsys fs.FS, tag string) (*Language, error) {
	file := path.Join(Folder, tag, "language.yaml")
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	l := &Language{fsys: fsys, files: map[string]*loaded{}}
	if err := strictyaml.Decode(data, l); err != nil {
		return nil, &FileError{file, err}
	}
	if parsed, err := bcp47.Parse(l.Tag); err != nil || l.Tag != tag || parsed.String() != tag {
		return nil, &FileError{file, fmt.Errorf("language is %q, and the folder is %q: write the same tag in both, as BCP 47 has it (de, fr, pt-BR)", l.Tag, tag)}
	}
	if l.Decimal == "" || l.Date == "" || l.Name == "" {
		return nil, &FileError{file, errors.New("the keys name, date and decimal are needed")}
	}
	l.phrases = sync.OnceValues(l.readPhrases)
	phrases, err := fs.Glob(fsys, l.Path("phrases/*.yaml"))
	l.whole = len(phrases) > 0
	return l, err
}

// Whole reports whether the language has sentences of the program, and not texts of rules
// alone, as those of countries have.
func (l *Language) Whole() bool { return l == nil || l.whole }

// Content are the languages of an answer in this one, as the header Content-Language has
// them: where the language has texts of rules alone, the rest is English.
func (l *Language) Content() string {
	if l.Whole() {
		return l.String()
	}
	return l.Tag + ", " + English
}

// String is the tag of the language; a nil language is English.
func (l *Language) String() string {
	if l == nil {
		return English
	}
	return l.Tag
}

// A FileError is a mistake in a file of a language.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap is the mistake without the file.
func (e *FileError) Unwrap() error { return e.Err }

// A Text is a rule, or a finding of the program, in a language. {1} is the value of the
// first expression of the English message, {2} that of the second; in findings of the
// program, {name} is a value, and <name> a sentence of the program that is translated
// itself.
type Text struct {
	Message string `yaml:"message"`
	Text    string `yaml:"text"`
	// Cases are the messages of situations that have one of their own: a syntax of a
	// rule, a case of a finding.
	Cases map[string]string `yaml:"cases"`
}

// Path is the file with the words of a language for a file of the library.
func (l *Language) Path(file string) string { return path.Join(Folder, l.Tag, file) }

// Text finds the words for a rule or finding of a file of the library.
func (l *Language) Text(file, id string) (t *Text, found bool, err error) {
	texts, err := l.Texts(file)
	t, found = texts[id]
	return t, found, err
}

// Texts are all words for a file of the library, by the ids of its rules or findings. There
// are none where the language has no file for it.
func (l *Language) Texts(file string) (map[string]*Text, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.files[file]
	if known == nil {
		known = &loaded{}
		known.texts, known.err = readTexts(l.fsys, l.Path(file))
		l.files[file] = known
	}
	return known.texts, known.err
}

// textFile is a file of texts. Texts that differ in a few words are written once, as rules
// are: ${name} in ids and texts is replaced by each row.
type textFile struct {
	Texts  map[string]*Text `yaml:"texts"`
	Repeat []struct {
		For   []map[string]string `yaml:"for"`
		Texts map[string]*Text    `yaml:"texts"`
	} `yaml:"repeat"`
}

func readTexts(fsys fs.FS, file string) (map[string]*Text, error) {
	data, err := fs.ReadFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var content textFile
	if err := strictyaml.Decode(data, &content); err != nil {
		return nil, &FileError{file, err}
	}
	all := map[string]*Text{}
	add := func(id string, t *Text) {
		switch {
		case all[id] != nil:
			err = errors.Join(err, &FileError{file, fmt.Errorf("%s is translated twice", id)})
		case t == nil:
			err = errors.Join(err, &FileError{file, fmt.Errorf("%s has no text", id)})
		default:
			all[id] = t
		}
	}
	for id, t := range content.Texts {
		add(id, t)
	}
	for _, r := range content.Repeat {
		for _, row := range r.For {
			for id, t := range r.Texts {
				add(fill(id, row), t.fill(row))
			}
		}
	}
	return all, err
}

func (t *Text) fill(row map[string]string) *Text {
	if t == nil {
		return nil
	}
	filled := &Text{Message: fill(t.Message, row), Text: fill(t.Text, row)}
	for name, message := range t.Cases {
		if filled.Cases == nil {
			filled.Cases = map[string]string{}
		}
		filled.Cases[name] = fill(message, row)
	}
	return filled
}

// fill replaces ${name} by what a row says; what it does not say stays.
func fill(text string, row map[string]string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	for name, value := range row {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	return text
}
