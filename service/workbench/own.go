package workbench

import (
	"context"
	"fmt"
	"io/fs"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/service/operation"
)

// mostOwnBytes bounds the rules of a service's own that are handed to the program in a
// browser.
const mostOwnBytes = 8 << 20

// OwnRequest asks for the rules of the service's own.
type OwnRequest struct {
	// OnlyRules leaves out the files: whoever has them asks whether they are still those in force.
	OnlyRules bool `json:"onlyRules"`
}

// Own are the rules that a service has beside those of the program: with them the program in a
// browser decides as the service does.
type Own struct {
	Files map[string]string `json:"files"` // texts by their paths in the folder of rulesets
	Usual []string          `json:"usual"` // overlays that apply where none are chosen
	// Always are the overlays that no request leaves out.
	Always []string `json:"always"`
	Rules  string   `json:"rules"` // tells these from others
}

// HasOwn reports whether documents are judged by anything that the program does not bring along.
func (d *Desk) HasOwn() bool { return d.own != nil || len(d.usual) > 0 }

func (d *Desk) ownRules(_ context.Context, r *OwnRequest) (*Own, error) {
	out := &Own{Files: map[string]string{}, Usual: append([]string{}, d.usual...), Always: append([]string{}, d.always...), Rules: d.rulesInForce()}
	if d.own == nil || r.OnlyRules {
		return out, nil
	}
	total := 0
	return out, engine.EachFile(d.own, func(name string) error {
		if !engine.IsRuleFile(name) || engine.IsTableData(name) { // the rows stay with the service
			return nil
		}
		data, err := fs.ReadFile(d.own, name)
		if err != nil {
			return err
		}
		if total += len(data); total > mostOwnBytes {
			return &problem.Error{Code: problem.CodeOption, Message: fmt.Sprintf("the rules of this service have more than %d bytes", mostOwnBytes), Remedy: "ask the service itself"}
		}
		out.Files[name] = string(data)
		return nil
	})
}

// Use is a Desk over the rules of a service's own, which that service has checked.
func (d *Desk) Use(own *Own) (*Desk, error) {
	for name := range own.Files {
		if engine.KindOf(name) == engine.FileOfTable {
			return nil, &problem.Error{Code: problem.CodeOption, Message: "the rules of this service look rows up in tables, which stay with it", Remedy: "ask the service itself"}
		}
	}
	folder := folderOf(own.Files)
	library, err := engine.Open(engine.Layered(folder, d.base))
	if err != nil {
		return nil, err
	}
	return New(operation.New(library, d.config), Config{Service: d.config, Overlays: own.Usual, Mandatory: own.Always, Own: folder}), nil
}
