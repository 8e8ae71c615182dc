package engine

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"einvoice/engine/lookup"
	"einvoice/model/pattern"

	"gopkg.in/yaml.v3"
)

// FolderOfTables is the folder of tables that rules look rows up in: tables/NAME.yaml says
// what is in tables/NAME.csv.
const FolderOfTables = "tables"

// A LookupTable is data that rules look rows up in, with who answers for it.
type LookupTable struct {
	Name  string
	Title string
	Owner string
	// FreshUntil is the last day on which the data is up to date; "" for no such day.
	FreshUntil Day
	freshAt    *yaml.Node
	File       string // that declares it
	SHA256     string // of the declaration

	shape    lookup.Shape
	examples []map[string]string // rows that the examples of rules are tried with
	examined *yaml.Node
	mistakes LoadErrors

	data  func() (*lookup.Table, error)
	tried func() (*lookup.Table, error) // the rows of examples; those of data where there are none
}

// tablesOf are the tables of a library, each read once.
type tablesOf struct {
	mu    sync.Mutex
	known map[string]*LookupTable
}

// IsTableData tells by its path whether a file has the rows of a table.
func IsTableData(name string) bool {
	dir, file := path.Split(name)
	return dir == FolderOfTables+"/" && strings.HasSuffix(file, ".csv")
}

// Stale returns the warning that the table's last day is over.
func (t *LookupTable) Stale() LoadError {
	return LoadError{File: t.File, Line: t.freshAt.Line, Column: t.freshAt.Column, Message: fmt.Sprintf(
		"the table %s was up to date until %s, and reports that rest on it say so: have %s renew its rows, and write the next day", t.Name, t.FreshUntil, t.Owner)}
}

// Columns are those of the table, with their types.
func (t *LookupTable) Columns() []lookup.Column { return t.shape.Columns }

// Data is the rows of the table, which are read when they are first asked for.
func (t *LookupTable) Data() (*lookup.Table, error) { return t.data() }

// Digest is that of the declaration and the data.
func (t *LookupTable) Digest() (string, error) {
	data, err := t.data()
	if err != nil {
		return "", err
	}
	return t.SHA256 + " " + data.SHA256, nil
}

func tablesIn(fsys fs.FS) ([]string, error) { return namesIn(fsys, FolderOfTables) }

// Table is the table of that name. Its data is read when it is first asked for.
func (l *Library) Table(name string) (*LookupTable, error) {
	l.tables.mu.Lock()
	defer l.tables.mu.Unlock()
	t := l.tables.known[name]
	if t == nil {
		file := path.Join(FolderOfTables, name+".yaml")
		c, err := l.open(file)
		if err != nil {
			hint := l.suggestFile(FolderOfTables, name)
			if exists(l.fsys, path.Join(FolderOfCodeLists, name+".yaml")) {
				hint = fmt.Sprintf("; there is a code list of this name: ask it with .isInCodeList(%q)", name)
			}
			return nil, fmt.Errorf("there is no table %q (%s)%s", name, file, hint)
		}
		t = l.readTable(name, c)
		if l.tables.known == nil {
			l.tables.known = map[string]*LookupTable{}
		}
		l.tables.known[name] = t
	}
	return t, t.mistakes.ErrOrNil()
}

func (l *Library) readTable(name string, c *contents) *LookupTable {
	f := newRuleFile(c)
	t := &LookupTable{Name: name, File: c.name, SHA256: c.digest}
	if root := f.root(); root != nil {
		t.readDeclaration(f, root)
	}
	t.mistakes = f.errors
	data := path.Join(FolderOfTables, name+".csv")
	t.data = sync.OnceValues(func() (*lookup.Table, error) {
		if err := t.mistakes.ErrOrNil(); err != nil {
			return nil, err
		}
		rows, err := lookup.Load(func() (io.ReadCloser, error) { return l.fsys.Open(data) }, t.shape)
		at, inData := errors.AsType[*lookup.Error](err)
		switch {
		case inData:
			return nil, LoadError{File: data, Line: at.Line, Column: at.Column, Message: at.Message}
		case errors.Is(err, fs.ErrNotExist):
			return nil, LoadError{File: c.name, Line: 1, Column: 1, Message: fmt.Sprintf("the table %s has no data: put it beside, as %s", name, data)}
		}
		return rows, err
	})
	t.tried = t.data
	if len(t.examples) > 0 {
		t.tried = sync.OnceValues(t.exampleRows)
	}
	return t
}

func (t *LookupTable) readDeclaration(f *ruleFile, root *yaml.Node) {
	named := ""
	known := f.mapping(root, "a look-up table", func(key string, value *yaml.Node) bool {
		switch key {
		case "table":
			if named = f.scalar(value); named != t.Name {
				f.fail(value, "the table calls itself %q; it must be named as its file", named)
			}
		case "title":
			t.Title = f.scalar(value)
		case "owner":
			t.Owner = f.scalar(value)
		case "freshUntil":
			day, err := ParseDay(f.scalar(value))
			if err != nil {
				f.fail(value, "%v", err)
			}
			t.FreshUntil, t.freshAt = day, value
		case "key":
			t.shape.Key = f.scalar(value)
		case "columns":
			t.readColumns(f, value)
		case "without":
			t.shape.Without = f.texts(value)
		case "separator":
			t.shape.Separator = f.separator(value)
		case "examples":
			t.readExampleRows(f, value)
		default:
			return false
		}
		return true
	})
	if !known || root.Kind != yaml.MappingNode {
		return
	}
	for _, missing := range [][2]string{{"table", named}, {"title", t.Title}, {"owner", t.Owner}, {"key", t.shape.Key}} {
		if missing[1] == "" {
			f.fail(root, "the key %q is missing", missing[0])
		}
	}
	kind, found := t.column(t.shape.Key)
	switch {
	case len(t.shape.Columns) == 0:
		f.fail(root, "the table needs columns: names with their types")
	case t.shape.Key == "":
	case !found:
		f.fail(root, "the key is %s, which is not a column%s", t.shape.Key, Suggest(t.shape.Key, t.columnNames()))
	case kind != lookup.Text:
		f.fail(root, "the key %s is of type %s: a key is text", t.shape.Key, kind)
	}
	t.checkExamples(f)
}

// separator is what is between cells.
func (f *ruleFile) separator(n *yaml.Node) rune {
	if n.Kind != yaml.ScalarNode || len(n.Value) != 1 || !strings.Contains(",;|\t", n.Value) {
		f.fail(n, "the separator of cells is one of , ; | and a tab")
		return 0
	}
	return rune(n.Value[0])
}

func (t *LookupTable) column(name string) (lookup.Kind, bool) {
	for _, c := range t.shape.Columns {
		if c.Name == name {
			return c.Kind, true
		}
	}
	return "", false
}

func (t *LookupTable) columnNames() (names []string) {
	for _, c := range t.shape.Columns {
		names = append(names, c.Name)
	}
	return names
}

// columnName is what can stand behind a point in an expression.
var columnName = pattern.Later(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// reservedNames are words that no expression can have behind a point.
var reservedNames = []string{"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "namespace", "null", "package", "return", "true", "var", "void", "while"}

func (t *LookupTable) readColumns(f *ruleFile, n *yaml.Node) {
	f.mapping(n, "the columns of a look-up table", func(name string, value *yaml.Node) bool {
		kind := lookup.Kind(f.scalar(value))
		if !slices.Contains(lookup.Kinds, kind) {
			f.fail(value, "unknown type %q: use one of %s", kind, join(lookup.Kinds))
		}
		if !columnName().MatchString(name) || slices.Contains(reservedNames, name) {
			f.fail(value, "%q cannot be the name of a column in expressions: letters, digits and _, and no word of CEL; give the column of the data another name", name)
		}
		t.shape.Columns = append(t.shape.Columns, lookup.Column{Name: name, Kind: kind})
		return true
	})
}

func (t *LookupTable) readExampleRows(f *ruleFile, n *yaml.Node) {
	t.examined = n
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "examples must be a list of rows")
		return
	}
	for item := range f.items(n) {
		row := map[string]string{}
		for name, value := range f.values(item, "an example of a look-up table") {
			row[name] = value.Value
		}
		t.examples = append(t.examples, row)
	}
}

// checkExamples reports rows that the data could not have.
func (t *LookupTable) checkExamples(f *ruleFile) {
	for i, row := range t.examples {
		for _, name := range slices.Sorted(maps.Keys(row)) {
			switch kind, found := t.column(name); {
			case !found:
				f.fail(t.examined.Content[i], "the row has %s, which is not a column%s", name, Suggest(name, t.columnNames()))
			case !kind.Accepts(row[name]):
				f.fail(t.examined.Content[i], "%s", kind.Refuses(row[name], name))
			}
		}
		if row[t.shape.Key] == "" {
			f.fail(t.examined.Content[i], "the row has no %s, which is the key", t.shape.Key)
		}
	}
}

// exampleRows are the rows of the examples as a table.
func (t *LookupTable) exampleRows() (*lookup.Table, error) {
	var text strings.Builder
	w := csv.NewWriter(&text)
	names := t.columnNames()
	rows := [][]string{names}
	for _, example := range t.examples {
		row := make([]string, len(names))
		for i, name := range names {
			row[i] = example[name]
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	shape := lookup.Shape{Key: t.shape.Key, Columns: t.shape.Columns}
	rowsOf, err := lookup.Load(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text.String())), nil }, shape)
	if at, is := errors.AsType[*lookup.Error](err); is {
		return nil, LoadError{File: t.File, Line: t.examined.Line, Column: t.examined.Column, Message: at.Message}
	}
	return rowsOf, err
}

// CheckTables reads the tables of the library's own folder with their data.
func (l *Library) CheckTables() (failures LoadErrors) {
	own, _ := l.Own()
	names, err := tablesIn(own)
	if err != nil {
		return MistakesIn(FolderOfTables, err)
	}
	data, err := fs.Glob(own, FolderOfTables+"/*.csv")
	if err != nil {
		return MistakesIn(FolderOfTables, err)
	}
	for _, file := range data {
		name := strings.TrimSuffix(path.Base(file), ".csv")
		switch declared := strings.TrimSuffix(file, ".csv") + ".yaml"; {
		case !exists(l.fsys, declared):
			failures = append(failures, LoadError{File: file, Line: 1, Column: 1, Message: fmt.Sprintf("nothing says what this data is: declare it in %s", declared)})
		case !slices.Contains(names, name): // the data alone is the folder's own
			names = append(names, name)
		}
	}
	for _, name := range names {
		t, err := l.Table(name)
		if err == nil {
			_, err = t.data()
		}
		if err == nil {
			_, err = t.tried()
		}
		if err != nil {
			failures = append(failures, MistakesIn(path.Join(FolderOfTables, name+".yaml"), err)...)
		}
	}
	return failures
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return err == nil
}

// lookUp finds the tables of the library for expressions.
func (l *Library) lookUp(name string) (*lookup.Table, error) {
	return l.rowsOf(name, func(t *LookupTable) (*lookup.Table, error) { return t.data() })
}

// tryUp finds those that the examples of rules are tried with.
func (l *Library) tryUp(name string) (*lookup.Table, error) {
	return l.rowsOf(name, func(t *LookupTable) (*lookup.Table, error) { return t.tried() })
}

// rowsOf are rows of a table. The check reports all mistakes of the table at their places;
// whoever asks the table gets the first.
func (l *Library) rowsOf(name string, rows func(*LookupTable) (*lookup.Table, error)) (*lookup.Table, error) {
	t, err := l.Table(name)
	if t == nil {
		return nil, err
	}
	found, err := rows(t)
	if err != nil {
		return nil, MistakesIn(t.File, err)[0]
	}
	return found, nil
}

// Tables are the names of the tables that a rule looks rows up in.
func (r *Rule) Tables() (names []string) {
	r.eachExpression(func(text string) {
		names = append(names, firstArguments(text, "lookup")...)
	})
	return names
}

// Tables are the names of the tables that the rules look rows up in, sorted.
func (s *Ruleset) Tables() (names []string) {
	for _, r := range s.Rules {
		names = append(names, r.Tables()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Tables are the names of the tables that the rules of the validator look rows up in, sorted.
func (v *Validator) Tables() []string { return v.tables() }

func tablesOfAll(rulesets []*Ruleset) (names []string) {
	for _, s := range rulesets {
		names = append(names, s.Tables()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
