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

	"einvoice/model/quote"
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
	reading Reading
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

// Reading is how the files of a language are read, and who bounds what comes of them.
type Reading struct {
	// Decode reads a file of YAML into a value. The error of one that is not there wraps
	// fs.ErrNotExist.
	Decode func(file string, into any) error
	// Grow asks for the memory of texts that are written once and stand in many, in bytes; false
	// where there are too many.
	Grow func(bytes int) bool
}

// Open reads how a language writes values. The error of a language that the library does
// not have wraps fs.ErrNotExist.
func Open(fsys fs.FS, tag string) (*Language, error) {
	return OpenBy(fsys, tag, Reading{
		Decode: func(file string, into any) error {
			data, err := fs.ReadFile(fsys, file)
			if err != nil {
				return err
			}
			return strictyaml.Decode(data, into)
		},
		Grow: func(int) bool { return true },
	})
}

// OpenBy opens a language as Open does, for files that are hostile.
func OpenBy(fsys fs.FS, tag string, reading Reading) (*Language, error) {
	file := path.Join(Folder, tag, "language.yaml")
	l := &Language{fsys: fsys, reading: reading, files: map[string]*loaded{}}
	if err := l.decode(file, l); err != nil {
		return nil, err
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

// decode reads a file. Its error is a FileError, but that of a file that is not there.
func (l *Language) decode(file string, into any) error {
	err := l.reading.Decode(file, into)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &FileError{file, err}
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

// Sentences is the language of the program's own sentences in an answer in this one: English
// where the language has texts of rules alone.
func (l *Language) Sentences() string {
	if l.Whole() {
		return l.String()
	}
	return English
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
		known.texts, known.err = l.readTexts(l.Path(file))
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

// mostMistakes bounds what is told of one file.
const mostMistakes = 1000

func (l *Language) readTexts(file string) (map[string]*Text, error) {
	var content textFile
	if err := l.decode(file, &content); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	all := map[string]*Text{}
	var mistakes []error
	fail := func(format string, args ...any) {
		mistakes = append(mistakes, &FileError{file, fmt.Errorf(format, args...)})
	}
	add := func(id string, t *Text) {
		switch {
		case all[id] != nil:
			fail("%s is translated twice", quote.Shorten(id, quote.Most))
		case t == nil:
			fail("%s has no text", quote.Shorten(id, quote.Most))
		default:
			all[id] = t
		}
	}
	for id, t := range content.Texts {
		add(id, t)
	}
	for _, r := range content.Repeat {
		for _, row := range r.For {
			fill := l.fillerOf(row)
			for id, t := range r.Texts {
				add(fill.text(id), fill.all(t))
				if fill.over {
					fail("written out, its texts come to more than 16 MB, or than there is memory for: shorten the rows of repeat, or divide the file")
				}
				if len(mistakes) >= mostMistakes {
					fail("the file has %d mistakes up to here: correct them, and check again", len(mistakes))
				}
				if fill.over || len(mistakes) >= mostMistakes {
					return nil, errors.Join(mistakes...)
				}
			}
		}
	}
	return all, errors.Join(mistakes...)
}

// A filler replaces each ${name} by what a row says; what it does not say stays.
type filler struct {
	row      map[string]string
	replacer *strings.Replacer
	grow     func(bytes int) bool
	over     bool
}

func (l *Language) fillerOf(row map[string]string) *filler {
	var pairs []string
	for name, value := range row {
		pairs = append(pairs, "${"+name+"}", value)
	}
	return &filler{row: row, replacer: strings.NewReplacer(pairs...), grow: l.reading.Grow}
}

func (f *filler) all(t *Text) *Text {
	if t == nil {
		return nil
	}
	filled := &Text{Message: f.text(t.Message), Text: f.text(t.Text)}
	for name, message := range t.Cases {
		if filled.Cases == nil {
			filled.Cases = map[string]string{}
		}
		filled.Cases[name] = f.text(message)
	}
	return filled
}

// textGrown is what a filled text takes beside its letters, in bytes.
const textGrown = 100

func (f *filler) text(text string) string {
	grown := textGrown
	if strings.Contains(text, "${") {
		grown += len(text)
		for name, value := range f.row {
			grown += strings.Count(text, "${"+name+"}") * len(value)
		}
	}
	if f.over || !f.grow(grown) {
		f.over = true
		return ""
	}
	return f.replacer.Replace(text)
}
