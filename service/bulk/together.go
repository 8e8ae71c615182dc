package bulk

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"einvoice/model"
	"einvoice/model/problem"
)

// The documents of a job are compared with each other once all of them are done. What is kept
// of each document (Columns) is sorted by seller and number, so that those that have to do
// with each other are neighbours, and what was found of each is sorted by its place in the
// manifest: two sorts with bounded memory, and no index of all documents.

// A Togetherness is an operation whose job also holds documents against each other.
type Togetherness interface {
	Operation
	// HasTogether reports whether this job does.
	HasTogether() bool
	// Together appends the line of a document with its findings among the others; nothing
	// where it has none.
	Together(ctx context.Context, line []byte, key string, entry *model.BatchEntry) ([]byte, Outcome, error)
}

// Columns are what is kept of an invoice to be compared with others.
type Columns struct {
	Seller    string   `json:"seller,omitempty"`
	Number    string   `json:"number,omitempty"`
	Date      string   `json:"date,omitempty"`
	Type      string   `json:"type,omitempty"`
	Currency  string   `json:"currency,omitempty"`
	Amount    string   `json:"amount,omitempty"`
	Preceding []string `json:"preceding,omitempty"`
}

// Bounds of what is kept of a document.
const (
	mostPreceding  = 100
	longestColumn  = 200
	mostNeighbours = 100 // of a document that rules see
)

// columnsOf are what is kept of an invoice.
func columnsOf(inv *model.Invoice) *Columns {
	c := &Columns{Number: column(inv.Number.Raw), Date: column(inv.IssueDate.Raw), Type: column(inv.TypeCode.Raw), Currency: column(inv.CurrencyCode.Raw)}
	if inv.IssueDate.Valid {
		c.Date = inv.IssueDate.ISO()
	}
	if inv.Totals != nil {
		c.Amount = column(inv.Totals.TotalAmountWithVat.Raw)
	}
	c.Seller = sellerOf(inv.Seller)
	for i := range inv.PrecedingInvoices {
		if i == mostPreceding {
			break
		}
		c.Preceding = append(c.Preceding, column(inv.PrecedingInvoices[i].Reference.Raw))
	}
	return c
}

// sellerOf is what identifies a seller, with its kind before it: identifiers are written with
// and without blanks and in capitals or not.
func sellerOf(s *model.Seller) string {
	if s == nil {
		return ""
	}
	legal, address := "", ""
	if s.LegalRegistration != nil {
		legal = s.LegalRegistration.Identifier.Raw
	}
	if s.ElectronicAddress != nil {
		address = s.ElectronicAddress.Identifier.Raw
	}
	for _, of := range [][2]string{{"vat", s.VatIdentifier.Raw}, {"tax", s.TaxRegistrationIdentifier.Raw}, {"legal", legal}, {"endpoint", address}, {"name", s.Name.Raw}} {
		if id := column(strings.ToUpper(strings.Join(strings.Fields(of[1]), ""))); id != "" {
			return of[0] + ":" + id
		}
	}
	return ""
}

// column is a text without white space around it. A long one has its hash in place of its end,
// so that two that differ stay different. It is a copy: a part of a document would keep that in
// memory.
func column(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= longestColumn {
		return strings.Clone(text)
	}
	sum := sha256.Sum256([]byte(text))
	return strings.ToValidUTF8(text[:longestColumn-2*len(sum)], "") + hex.EncodeToString(sum[:])
}

// TogetherFile has the findings of documents among the others, and togetherCounts what is
// counted of them.
const (
	TogetherFile   = "together.jsonl"
	togetherCounts = "together.json"
)

// TogetherCounts is what is counted of documents compared with each other.
type TogetherCounts struct {
	Documents int                  `json:"documents"` // with findings
	Fatal     int                  `json:"fatal"`     // of these, with errors
	Findings  int                  `json:"findings"`
	Rules     map[string]RuleCount `json:"rules"`
}

// A neighbour is a document as those see it that have to do with it.
type neighbour struct {
	place uint64
	File  string
	Columns
}

func (n *neighbour) columns() model.BatchColumns {
	text := func(s string) (t model.Text) {
		if s != "" {
			t = model.NewText(s)
		}
		return t
	}
	out := model.BatchColumns{File: text(n.File), Number: text(n.Number), TypeCode: text(n.Type), Currency: text(n.Currency)}
	if _, id, found := strings.Cut(n.Seller, ":"); found {
		out.Seller = text(id)
	}
	if n.Date != "" {
		out.IssueDate = model.NewDate(n.Date)
	}
	if n.Amount != "" {
		out.Amount = model.NewNumber(n.Amount)
	}
	return out
}

// comparesTogether reports whether an operation compares the documents with each other.
func comparesTogether(o Operation) bool {
	t, can := o.(Togetherness)
	return can && t.HasTogether()
}

// together holds the documents of a finished job against each other, unless that was done.
func (j *Job) together(ctx context.Context) error {
	if !comparesTogether(j.operation) {
		return nil
	}
	if done, err := j.target.Has(ctx, togetherCounts); done || err != nil {
		return err
	}
	t := &togetherPass{job: j, operation: j.operation.(Togetherness), counts: TogetherCounts{Rules: map[string]RuleCount{}}}
	t.alike, t.found = &spill{work: j.target.Work()}, &spill{work: j.target.Work()}
	t.groups.work = j.target.Work()
	defer t.close()
	if err := t.gather(ctx); err != nil {
		return err
	}
	if err := t.relate(ctx); err != nil {
		return err
	}
	return t.judge(ctx)
}

// A togetherPass is one time that documents are compared with each other.
type togetherPass struct {
	job       *Job
	operation Togetherness
	alike     *spill // documents and references, by seller and number
	found     *spill // groups that a document has to do with, by its place
	groups    groupFile
	counts    TogetherCounts
}

func (t *togetherPass) close() {
	t.alike.close()
	t.found.close()
	t.groups.close()
}

// documents gives what is kept of each document, in the order of the manifest.
func (t *togetherPass) documents(ctx context.Context, yield func(place uint64, key string, c *Columns) error) error {
	place := uint64(0)
	return t.job.batches(ctx, func(b *Batch) error {
		_, rows, err := readIndex(ctx, t.job.target, b.Number, true)
		if err != nil {
			return err
		}
		for i := range rows {
			if place++; rows[i].Columns == nil || i >= len(b.Entries) {
				continue
			}
			if err := yield(place, b.Entries[i].named(), rows[i].Columns); err != nil {
				return err
			}
		}
		return nil
	})
}

const (
	isDocument  = 0
	isReference = 1
)

// gather sorts documents, and the preceding invoices that they name, by seller and number. A
// document without a seller or a number is like no other.
func (t *togetherPass) gather(ctx context.Context) error {
	var record []byte
	begin := func(seller, number string, kind byte, place uint64) {
		record = append(append(append(append(record[:0], seller...), 0), number...), 0, kind)
		record = binary.BigEndian.AppendUint64(record, place)
	}
	return t.documents(ctx, func(place uint64, key string, c *Columns) error {
		if c.Seller == "" {
			return nil
		}
		if c.Number != "" {
			begin(c.Seller, c.Number, isDocument, place)
			text, err := json.Marshal(neighbour{File: key, Columns: Columns{Date: c.Date, Type: c.Type, Currency: c.Currency, Amount: c.Amount}})
			if err == nil {
				err = t.alike.add(append(record, text...))
			}
			if err != nil {
				return err
			}
		}
		for i, number := range c.Preceding {
			if number == "" {
				continue
			}
			begin(c.Seller, number, isReference, place)
			if err := t.alike.add(append(record, byte(i))); err != nil {
				return err
			}
		}
		return nil
	})
}

// A relation is that a document has to do with a group: as one of it, or by a reference.
const relationBytes = 8 + 2 + 8 + 4 + 8

// relate finds the groups, and notes for each document which it has to do with.
func (t *togetherPass) relate(ctx context.Context) error {
	var group []byte // seller, number
	var members []uint64
	var first [][]byte // the first documents of the group, one more than a document sees
	var at, length, noted uint64
	note := func(place uint64, kind, which byte) error {
		r := binary.BigEndian.AppendUint64(make([]byte, 0, relationBytes), place)
		r = append(r, kind, which)
		r = binary.BigEndian.AppendUint64(r, at)
		r = binary.BigEndian.AppendUint32(r, uint32(length)) //nolint:gosec // a hundred documents
		return t.found.add(binary.BigEndian.AppendUint64(r, uint64(len(members))))
	}
	// write writes the documents of the group, once, as soon as something has to do with them.
	write := func() (err error) {
		if noted == uint64(len(members)) {
			return nil
		}
		noted = uint64(len(members))
		at, length, err = t.groups.write(first)
		return err
	}
	end := func() error {
		if len(members) < 2 {
			return nil
		}
		if err := write(); err != nil {
			return err
		}
		for _, place := range members {
			if err := note(place, isDocument, 0); err != nil {
				return err
			}
		}
		return nil
	}
	err := t.alike.each(func(record []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		head := len(record)
		for zeros, i := 0, 0; i < len(record); i++ {
			if record[i] == 0 {
				if zeros++; zeros == 2 {
					head = i + 1
					break
				}
			}
		}
		rest := record[head:]
		if string(record[:head]) != string(group) {
			if err := end(); err != nil {
				return err
			}
			group, members, first, noted = append(group[:0], record[:head]...), members[:0], first[:0], 0
		}
		place := binary.BigEndian.Uint64(rest[1:])
		if rest[0] == isDocument {
			if members = append(members, place); len(first) <= mostNeighbours {
				first = append(first, append([]byte{}, rest[1:]...))
			}
			return nil
		}
		if len(members) == 0 {
			return nil
		}
		if err := write(); err != nil {
			return err
		}
		return note(place, isReference, rest[9])
	})
	if err != nil {
		return err
	}
	return end()
}

// judge asks the rules of each document, with the documents that it has to do with.
func (t *togetherPass) judge(ctx context.Context) error {
	next, err := t.found.pull()
	if err != nil {
		return err
	}
	out, err := t.job.target.Create(ctx, TogetherFile)
	if err != nil {
		return err
	}
	relation, err := next()
	if err != nil {
		return errors.Join(err, out.Close())
	}
	var line []byte
	err = t.documents(ctx, func(place uint64, key string, c *Columns) error {
		self := neighbour{place: place, File: key, Columns: *c}
		entry := &model.BatchEntry{BatchColumns: self.columns(), OthersFound: model.NewNumber("0")}
		for _, number := range c.Preceding {
			entry.Preceding = append(entry.Preceding, model.BatchReference{Number: model.NewText(number)})
		}
		for relation != nil && binary.BigEndian.Uint64(relation) <= place {
			if binary.BigEndian.Uint64(relation) == place {
				if err := t.add(entry, place, relation, c); err != nil {
					return err
				}
			}
			var err error
			if relation, err = next(); err != nil {
				return err
			}
		}
		var outcome Outcome
		var err error
		if line, outcome, err = t.operation.Together(ctx, line[:0], key, entry); err != nil {
			return err
		}
		t.count(&outcome)
		_, err = out.Write(line)
		return err
	})
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	text, err := json.Marshal(t.counts)
	if err != nil {
		return err
	}
	return t.job.target.Write(ctx, File{togetherCounts, append(text, '\n')})
}

// add gives a document what a relation says of it.
func (t *togetherPass) add(entry *model.BatchEntry, place uint64, relation []byte, c *Columns) error {
	kind, which := relation[8], int(relation[9])
	members := binary.BigEndian.Uint64(relation[22:])
	group, err := t.groups.read(binary.BigEndian.Uint64(relation[10:]), binary.BigEndian.Uint32(relation[18:]))
	if err != nil {
		return err
	}
	var documents []model.BatchDocument
	for i := range group {
		if group[i].place == place || len(documents) == mostNeighbours {
			continue
		}
		n := group[i]
		n.Seller, n.Number = c.Seller, c.Number
		if kind == isReference {
			n.Number = c.Preceding[which]
		}
		documents = append(documents, model.BatchDocument{BatchColumns: n.columns()})
	}
	if kind == isReference {
		entry.Preceding[which].Found = documents
		return nil
	}
	entry.Others, entry.OthersFound = documents, model.NewNumber(strconv.FormatUint(members-1, 10))
	return nil
}

func (t *togetherPass) count(o *Outcome) {
	if o.Findings == 0 {
		return
	}
	t.counts.Documents++
	t.counts.Findings += o.Findings
	if o.Verdict == Invalid {
		t.counts.Fatal++
	}
	for id, n := range o.Rules {
		c := t.counts.Rules[id]
		t.counts.Rules[id] = RuleCount{Level: n.Level, Findings: c.Findings + n.Findings, Documents: c.Documents + 1}
	}
}

// Together writes what the documents of a job have to do with each other, as JSON Lines.
func Together(ctx context.Context, t Target, w io.Writer) error {
	if _, err := existing(ctx, t); err != nil {
		return err
	}
	f, err := t.Open(ctx, TogetherFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &problem.Error{Code: problem.CodeOption, Message: "the documents of the job in " + t.String() + " were not compared with each other", Remedy: "run it with --batch, to its end"}
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}
