package nats

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"einvoice/formats/filekind"
	"einvoice/model/problem"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
	"einvoice/service/watch"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// lineWait is how long a process may be silent before its documents are given to another.
	lineWait = 10 * time.Second
	// silence is how long a line waits for a cluster that gives no answer.
	silence = 2 * time.Minute
	// oneTurn is how many messages are taken before other sources have their turn.
	oneTurn = 256
	// errWrongLast is NATS' code of a message that was to be the first of its subject, and is not.
	errWrongLast = 10071
	// headRoom is how many bytes of a message are left for its headers.
	headRoom = 4 << 10
)

// The headers of a result.
const (
	headerDocument = "Einvoice-Document" // stream and number of the message that was judged
	headerSubject  = "Einvoice-Subject"  // of that message
	headerSHA256   = "Einvoice-Sha256"
	headerRules    = "Einvoice-Rules" // digest of rules, options and program
	headerAgain    = "Einvoice-Again" // of a note: the document was given up, and has another result since
)

// A Subject is where a line takes documents from, or publishes results to.
type Subject struct {
	URL  string // of one server or several, comma-separated
	Name string
	Wait time.Duration // how long a process may be silent; ten seconds without it

	conn   *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream
	info   *jetstream.StreamInfo
}

// String is the subject.
func (s *Subject) String() string { return "nats:" + s.Name }

// connect finds the stream of a subject.
func (s *Subject) connect(ctx context.Context, example string) (over func() error, err error) {
	s.conn, err = nats.Connect(s.URL, nats.Name("einvoice watch"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // whoever asks is told
	if err != nil {
		return nil, failed(err)
	}
	over = func() error { s.conn.Close(); return nil }
	if s.js, err = jetstream.New(s.conn); err != nil {
		return nil, errors.Join(failed(err), over())
	}
	err = patiently(ctx, func(ctx context.Context) error {
		name, err := s.js.StreamNameBySubject(ctx, example)
		if err == nil {
			s.stream, err = s.js.Stream(ctx, name)
		}
		if err == nil {
			s.info, err = s.stream.Info(ctx)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = &problem.Error{Code: watch.CodeSource, Message: "no stream of this NATS has the subject " + example, Remedy: "make one, such as nats stream add NAME --subjects=" + strings.TrimSuffix(example, ".valid.x") + ".>", Cause: err}
	} else if err != nil {
		err = failed(err)
	}
	if err != nil {
		return nil, errors.Join(err, over())
	}
	return over, nil
}

// patiently asks again while a cluster gives no answer, for a while.
func patiently(ctx context.Context, ask func(context.Context) error) error {
	for began := time.Now(); ; {
		asking, cancel := context.WithTimeout(ctx, patience)
		err := ask(asking)
		cancel()
		if err == nil || !isSilent(err) || time.Since(began) > silence {
			return err
		}
		if sleep(ctx, patience/10) != nil {
			return err
		}
	}
}

// An In is a subject that documents come from. Several processes may share it that publish to one
// subject: each message is given to one of them, and again to any where that one ended.
type In struct {
	Subject
	consumer jetstream.Consumer
	silent   time.Time // since when there is no answer
}

// Pause is a twentieth of a second: asking costs little.
func (*In) Pause() time.Duration { return 50 * time.Millisecond }

// Open makes the consumer of a target.
func (s *In) Open(ctx context.Context, to watch.Target) (locked context.Context, over func(), left []*watch.Document, err error) {
	ended, err := s.connect(ctx, s.Name)
	if err != nil {
		return nil, nil, nil, err
	}
	name := ""
	switch to := to.(type) {
	case *watch.Stored:
		name, err = to.ID(ctx)
	default:
		sum := sha256.Sum256([]byte(to.String()))
		name = hex.EncodeToString(sum[:12])
		if s.info.Config.Retention != jetstream.LimitsPolicy {
			err = &problem.Error{Code: watch.CodeTarget, Message: "the stream " + s.info.Config.Name + " removes a document that was taken, and " + to.String() + " gets its report alone", Remedy: "have the stream keep its messages (retention limits), or name a folder or a prefix of S3 with --out"}
		}
	}
	if s.Wait == 0 {
		s.Wait = lineWait
	}
	if err == nil {
		err = patiently(ctx, func(ctx context.Context) error {
			durable, err := s.durable(ctx, name)
			if err != nil {
				return err
			}
			s.consumer, err = s.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: durable, FilterSubject: s.Name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.Wait, MaxDeliver: -1, MaxAckPending: -1,
			})
			return err
		})
		if _, known := errors.AsType[*problem.Error](err); err != nil && !known {
			err = failed(err)
		}
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, ended())
	}
	return ctx, func() { _ = ended() }, nil, nil
}

// durable is the name of the consumer of a target: one for each subject, as a stream may have several
// that go to one target. The consumer that was made when there was one for all of them keeps its
// name where it is for this subject.
func (s *In) durable(ctx context.Context, target string) (string, error) {
	former := "einvoice_watch_" + target
	found, err := s.stream.Consumer(ctx, former)
	switch {
	case err == nil && found.CachedInfo().Config.FilterSubject == s.Name:
		return former, nil
	case err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound):
		return "", err
	}
	sum := sha256.Sum256([]byte(s.Name))
	return former + "_" + hex.EncodeToString(sum[:6]), nil
}

// Take takes messages, one for each place that is free.
func (s *In) Take(ctx context.Context, room func() bool, hand func(*watch.Document)) (took, waits int, err error) {
	for took < oneTurn && room() {
		m, err := s.next()
		if err == nil && m == nil {
			hand(nil)
			waits, err = s.waits(ctx)
			return took, waits, err
		}
		if err == nil {
			d, err := s.document(m)
			if hand(d); err != nil {
				return took, waits, err
			}
			s.silent = time.Time{}
			took++
			continue
		}
		hand(nil)
		if s.silent.IsZero() {
			s.silent = time.Now()
		}
		if !isSilent(err) || time.Since(s.silent) > silence {
			return took, waits, failed(err)
		}
		return took, max(waits, 1), nil
	}
	return took, waits, nil
}

func (s *In) next() (jetstream.Msg, error) {
	batch, err := s.consumer.FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	m := <-batch.Messages()
	return m, batch.Error()
}

// waits counts what is not done, by other processes included.
func (s *In) waits(ctx context.Context) (int, error) {
	var info *jetstream.ConsumerInfo
	err := patiently(ctx, func(ctx context.Context) (err error) { info, err = s.consumer.Info(ctx); return err })
	switch {
	case ctx.Err() != nil:
		return 0, nil
	case err != nil:
		return 0, failed(err)
	}
	return int(info.NumPending) + info.NumAckPending, nil
}

// document names a message by its stream and its number. A stream that was removed and made
// again counts from one, so its time is in the name.
func (s *In) document(m jetstream.Msg) (*watch.Document, error) {
	about, err := m.Metadata()
	if err != nil {
		return nil, failed(err)
	}
	name := about.Stream + "-" + strconv.FormatInt(s.info.Created.UnixMilli(), 36) + "-" + strconv.FormatUint(about.Sequence.Stream, 10)
	alive := stayAlive(m, s.Wait)
	return &watch.Document{
		Name: name + endingOf(m.Data()), Source: "nats:" + m.Subject(), Came: about.Timestamp, Deliveries: int(about.NumDelivered),
		Origin: &origin{at: about.Stream + "/" + strconv.FormatUint(about.Sequence.Stream, 10), subject: m.Subject(), data: m.Data(), release: func(ctx context.Context) error {
			err := patiently(ctx, m.DoubleAck)
			alive()
			if err != nil && !errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
				return failed(err)
			}
			return nil
		}},
	}, nil
}

// endingOf is that of a document by its content.
func endingOf(data []byte) string {
	if filekind.IsPDF(data) {
		return ".pdf"
	}
	return ".xml"
}

// An origin is a document in a stream.
type origin struct {
	at, subject string // stream and number, and the subject of it
	data        []byte
	release     func(context.Context) error // says that it has its result, and waits until NATS has heard it
}

func (o *origin) Read(_ context.Context, limit int64) ([]byte, error) {
	if int64(len(o.data)) <= limit {
		return o.data, nil
	}
	return nil, inputfile.TooLarge(int64(len(o.data)), limit)
}

func (o *origin) Open(context.Context) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(o.data)), nil
}

func (o *origin) Release(ctx context.Context) error { return o.release(ctx) }

// An Out is a subject that results are published to: reports alone, on SUBJECT.PLACE.NAME. The
// documents stay in their stream.
type Out struct{ Subject }

// Open finds the stream.
func (s *Out) Open(ctx context.Context) (locked context.Context, over func() error, err error) {
	over, err = s.connect(ctx, s.subject(string(bulk.Valid), "x"))
	return ctx, over, err
}

func (s *Out) subject(place, name string) string {
	return s.Name + "." + place + "." + strings.TrimSuffix(strings.TrimSuffix(name, ".xml"), ".pdf")
}

// begun is the place of notes. Without a header, a note says that the document was begun alone, because
// a process had ended that did it beside others.
const begun = "begun"

// Begun counts what Begin published.
func (s *Out) Begun(ctx context.Context, d *watch.Document) (ends, alone int, err error) {
	if d.Deliveries == 1 {
		return 0, 0, nil
	}
	err = patiently(ctx, func(ctx context.Context) error {
		info, err := s.stream.Info(ctx, jetstream.WithSubjectFilter(s.subject(begun, d.Name)))
		if err == nil {
			alone = int(info.State.Subjects[s.subject(begun, d.Name)])
		}
		return err
	})
	if err != nil {
		err = failed(err)
	}
	return d.Deliveries - 1, alone, err
}

// Begin says that a document is begun alone. A delivery says less: it may have waited for its turn
// when the process ended.
func (s *Out) Begin(ctx context.Context, d *watch.Document, alone bool) error {
	if !alone {
		return nil
	}
	return s.note(ctx, d.Name, false)
}

func (s *Out) note(ctx context.Context, name string, again bool) error {
	m := nats.NewMsg(s.subject(begun, name))
	if again {
		m.Header.Set(headerAgain, "yes")
	}
	err := patiently(ctx, func(ctx context.Context) error {
		_, err := s.js.PublishMsg(ctx, m)
		return err
	})
	if err != nil {
		return failed(err)
	}
	return nil
}

// Reported looks for the result of a document that was begun before. A process may have given it up
// and ended before its source heard so, and another one may have tried it again since: then the
// report is gone that it was given up, and the note is there that was published before. So the note
// is looked for last.
func (s *Out) Reported(ctx context.Context, d *watch.Document) (string, error) {
	if d.Deliveries <= 1 {
		return "", nil
	}
	for _, place := range append(slices.Clone(watch.Places), begun) {
		var m *jetstream.RawStreamMsg
		err := patiently(ctx, func(ctx context.Context) (err error) {
			m, err = s.stream.GetLastMsgForSubject(ctx, s.subject(place, d.Name))
			return err
		})
		switch {
		case err == nil && place != begun:
			return place, nil
		case err == nil && m.Header.Get(headerAgain) != "":
			return watch.Dead, nil
		case err == nil:
			continue
		}
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			return "", failed(err)
		}
	}
	return "", nil
}

// Report publishes a result, which NATS takes once: it knows its name for a while, and its subject
// as long as the result is in the stream.
func (s *Out) Report(ctx context.Context, d *watch.Document, place string, line []byte, rules string) error {
	sum, _, err := d.SHA256(ctx)
	if err != nil {
		return err
	}
	m := nats.NewMsg(s.subject(place, d.Name))
	m.Data = line
	if most := int(s.conn.MaxPayload()) - headRoom; len(line) > most {
		if m.Data, err = tooLong(d.Name, len(line), most); err != nil {
			return err
		}
	}
	if o, is := d.Origin.(*origin); is {
		m.Header.Set(headerDocument, o.at)
		m.Header.Set(headerSubject, o.subject)
	}
	m.Header.Set(headerSHA256, sum)
	m.Header.Set(headerRules, rules)
	err = patiently(ctx, func(ctx context.Context) error {
		_, err := s.js.PublishMsg(ctx, m, jetstream.WithMsgID(d.Name), jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
	if refused, ok := errors.AsType[*jetstream.APIError](err); ok && refused.ErrorCode == errWrongLast {
		return nil // it is there
	}
	if err != nil {
		return failed(err)
	}
	return nil
}

// tooLong is in place of a report that no message can have.
func tooLong(name string, has, most int) ([]byte, error) {
	return json.Marshal(map[string]any{"file": name, "error": map[string]string{
		"code": "WATCH-REPORT", "message": fmt.Sprintf("the report has %d bytes, more than the %d of a message of this NATS", has, most),
		"remedy": "raise max_payload of NATS, or name a folder or a prefix of S3 with --out",
	}})
}

// Finish acknowledges the document.
func (s *Out) Finish(ctx context.Context, d *watch.Document, _ string, _ []byte, _ string) error {
	return d.Origin.Release(ctx)
}

// Forget does nothing: nobody changes a message.
func (*Out) Forget(context.Context, *watch.Document) error { return nil }

var (
	_ watch.Source  = (*In)(nil)
	_ watch.Target  = (*Out)(nil)
	_ watch.Retrier = (*Out)(nil)
)
