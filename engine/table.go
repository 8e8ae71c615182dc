package engine

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model"

	"gopkg.in/yaml.v3"
)

// A table holds the many rules that only say where something may be in the
// source document: one row a rule, an id and a path. Message and text follow
// from the table's kind.
//
//	tables:
//	  - kind: absent
//	    on: ubl
//	    level: warning
//	    context: /*
//	    rows:
//	      UBL-CR-003: cbc:ProfileExecutionID
//
// Where many contexts have few rows each, contexts lists the rows by paths below
// the table's context, which is then optional.
//
//	  - kind: exactlyOnce
//	    on: cii
//	    level: fatal
//	    context: /rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction
//	    contexts:
//	      ram:ApplicableHeaderTradeSettlement: {FX-SCH-A-000038: ram:InvoiceCurrencyCode}

func (f *ruleFile) readTables(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		f.fail(n, "tables must be a list")
		return
	}
	for block := range f.items(n) {
		f.readTable(block)
	}
}

// A tableHead is what the rows of a table share.
type tableHead struct {
	kind                    RowKind
	level                   Level
	on                      model.Syntax
	context, except, silent string
	list                    string
	codes                   []string
}

func (f *ruleFile) readTable(n *yaml.Node) {
	var t tableHead
	var rows, contexts *yaml.Node
	known := f.mapping(n, "a table", func(key string, value *yaml.Node) bool {
		switch key {
		case "kind":
			t.kind = RowKind(f.scalar(value))
			if !slices.Contains(rowKinds, t.kind) {
				f.fail(value, "unknown kind %q: use one of %s", t.kind, join(rowKinds))
			}
		case "level":
			t.level = f.level(value)
		case "on":
			t.on = f.syntax(value)
		case "context":
			t.context = f.scalar(value)
		case "except":
			t.except = f.scalar(value)
		case "neverFires":
			t.silent = f.scalar(value)
		case "list":
			t.list = f.scalar(value)
		case "codes":
			t.codes = strings.Fields(f.scalar(value))
		case "rows":
			rows = value
		case "contexts":
			contexts = value
		default:
			return false
		}
		return true
	})
	if n.Kind != yaml.MappingNode {
		return
	}
	switch {
	case !known:
	case t.kind == "" || t.level == "" || t.on == "":
		f.fail(n, "a table needs kind, level and on")
	case (rows == nil) == (contexts == nil):
		f.fail(n, "a table needs rows or contexts, one of them")
	case rows != nil && t.context == "":
		f.fail(n, "rows need a context")
	case contexts != nil && strings.Contains(t.context, "|"):
		f.fail(n, "contexts can be below one context only")
	case (t.kind == RowCode) != (t.list != "" || t.codes != nil) || t.list != "" && t.codes != nil:
		f.fail(n, "a table of kind code, and no other, needs list or codes, one of them")
	case rows != nil:
		where := ""
		if t.context != "/*" {
			where = t.context
		}
		f.readRows(rows, t, where)
	default:
		f.mapping(contexts, "the contexts of a table", func(path string, rows *yaml.Node) bool {
			f.growth.take(nodeGrown + len(t.context))
			if f.ends(rows) {
				return true
			}
			t := t
			where := path
			if t.context != "" {
				where = t.context[strings.LastIndexByte(t.context, '/')+1:]
				if path != "." {
					where += "/" + path
					t.context += "/" + path
				}
			} else {
				t.context = path
			}
			f.readRows(rows, t, where)
			return true
		})
	}
}

// readRows reads rows of one context, "" for the document.
func (f *ruleFile) readRows(rows *yaml.Node, t tableHead, where string) {
	if !strings.Contains(where, "|") { // of several paths, none is without its slash
		where = strings.TrimLeft(where, "/")
	}
	inContext := ""
	if where != "" {
		inContext = " in " + where
	}
	f.mapping(rows, "the rows of a table", func(id string, path *yaml.Node) bool {
		r := &Rule{
			ID: id, Level: t.level, On: t.on, Context: located(t.context, path), BTCodes: located([]string{}, path), NeverFires: t.silent,
			file: f.name, Node: path,
		}
		r.Row = &Row{Kind: t.kind, Path: f.scalar(path), Rule: r, where: where, except: t.except, list: t.list, codes: t.codes}
		words, codes := RowWords[t.kind], "a code of the list "+t.list
		if t.codes != nil {
			codes = strings.Join(t.codes, " or ")
		}
		f.growth.take(nodeGrown + 2*(len(where)+len(codes)))
		if f.ends(path) {
			return true
		}
		r.Text = fmt.Sprintf(words[0], r.Row.Path, inContext, codes)
		r.Message = located(fmt.Sprintf(words[1], r.Row.Path, inContext, codes), path)
		f.rules = append(f.rules, r)
		return true
	})
}
