package look

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"einvoice/formats/pdf/font"
	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/logo"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/quote"
	"einvoice/model/strictyaml"
	"einvoice/model/tongue"

	"gopkg.in/yaml.v3"
)

//go:embed looks/*.yaml
var lookFiles embed.FS

// Schema is the JSON Schema of files of looks.
//
//go:embed look.schema.json
var Schema []byte

// File is the file of a look of the program, to begin one's own with; nil if there is
// none of that name.
func File(name string) []byte {
	data, err := lookFiles.ReadFile("looks/" + name + ".yaml")
	if err != nil {
		return nil
	}
	return data
}

// A Look is how pages look: margins, the parts of a letter, colours, fonts, a logo, letter
// paper, texts of its own, what is shown and in which order. It is read from YAML by
// ReadLook. Lengths in the file are in millimetres from the top left corner of the page.
type Look struct {
	Name  string `yaml:"name"`
	Based string `yaml:"based"` // the built-in look that it changes
	// Countries are those of sellers whose invoices have this look without being asked.
	Countries []string `yaml:"countries"`
	Page      struct {
		Top    float64 `yaml:"top"`
		Bottom float64 `yaml:"bottom"`
		Left   float64 `yaml:"left"`
		Right  float64 `yaml:"right"`
	} `yaml:"page"`
	Letter  *letterLook `yaml:"letter"`
	Colours colours     `yaml:"colours"`
	Fonts   struct {
		Plain string `yaml:"plain"`
		Bold  string `yaml:"bold"`
	} `yaml:"fonts"`
	Logo  logoLook `yaml:"logo"`
	Paper struct {
		First     string `yaml:"first"`
		Following string `yaml:"following"`
	} `yaml:"paper"`
	Before   map[string]string            `yaml:"before"` // a text before the first section, by language
	After    map[string]string            `yaml:"after"`
	Sections []string                     `yaml:"sections"`
	Foot     [][]*layout.Entry            `yaml:"foot"`
	Labels   map[string]map[string]string `yaml:"labels"` // of terms, and words, by language

	Plain, Bold *typeset.Face `yaml:"-"` // nil for those of the program
	Picture     *logo.Picture `yaml:"-"`
	Papers      [2]*Paper     `yaml:"-"` // of the first page, and of those that follow
}

// CodeUnknown is the code of the error, a *problem.Error, of a look that is not there or cannot be
// used. It is stable: programs may depend on it.
const CodeUnknown = "LOOK-UNKNOWN"

// SectionNames are the parts of an invoice that looks arrange, sorted.
var SectionNames = []string{"adjustments", "documents", "facts", "further", "lines", "notes", "parties", "payment", "technical", "totals"}

// A letterLook is where the parts of a letter are.
type letterLook struct {
	Sender struct {
		Y       float64 `yaml:"y"`
		Width   float64 `yaml:"width"`
		Address bool    `yaml:"address"` // the address is below the name
	} `yaml:"sender"`
	ReturnLine  float64 `yaml:"returnLine"` // where it is; 0 for none
	Recipient   Box     `yaml:"recipient"`
	Information Box     `yaml:"information"`
	Body        float64 `yaml:"body"` // where the title is
	Marks       []Box   `yaml:"marks"`
}

// A Box is an area of the page, in millimetres.
type Box struct {
	X      float64 `yaml:"x"`
	Y      float64 `yaml:"y"`
	Width  float64 `yaml:"width"`
	Height float64 `yaml:"height"`
}

// A logoLook is a picture and its place. It is as large as fits.
type logoLook struct {
	File   string  `yaml:"file"`
	X      float64 `yaml:"x"`
	Y      float64 `yaml:"y"`
	Width  float64 `yaml:"width"`
	Height float64 `yaml:"height"`
	Right  bool    `yaml:"right"` // x is its right edge
	Alt    string  `yaml:"alt"`   // for people who listen to the page
}

// colours are those of text, lines and areas.
type colours struct {
	Text   hexColour `yaml:"text"`
	Muted  hexColour `yaml:"muted"`
	Accent hexColour `yaml:"accent"`
	Line   hexColour `yaml:"line"`
	Shade  hexColour `yaml:"shade"`
}

// A hexColour is a colour as #RRGGBB.
type hexColour struct {
	typeset.Colour
	Text string
}

// UnmarshalYAML reads a colour.
func (c *hexColour) UnmarshalYAML(n *yaml.Node) error {
	if err := c.parse(n.Value); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	return nil
}

func (c *hexColour) parse(s string) error {
	value, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil || len(s) != 7 || s[0] != '#' {
		return fmt.Errorf("%q is not a colour; write it as \"#124A6B\"", s)
	}
	c.Text = s
	for i := range c.Colour {
		c.Colour[i] = float32(value>>(16-8*i)&0xff) / 255
	}
	return nil
}

// Bounds of a look and its files.
const (
	maxLookFile = 16 << 20 // bytes of a font, a picture of pixels or letter paper
	maxLookText = 1 << 20  // bytes of YAML and SVG, which take a hundred times their size in memory
	maxOwnText  = 20_000   // characters of a text before or after
)

var builtInLooks = sync.OnceValue(func() map[string]*Look {
	looks := map[string]*Look{}
	for _, file := range lookFileNames() {
		data, err := lookFiles.ReadFile(file)
		if err != nil {
			panic(err) // the file is embedded
		}
		l, err := parseLook(data, func(name string) *Look {
			base, err := parseLook(mustRead("looks/"+name+".yaml"), nil)
			if err != nil {
				panic("page: look " + name + ": " + err.Error())
			}
			return base
		})
		if err != nil {
			panic("page: look " + file + ": " + err.Error()) // the file is embedded
		}
		looks[l.Name] = l
	}
	return looks
})

// lookFileNames are the files of the looks of the program, sorted. Each is called as its
// look, so that the looks can be named without reading them.
func lookFileNames() []string {
	files, err := fs.Glob(lookFiles, "looks/*.yaml")
	if err != nil {
		panic(err) // the pattern is constant
	}
	return files
}

func mustRead(file string) []byte {
	data, err := lookFiles.ReadFile(file)
	if err != nil {
		panic(err) // the file is embedded
	}
	return data
}

// generalLook is the look for sellers in countries that have none of their own.
const generalLook = "general"

// Names are the names of the looks of the program, sorted.
func Names() []string {
	var names []string
	for _, file := range lookFileNames() {
		names = append(names, strings.TrimSuffix(path.Base(file), ".yaml"))
	}
	return names
}

// BuiltIn is a look of the program. The error is a *problem.Error.
func BuiltIn(name string) (*Look, error) {
	if l := builtInLooks()[name]; l != nil {
		return l, nil
	}
	return nil, &problem.Error{
		Code: CodeUnknown, Message: "there is no look " + quote.Value(name), Remedy: "use one of " + strings.Join(Names(), ", "),
	}
}

// For is the look of an invoice: that of the country of who makes it.
func For(inv *model.Invoice) *Look {
	looks := builtInLooks()
	country := ""
	switch buyerMakesIt := slices.Contains(layout.Default().Title.SelfBilled, inv.TypeCode.Raw); {
	case buyerMakesIt && inv.Buyer != nil && inv.Buyer.PostalAddress != nil:
		country = inv.Buyer.PostalAddress.CountryCode.Raw
	case !buyerMakesIt && inv.Seller != nil && inv.Seller.PostalAddress != nil:
		country = inv.Seller.PostalAddress.CountryCode.Raw
	}
	if country != "" {
		for _, name := range Names() {
			if slices.Contains(looks[name].Countries, country) {
				return looks[name]
			}
		}
	}
	return looks[generalLook]
}

// parseLook reads a look, over the one that it is based on.
func parseLook(data []byte, base func(name string) *Look) (*Look, error) {
	var head struct {
		Based string `yaml:"based"`
	}
	if err := strictyaml.CheckKeys(data); err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	l := &Look{}
	if head.Based != "" && base != nil {
		from := base(head.Based)
		if from == nil {
			return nil, fmt.Errorf("there is no built-in look %q to be based on", head.Based)
		}
		*l = *from
		l.Countries = nil
		if from.Letter != nil {
			letter := *from.Letter
			l.Letter = &letter
		}
	}
	if err := strictyaml.Told(data, strictyaml.Decode(data, l)); err != nil {
		return nil, err
	}
	return l, l.resolve()
}

// resolve checks a look and finds the fields that it names.
func (l *Look) resolve() error {
	if l.Name == "" {
		return fmt.Errorf("the look has no name")
	}
	if l.Based == "" && (l.Sections == nil || l.Colours.Text.Text == "") {
		return fmt.Errorf("the look is not based on another one, and lacks sections or colours; add based: %s", generalLook)
	}
	for _, name := range l.Sections {
		if !slices.Contains(SectionNames, name) {
			return fmt.Errorf("there is no section %q; there are %s", name, strings.Join(SectionNames, ", "))
		}
	}
	if twice := firstTwice(l.Sections); twice != "" {
		return fmt.Errorf("the section %q is there twice", twice)
	}
	p := l.Page
	const least, mostSides, mostEnds = 5, 60, 110
	if p.Left < least || p.Right < least || p.Top < least || p.Bottom < least+5 || p.Left > mostSides || p.Right > mostSides || p.Top > mostEnds || p.Bottom > mostEnds {
		return fmt.Errorf("the margins of the page are %g, %g, %g and %g mm; they are from %d to %d mm at the sides, from %d to %d mm above, and from %d to %d mm below", p.Top, p.Right, p.Bottom, p.Left, least, mostSides, least, mostEnds, least+5, mostEnds)
	}
	if l.Letter != nil {
		if err := l.Letter.check(); err != nil {
			return err
		}
	}
	for where, texts := range map[string]map[string]string{"before": l.Before, "after": l.After} {
		for language, text := range texts {
			if len(text) > maxOwnText {
				return fmt.Errorf("the text %s in %s has more than %d characters", where, language, maxOwnText)
			}
		}
	}
	if err := l.checkLabels(); err != nil {
		return err
	}
	if len(l.Foot) > 5 {
		return fmt.Errorf("the foot has %d columns; it has at most 5", len(l.Foot))
	}
	var r layout.Resolver
	r.Entries(model.InvoiceType(), l.Foot...)
	if len(r.Errs) > 0 {
		return r.Errs[0]
	}
	return nil
}

// checkLabels refuses labels that nothing would show.
func (l *Look) checkLabels() error {
	for tag, labels := range l.Labels {
		if tag != language.Any && !slices.Contains(tongue.Tags(), tag) {
			return fmt.Errorf("labels: there is no language %q; there are %s, and %s for all others", tag, strings.Join(tongue.Tags(), ", "), language.Any)
		}
		known := language.Load(tongue.Default)
		for key := range labels {
			if known.Words[key] == "" && known.Labels[key] == "" {
				return fmt.Errorf("labels: %q is neither a label nor a word", key)
			}
		}
	}
	return nil
}

func (l *letterLook) check() error {
	const width, height = 210, 297
	boxes := map[string]Box{
		"recipient": l.Recipient, "information": l.Information,
		"sender": {Y: l.Sender.Y, Width: l.Sender.Width}, "returnLine": {Y: l.ReturnLine}, "body": {Y: l.Body},
	}
	for i, m := range l.Marks {
		boxes["marks, "+strconv.Itoa(i+1)] = m
	}
	for _, name := range slices.Sorted(maps.Keys(boxes)) {
		b := boxes[name]
		if b.X < 0 || b.Y < 0 || b.Width < 0 || b.Height < 0 || b.X+b.Width > width || b.Y+b.Height > height {
			return fmt.Errorf("letter, %s: the area is not on the page", name)
		}
	}
	const narrow = 30
	for _, part := range []struct {
		name  string
		width float64
		may   bool // be left out
	}{{"sender", l.Sender.Width, false}, {"recipient", l.Recipient.Width, false}, {"information", l.Information.Width, true}} {
		switch {
		case part.width == 0 && !part.may:
			return fmt.Errorf("letter: %s has no width; a letter needs sender and recipient, of at least %d mm, which a look can take from din5008 or french (based)", part.name, narrow)
		case part.width != 0 && part.width < narrow:
			return fmt.Errorf("letter: %s is at least %d mm wide, not %g", part.name, narrow, part.width)
		}
	}
	if l.Body > height/2 || l.Recipient.Y > height/2 || l.Information.Y > height/2 || l.Sender.Y > height/2 {
		return fmt.Errorf("letter: its parts begin in the upper half of the page")
	}
	return nil
}

func firstTwice(names []string) string {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return name
		}
	}
	return ""
}

// Read reads a look from a file of a folder; the files that it names are beside it, or below.
// The error is a *problem.Error that says what is wrong with the look; judge has the last word.
func Read(fsys fs.FS, file string, judge func(*Look) error) (*Look, error) {
	l, err := readLook(fsys, file)
	if err == nil {
		err = judge(l)
	}
	if err != nil {
		return nil, &problem.Error{
			Code: CodeUnknown, Message: fmt.Sprintf("the look %s cannot be used: %v", file, err), Remedy: "change it as the message says; einvoice look schema prints what a look can have", Cause: err,
		}
	}
	return l, nil
}

func readLook(fsys fs.FS, file string) (*Look, error) {
	data, err := readBounded(fsys, file, maxLookText)
	if err != nil {
		return nil, err
	}
	l, err := parseLook(data, func(name string) *Look { return builtInLooks()[name] })
	if err != nil {
		return nil, err
	}
	folder := path.Dir(file)
	read := func(name string) ([]byte, error) {
		if name == "" {
			return nil, nil
		}
		full := path.Join(folder, name)
		if !fs.ValidPath(full) || !strings.HasPrefix(full, strings.TrimPrefix(folder+"/", "./")) {
			return nil, fmt.Errorf("the file %s is not beside the look, or below", name)
		}
		if strings.EqualFold(path.Ext(name), ".svg") {
			return readBounded(fsys, full, maxLookText)
		}
		return readBounded(fsys, full, maxLookFile)
	}
	if err := l.readFonts(read); err != nil {
		return nil, err
	}
	return l, l.readPictures(read)
}

func readBounded(fsys fs.FS, name string, bound int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s", name)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	if info.Size() > bound {
		return nil, fmt.Errorf("%s has more than %d MiB", name, bound>>20)
	}
	return fs.ReadFile(fsys, name)
}

// readFonts reads the fonts of a look.
func (l *Look) readFonts(read func(string) ([]byte, error)) error {
	if l.Fonts.Plain == "" && l.Fonts.Bold == "" {
		return nil
	}
	if l.Fonts.Plain == "" {
		return fmt.Errorf("fonts: there is a bold font and no plain one")
	}
	for _, f := range []struct {
		name string
		face **typeset.Face
	}{{l.Fonts.Plain, &l.Plain}, {l.Fonts.Bold, &l.Bold}} {
		if f.name == "" {
			l.Bold = l.Plain
			continue
		}
		data, err := read(f.name)
		if err != nil {
			return err
		}
		if *f.face, err = embeddable(f.name, data); err != nil {
			return fmt.Errorf("fonts: %s: %w", f.name, err)
		}
	}
	return nil
}

// embeddable is a font that may be embedded, and has the letters that pages need.
func embeddable(name string, data []byte) (*typeset.Face, error) {
	face, err := typeset.NewFace(strings.TrimSuffix(path.Base(name), path.Ext(name)), data)
	if err != nil {
		return nil, err
	}
	if err := face.MayBeEmbedded(); err != nil {
		return nil, err
	}
	for r := rune('!'); r <= '~'; r++ {
		if face.Glyph(r) == font.NotDef {
			return nil, fmt.Errorf("it has no glyph for %q", r)
		}
	}
	return face, nil
}
