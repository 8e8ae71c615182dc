package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"einvoice/model/quote"
	"einvoice/server/held"
)

// The states of a message.
const (
	Expected  = "expected" // what it is about has not ended
	Waiting   = "waiting"  // to be sent, or to be sent again
	Delivered = "delivered"
	GivenUp   = "given-up"
)

// A Message is one that is kept until it was taken.
type Message struct {
	ID       string          `json:"id"` // the same each time that it is sent
	URL      string          `json:"url"`
	State    string          `json:"state"`
	Body     json.RawMessage `json:"body,omitempty"`
	Attempts int             `json:"attempts"`
	Next     time.Time       `json:"next,omitzero"`
	Error    string          `json:"error,omitempty"` // of the last attempt
}

// delays are those after each attempt that failed, of which the last one ends it: about three
// days together, as Standard Webhooks recommends.
var delays = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

const (
	patience    = 15 * time.Second // with one attempt
	mostAtOnce  = 4                // attempts
	mostAnswer  = 64 << 10         // bytes that are read of an answer
	longestWait = 24 * time.Hour   // that an answer may ask for
)

// A Sender sends messages, each until it is taken, also after a restart.
type Sender struct {
	folder  string
	secrets string
	hosts   *Hosts
	client  *http.Client
	log     *slog.Logger
	// Count is told how each attempt ended: delivered, failed, or given-up; may be nil.
	Count func(outcome string)

	mu      sync.Mutex
	waiting map[string]Message // by the subject
	over    map[string]bool    // subjects whose messages are not sent any more; of look
	news    chan struct{}
}

// New has the messages of a folder sent to some hosts, signed with the secrets of a file.
func New(folder string, hosts []string, secrets string, log *slog.Logger) (*Sender, error) {
	allowed, err := ParseHosts(hosts)
	if err != nil {
		return nil, err
	}
	if _, err := readSecrets(secrets); err != nil {
		return nil, fmt.Errorf("the secrets of webhooks: %w", err)
	}
	s := &Sender{folder: folder, secrets: secrets, hosts: allowed, log: log, waiting: map[string]Message{}, over: map[string]bool{}, news: make(chan struct{}, 1)}
	s.client = &http.Client{
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{ // without a proxy, which would look up names itself
			DialContext:            (&net.Dialer{Timeout: patience, Control: allowed.control}).DialContext,
			DisableKeepAlives:      true,
			TLSHandshakeTimeout:    patience,
			MaxResponseHeaderBytes: mostAnswer,
		},
	}
	s.look()
	return s, nil
}

// Check reports why no message may go to an address of the web.
func (s *Sender) Check(url string) error { return s.hosts.Check(url) }

// Expect keeps a message about a subject, a file's name, which Tell sends.
func (s *Sender) Expect(subject, url string) error {
	return s.keep(subject, &Message{ID: "msg_" + rand.Text(), URL: url, State: Expected})
}

// About is the message about a subject; nil if there is none.
func (s *Sender) About(subject string) (*Message, error) {
	data, err := os.ReadFile(s.path(subject))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &Message{}
	return m, json.Unmarshal(data, m)
}

func (s *Sender) path(subject string) string { return filepath.Join(s.folder, subject+".json") }

// keep writes a message so that it lasts.
func (s *Sender) keep(subject string, m *Message) error {
	data, err := json.Marshal(m)
	if err == nil {
		err = os.MkdirAll(s.folder, 0o700)
	}
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.folder, "*.part")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), s.path(subject))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Tell has the message about a subject sent, if one is expected.
func (s *Sender) Tell(subject string, body any) error {
	m, err := s.About(subject)
	if err != nil || m == nil || m.State != Expected {
		return err
	}
	if m.Body, err = json.Marshal(body); err != nil {
		return err
	}
	m.State = Waiting
	if err := s.keep(subject, m); err != nil {
		return err
	}
	s.wait(subject, m)
	return nil
}

func (s *Sender) wait(subject string, m *Message) {
	s.mu.Lock()
	s.waiting[subject] = *m
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// Run sends messages until ctx ends. What is not taken by then is sent after the next start.
func (s *Sender) Run(ctx context.Context) {
	var sending sync.WaitGroup
	defer sending.Wait()
	places, looked := make(chan struct{}, mostAtOnce), time.Now()
	for {
		subject, m, after := s.next()
		if subject == "" || after > 0 {
			if subject == "" || after > lookAgain {
				after = lookAgain
			}
			select {
			case <-ctx.Done():
				return
			case <-s.news:
			case <-time.After(after):
			}
			if time.Since(looked) >= lookAgain {
				s.look()
				looked = time.Now()
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case places <- struct{}{}:
		}
		s.mu.Lock()
		delete(s.waiting, subject)
		s.mu.Unlock()
		sending.Go(func() {
			defer func() { <-places }()
			s.attempt(ctx, subject, &m)
		})
	}
}

// lookAgain is after what time messages are looked for that another sender has left.
var lookAgain = time.Minute

// look finds what was not taken before the last end, and what another sender over the folder has
// left since, as where one server replaces another.
func (s *Sender) look() {
	left, _ := filepath.Glob(filepath.Join(s.folder, "*.part"))
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Hour { // else it is being written
			_ = os.Remove(path)
		}
	}
	names, _ := filepath.Glob(filepath.Join(s.folder, "*.json"))
	for _, name := range names {
		subject := strings.TrimSuffix(filepath.Base(name), ".json")
		s.mu.Lock()
		_, known := s.waiting[subject]
		s.mu.Unlock()
		if known || s.over[subject] {
			continue
		}
		m, err := s.About(subject)
		if err != nil {
			s.log.Error("webhook not read", "about", subject, "error", err.Error())
			continue
		}
		if m != nil && m.State == Waiting {
			s.wait(subject, m)
		}
		s.over[subject] = m != nil && (m.State == Delivered || m.State == GivenUp)
	}
}

// next is the message that is due first, and after how long.
func (s *Sender) next() (subject string, m Message, after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, one := range s.waiting {
		if subject == "" || one.Next.Before(m.Next) {
			subject, m = name, one
		}
	}
	return subject, m, time.Until(m.Next)
}

// attempt sends a message once, unless another sender does, or has just done so.
func (s *Sender) attempt(ctx context.Context, subject string, m *Message) {
	release, free, err := held.Try(s.path(subject) + ".held")
	if err == nil {
		if !free {
			return // what is left of it is found when it is looked for again
		}
		defer release()
	}
	if now, err := s.About(subject); err == nil && now != nil {
		if now.State != Waiting {
			return
		}
		if now.Attempts != m.Attempts {
			s.wait(subject, now)
			return
		}
	}
	m.Attempts++
	wait, final, err := s.send(ctx, m)
	if ctx.Err() != nil {
		return // it is sent again after the next start
	}
	switch {
	case err == nil:
		m.State, m.Error, m.Next = Delivered, "", time.Time{}
		s.count("delivered")
	case final || m.Attempts > len(delays):
		m.State, m.Error, m.Next = GivenUp, err.Error(), time.Time{}
		s.count("given-up")
		s.log.Error("webhook given up", "about", subject, "attempts", m.Attempts, "error", err.Error())
	default:
		delay := delays[m.Attempts-1]
		delay += time.Duration(mathrand.Int64N(int64(delay)/10 + 1)) // so that receivers are not met by all at once
		m.Error, m.Next = err.Error(), time.Now().Add(max(delay, wait))
		s.count("failed")
		s.log.Warn("webhook not taken", "about", subject, "attempts", m.Attempts, "again", m.Next, "error", err.Error())
	}
	if err := s.keep(subject, m); err != nil {
		s.log.Error("webhook not kept", "about", subject, "error", err.Error())
	}
	if m.State == Waiting {
		s.wait(subject, m)
		return
	}
	_ = os.Remove(s.path(subject) + ".held") // at worst it stays
}

func (s *Sender) count(outcome string) {
	if s.Count != nil {
		s.Count(outcome)
	}
}

// send posts a message. The error is final where sending it again is of no use; wait is how long
// the receiver asks to be left alone.
func (s *Sender) send(ctx context.Context, m *Message) (wait time.Duration, final bool, err error) {
	if err := s.hosts.Check(m.URL); err != nil { // the setting may have changed since
		return 0, true, err
	}
	secrets, err := readSecrets(s.secrets)
	if err != nil {
		s.log.Error("webhook not signed", "error", err.Error())
		return 0, false, errors.New("the server cannot sign the message; its log says why")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return 0, true, err
	}
	now := time.Now()
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "einvoice",
		"webhook-id": m.ID, "webhook-timestamp": strconv.FormatInt(now.Unix(), 10), "webhook-signature": signatures(secrets, m.ID, now, m.Body),
	} {
		request.Header.Set(name, value)
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, false, fmt.Errorf("no answer from %s: %w", request.URL.Host, quote.WithoutURL(err))
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostAnswer))
	_ = answer.Body.Close()
	switch {
	case answer.StatusCode/100 == 2:
		return 0, false, nil
	case answer.StatusCode == http.StatusGone:
		return 0, true, errors.New("the receiver answered 410: it wants no more")
	case answer.StatusCode/100 == 3:
		return 0, false, fmt.Errorf("the receiver answered %d; redirects are not followed", answer.StatusCode)
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // of another form: the usual delay
	return min(time.Duration(max(seconds, 0))*time.Second, longestWait), false, fmt.Errorf("the receiver answered %d", answer.StatusCode)
}
