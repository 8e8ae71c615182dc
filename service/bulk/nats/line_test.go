//go:build machines

package nats_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/bulk/nats"
	"einvoice/service/watch"
	"einvoice/service/watch/watchtest"

	"github.com/nats-io/nats-server/v2/server"
	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The settings that say to this program that it is to watch, in place of testing.
const (
	asksURL = "NATS_TEST_LINE"
	asksOut = "NATS_TEST_OUT" // a folder, or a subject
)

func TestMain(m *testing.M) {
	if url := os.Getenv(asksURL); url != "" {
		l := lineTo(url, os.Getenv(asksOut))
		l.Retry = os.Getenv(watchtest.Cured) != ""
		if err := l.Run(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// lineTo is a line from in.urgent and in.usual.
func lineTo(url, out string) *watch.Line {
	of := func(name string) nats.Subject { return nats.Subject{URL: url, Name: name, Wait: time.Second} }
	l := &watch.Line{
		By: bulk.Performance{Operation: watchtest.Judging{}, Time: 300 * time.Millisecond}, Jobs: 3, Limit: 1 << 20, Log: slog.New(slog.DiscardHandler),
	}
	if subject, is := strings.CutPrefix(out, "nats:"); is {
		l.Target = &nats.Out{Subject: of(subject)}
	} else {
		l.Target = &watch.Stored{In: bulk.Folder(out)}
	}
	l.Sources = []watch.Source{&nats.In{Subject: of("in.>")}}
	return l
}

// streams is a broker with streams for documents and results, and its address.
func streams(t *testing.T, retention jetstream.RetentionPolicy) (string, jetstream.JetStream) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(5 * time.Minute) {
		t.Fatal("NATS is not ready")
	}
	t.Cleanup(s.Shutdown)
	c, err := client.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range []jetstream.StreamConfig{
		{Name: "DOCS", Subjects: []string{"in.>"}, Retention: retention},
		{Name: "RESULTS", Subjects: []string{"out.>"}, Duplicates: 100 * time.Millisecond}, // what is known for longer is not by this
	} {
		if _, err := js.CreateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	return s.ClientURL(), js
}

// Two subjects of one stream are two sources: each document of both has a result, and those of the
// first source come first. A consumer of the time when a target had one goes on with its subject.
func TestTwoSubjectsOfOneStream(t *testing.T) {
	for _, out := range []string{"nats:out", t.TempDir()} {
		url, js := streams(t, jetstream.LimitsPolicy)
		for _, subject := range []string{"in.usual", "in.urgent", "in.usual", "in.urgent"} {
			if _, err := js.Publish(t.Context(), subject, []byte("valid "+subject)); err != nil {
				t.Fatal(err)
			}
		}
		l := lineTo(url, out)
		l.Jobs, l.Once = 1, true
		of := func(name string) nats.Subject { return nats.Subject{URL: url, Name: name, Wait: time.Second} }
		l.Sources = []watch.Source{&nats.In{Subject: of("in.urgent")}, &nats.In{Subject: of("in.usual")}}
		if err := l.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		docs, err := js.Stream(t.Context(), "DOCS")
		if err != nil {
			t.Fatal(err)
		}
		filters := []string{}
		for c := range docs.ListConsumers(t.Context()).Info() {
			if c.NumPending+uint64(c.NumAckPending) > 0 {
				t.Errorf("%s: of %s %d documents wait", out, c.Config.FilterSubject, c.NumPending)
			}
			filters = append(filters, c.Config.FilterSubject)
		}
		slices.Sort(filters)
		if !slices.Equal(filters, []string{"in.urgent", "in.usual"}) {
			t.Errorf("%s: there are consumers for %q", out, filters)
		}
		if out != "nats:out" {
			continue
		}
		results, err := js.Stream(t.Context(), "RESULTS")
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for n := uint64(1); n <= 4; n++ {
			m, err := results.GetMsg(t.Context(), n)
			if err != nil {
				t.Fatalf("result %d: %v", n, err)
			}
			order = append(order, m.Header.Get("Einvoice-Subject"))
		}
		if !slices.Equal(order, []string{"in.urgent", "in.urgent", "in.usual", "in.usual"}) {
			t.Errorf("the results are of %q", order)
		}
	}
}

// A consumer that was made for a target and one subject is used again, so that no document is
// taken a second time.
func TestFormerConsumer(t *testing.T) {
	url, js := streams(t, jetstream.LimitsPolicy)
	sum := sha256.Sum256([]byte("nats:out"))
	former := "einvoice_watch_" + hex.EncodeToString(sum[:12])
	docs, err := js.Stream(t.Context(), "DOCS")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := docs.CreateConsumer(t.Context(), jetstream.ConsumerConfig{Durable: former, FilterSubject: "in.>", AckPolicy: jetstream.AckExplicitPolicy}); err != nil {
		t.Fatal(err)
	}
	l := lineTo(url, "nats:out")
	l.Once = true
	if err := l.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for c := range docs.ListConsumers(t.Context()).Info() {
		if c.Name != former {
			t.Errorf("there is another consumer %s", c.Name)
		}
	}
}

// publish publishes documents over a while, and gives the place that each is to go to by its number.
func publish(t *testing.T, js jetstream.JetStream, documents, poisoned int) map[uint64]string {
	t.Helper()
	want := map[uint64]string{}
	chance := rand.New(rand.NewPCG(36, 1))
	for i := range documents {
		kind := []string{"valid", "invalid", "else"}[chance.IntN(3)]
		place := map[string]string{"valid": "valid", "invalid": "invalid", "else": "unreadable"}[kind]
		if poisoned > 0 && i%(documents/poisoned) == 50 {
			kind, place = "poison", watch.Dead
		}
		ack, err := js.Publish(t.Context(), "in.usual", fmt.Appendf(nil, "%s %d %s", kind, i, strings.Repeat("x", chance.IntN(20))))
		if err != nil {
			t.Error(err)
			return want
		}
		want[ack.Sequence] = place
		time.Sleep(time.Duration(chance.IntN(8)) * time.Millisecond)
	}
	return want
}

// killed keeps programs running that watch, and kills them at random moments, until done.
func killed(t *testing.T, url, out string, programs, kills int, done func() bool) {
	t.Helper()
	chance := rand.New(rand.NewPCG(2, 36))
	type ending struct {
		at   int
		code int
		said string
	}
	ended := make(chan ending, programs)
	running := make([]*exec.Cmd, programs)
	begin := func(at int) {
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), asksURL+"="+url, asksOut+"="+out)
		var said bytes.Buffer
		program.Stderr = &said
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		running[at] = program
		go func() {
			_ = program.Wait()
			ended <- ending{at, program.ProcessState.ExitCode(), said.String()}
		}()
	}
	for at := range programs {
		begin(at)
	}
	stop := func() {
		for _, p := range running {
			_ = p.Process.Kill()
		}
		for range running {
			<-ended
		}
	}
	died, poisoned := 0, 0
	for deadline := time.Now().Add(4 * time.Minute); time.Now().Before(deadline); {
		select {
		case e := <-ended:
			switch e.code {
			case 9:
				poisoned++
			case -1:
				died++
			default:
				t.Fatalf("it ended by itself: %d %s", e.code, e.said)
			}
			begin(e.at)
		case <-time.After(time.Duration(50+chance.IntN(500)) * time.Millisecond):
			if died < kills {
				_ = running[chance.IntN(programs)].Process.Kill()
			} else if done() {
				stop()
				t.Logf("%d kills, %d ends by poison", died, poisoned)
				return
			}
		}
	}
	stop()
	t.Fatalf("not done after %d kills and %d ends by poison", died, poisoned)
}

// Two processes that share a subject are killed at random moments: each document has one result, and
// the guilty alone are given up.
func TestKilledOverSubjects(t *testing.T) {
	t.Parallel()
	url, js := streams(t, jetstream.LimitsPolicy)
	results, err := js.Stream(t.Context(), "RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	const documents, poisoned = 600, 2
	wants := make(chan map[uint64]string, 1)
	go func() { wants <- publish(t, js, documents, poisoned) }()
	killed(t, url, "nats:out", 2, 25, func() bool {
		return countResults(t, results) >= documents
	})
	want := <-wants
	if n := countResults(t, results); n != documents {
		t.Errorf("%d results of %d documents", n, documents)
	}
	info, err := results.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := uint64(1); n <= info.State.LastSeq; n++ {
		m, err := results.GetMsg(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(m.Subject, "out.begun.") {
			continue
		}
		at := m.Header.Get("Einvoice-Document")
		var number uint64
		if _, err := fmt.Sscanf(at, "DOCS/%d", &number); err != nil || seen[at] {
			t.Errorf("a result of %q, which has one: %v", at, err)
		}
		seen[at] = true
		var report struct{ Verdict, Word string }
		if err := json.Unmarshal(m.Data, &report); err != nil || !strings.HasPrefix(m.Subject, "out."+want[number]+".") {
			t.Errorf("document %d, which is %s, has %s %s, %v", number, want[number], m.Subject, m.Data, err)
		}
	}
}

// What was given up is tried again by two processes that are killed at random moments: each document
// has one result in the end, and the report that it was given up is gone. A document that is no longer in
// its stream stays dead.
func TestTriedAgainOverSubjects(t *testing.T) {
	url, js := streams(t, jetstream.LimitsPolicy)
	results, err := js.Stream(t.Context(), "RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	const slow, poisoned = 30, 2
	for i := range slow + poisoned {
		kind := "slow"
		if i < poisoned {
			kind = "poison"
		}
		if _, err := js.Publish(t.Context(), "in.usual", fmt.Appendf(nil, "%s %d", kind, i)); err != nil {
			t.Fatal(err)
		}
	}
	counts := func() map[string]int {
		info, err := results.Info(t.Context(), jetstream.WithSubjectFilter("out.>"))
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for subject := range info.State.Subjects {
			counts[strings.Split(subject, ".")[1]]++
		}
		return counts
	}
	killed(t, url, "nats:out", 2, 0, func() bool { return counts()[watch.Dead] == slow+poisoned })
	docs, err := js.Stream(t.Context(), "DOCS")
	if err == nil {
		err = docs.DeleteMsg(t.Context(), slow+poisoned)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(watchtest.Cured, "yes")
	killed(t, url, "nats:out", 2, 25, func() bool { return counts()[watch.Dead] == 1 })
	if got := counts(); got["valid"] != slow+poisoned-1 {
		t.Errorf("in the end there are %v", got)
	}
	seen := map[string]bool{}
	info, err := results.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n := info.State.FirstSeq; n <= info.State.LastSeq; n++ {
		m, err := results.GetMsg(t.Context(), n)
		if err != nil || !strings.HasPrefix(m.Subject, "out.valid.") {
			continue
		}
		at := m.Header.Get("Einvoice-Document")
		if seen[at] || at == "" || m.Header.Get("Einvoice-Subject") != "in.usual" {
			t.Errorf("%s is of %q, which has a result: %v", m.Subject, at, seen[at])
		}
		seen[at] = true
	}
}

// countResults counts what is not a note.
func countResults(t *testing.T, results jetstream.Stream) (n int) {
	t.Helper()
	info, err := results.Info(t.Context(), jetstream.WithSubjectFilter("out.>"))
	if err != nil {
		t.Fatal(err)
	}
	for subject := range info.State.Subjects {
		if !strings.HasPrefix(subject, "out.begun.") {
			n++
		}
	}
	return n
}

// One process that takes documents of a work queue to a folder is killed at random moments.
func TestKilledFromSubjectToFolder(t *testing.T) {
	t.Parallel()
	url, js := streams(t, jetstream.WorkQueuePolicy)
	out := filepath.Join(t.TempDir(), "out")
	const documents = 300
	wants := make(chan map[uint64]string, 1)
	go func() { wants <- publish(t, js, documents, 1) }()
	logged := func(see func(audit.Event)) (int, error) {
		f, err := os.Open(filepath.Join(out, audit.FileName))
		if err != nil {
			return 0, err
		}
		defer f.Close()
		n, _, err := audit.Verify(f, func(line audit.Line) error {
			var e audit.Event
			if err := json.Unmarshal(line.Event, &e); err != nil {
				return err
			}
			see(e)
			return nil
		})
		return n, err
	}
	docs, err := js.Stream(t.Context(), "DOCS")
	if err != nil {
		t.Fatal(err)
	}
	killed(t, url, out, 1, 15, func() bool {
		info, err := docs.Info(t.Context())
		return err == nil && info.State.LastSeq == documents && info.State.Msgs == 0
	})
	want := <-wants
	events := map[string]audit.Event{}
	n, err := logged(func(e audit.Event) { events[e.File] = e })
	if err != nil || n != documents || len(events) != documents {
		t.Errorf("the log has %d lines of %d documents, %v", n, len(events), err)
	}
	for _, e := range events {
		var number uint64
		parts := strings.Split(strings.TrimSuffix(e.File, ".xml"), "-")
		if _, err := fmt.Sscan(parts[len(parts)-1], &number); err != nil || e.Verdict != want[number] {
			t.Errorf("document %d, which is %s: %+v %v", number, want[number], e, err)
		}
		for name, digest := range map[string]string{e.Document(): e.SHA256, e.ReportName(): e.Report} {
			sum, _, err := audit.SumOf(os.Open(filepath.Join(out, name)))
			if err != nil || sum != digest {
				t.Errorf("%s is not what the log says: %v", name, err)
			}
		}
	}
}

// What cannot be watched is refused: no stream, a stream that would lose documents, a target that
// would.
func TestRefusedSubjects(t *testing.T) {
	url, _ := streams(t, jetstream.WorkQueuePolicy)
	if err := lineTo(url, "nats:out").Run(t.Context()); err == nil || !strings.Contains(err.Error(), "removes a document") {
		t.Errorf("a work queue without a place for documents: %v", err)
	}
	if err := lineTo(url, "nats:elsewhere").Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no stream") {
		t.Errorf("no stream of results: %v", err)
	}
	l := lineTo(url, "nats:out")
	l.Sources = []watch.Source{&watch.Folder{Path: t.TempDir()}}
	if err := l.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "reports alone") {
		t.Errorf("documents of a folder to a subject: %v", err)
	}
}

// A report that no message can have is replaced by one that says so, and the line goes on.
func TestTooLongForASubject(t *testing.T) {
	url, js := streams(t, jetstream.LimitsPolicy)
	l := lineTo(url, "nats:out")
	l.Once, l.By.Operation = true, talkative{}
	if _, err := js.Publish(t.Context(), "in.usual", []byte("valid")); err != nil {
		t.Fatal(err)
	}
	if err := l.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	results, err := js.Stream(t.Context(), "RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.GetMsg(t.Context(), 1)
	if err != nil || !strings.HasPrefix(m.Subject, "out.valid.") || !bytes.Contains(m.Data, []byte("WATCH-REPORT")) {
		t.Errorf("the result is %+v, %v", m, err)
	}
}

// talkative has a report of two megabytes.
type talkative struct{ watchtest.Judging }

func (talkative) Do(context.Context, []byte, *bulk.Document) ([]byte, bulk.Outcome, error) {
	return bytes.Repeat([]byte("x"), 2<<20), bulk.Outcome{Verdict: bulk.Valid}, nil
}
