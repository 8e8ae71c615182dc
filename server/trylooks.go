package server

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net/http"
	"time"

	"einvoice/model/problem"
	"einvoice/server/confine"
	"einvoice/service/render"
)

// looksTime is how long trying a folder of looks may take.
const looksTime = 30 * time.Second

// A triedLooks is what a process found out of a folder of looks.
type triedLooks struct {
	Files                          map[string][]byte
	Code, Message, Remedy, Mistake string
}

// tryLooks has a process try the looks of a folder: a logo or a font may end it, or take its time
// and memory, and not those of the service.
func (s *Server) tryLooks(folder string) (map[string][]byte, error) {
	pool := confine.New(confine.Options{
		Command: s.config.Process,
		Setup: func() ([]byte, error) {
			var out bytes.Buffer
			err := gob.NewEncoder(&out).Encode(setup{Config: s.config, TryLooks: folder})
			return out.Bytes(), err
		},
	})
	defer pool.Close()
	ctx, cancel := context.WithTimeout(context.Background(), looksTime)
	defer cancel()
	visit := s.admission.Job()
	defer visit.Leave()
	owner := &ownerOf{visit: visit, leave: withoutPlace, memory: s.memory}
	defer owner.over()
	reply, err := pool.Do(ctx, &confine.Call{Time: looksTime}, owner)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("trying the looks took longer than %s", looksTime)
	case err != nil:
		return nil, fmt.Errorf("trying the looks: %w", err)
	}
	var tried triedLooks
	if err := gob.NewDecoder(bytes.NewReader(reply.Body)).Decode(&tried); err != nil {
		return nil, fmt.Errorf("the answer of a process: %w", err)
	}
	switch {
	case tried.Code != "":
		return nil, &problem.Error{Code: tried.Code, Message: tried.Message, Remedy: tried.Remedy}
	case tried.Mistake != "":
		return nil, errors.New(tried.Mistake)
	}
	return tried.Files, nil
}

// triesLooks is what such a process does.
func triesLooks(folder string) confine.Handler {
	return func(context.Context, *confine.Call, confine.Owner) *confine.Reply {
		var tried triedLooks
		files, err := render.TryLooks(folder)
		told, isProblem := errors.AsType[*problem.Error](err)
		switch {
		case isProblem:
			tried.Code, tried.Message, tried.Remedy = told.Code, told.Message, told.Remedy
		case err != nil:
			tried.Mistake = err.Error()
		default:
			tried.Files = files
		}
		var body bytes.Buffer
		if err := gob.NewEncoder(&body).Encode(tried); err != nil {
			return &confine.Reply{Status: http.StatusInternalServerError}
		}
		return &confine.Reply{Status: http.StatusOK, Body: body.Bytes()}
	}
}
