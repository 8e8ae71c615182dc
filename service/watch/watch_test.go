package watch_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/model/sampled"
	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/watch"
	"einvoice/service/watch/watchtest"
)

// asks says to this program that it is to watch, in place of testing; asksAgain that it is to begin
// with what was given up.
const (
	asks      = "WATCH_TEST_FOLDER"
	asksAgain = "WATCH_TEST_AGAIN"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(asks); folder != "" {
		fmt.Println("begins")
		l := lineIn(folder)
		l.Retry, l.Once = os.Getenv(asksAgain) != "", os.Getenv(watchtest.Cured) != ""
		if err := l.Run(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func lineIn(folder string) *watch.Line {
	return &watch.Line{
		Sources: []watch.Source{&watch.Folder{Path: filepath.Join(folder, "urgent")}, &watch.Folder{Path: filepath.Join(folder, "usual")}},
		Target:  &watch.Stored{In: bulk.Folder(filepath.Join(folder, "out"))},
		By:      bulk.Performance{Operation: watchtest.Judging{}, Time: 300 * time.Millisecond}, Jobs: 3, Limit: 1 << 20, Log: slog.New(slog.DiscardHandler),
	}
}

func folders(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"urgent", "usual", "out"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// hand puts a document into a source in one step.
func hand(t *testing.T, folder, name, text string) {
	t.Helper()
	part := filepath.Join(folder, ".part")
	if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for { // whoever sends does not write over what waits
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := os.Rename(part, filepath.Join(folder, name)); err != nil {
		t.Error(err)
	}
}

// places counts the documents in each place of a target, and sees that each has its report.
func places(t *testing.T, out string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, place := range watch.Places {
		entries, err := os.ReadDir(filepath.Join(out, place))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".xml") {
				counts[place]++
			}
		}
	}
	return counts
}

// check sees that each of the documents by digest has one place, one report and one line of the
// log, that the log is whole, and that nothing else is there.
func check(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	out := filepath.Join(folder, "out")
	f, err := os.Open(filepath.Join(out, audit.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := map[string]audit.Event{}
	n, _, err := audit.Verify(f, func(line audit.Line) error {
		var e audit.Event
		if err := json.Unmarshal(line.Event, &e); err != nil {
			return err
		}
		if before, twice := lines[e.SHA256]; twice {
			t.Errorf("two results of one document: %+v and %+v", before, e)
		}
		lines[e.SHA256] = e
		return nil
	})
	if err != nil || n != len(want) {
		t.Errorf("the log has %d lines for %d documents: %v", n, len(want), err)
	}
	there := 0
	for _, place := range watch.Places {
		entries, err := os.ReadDir(filepath.Join(out, place))
		if err != nil {
			t.Fatal(err)
		}
		there += len(entries)
	}
	if there != 2*len(want) {
		t.Errorf("%d files for %d documents", there, len(want))
	}
	for sum, place := range want {
		e, ok := lines[sum]
		if !ok || e.Verdict != place {
			t.Errorf("of a document for %s the log says %+v", place, e)
			continue
		}
		for file, digest := range map[string]string{e.File: e.SHA256, e.File + ".report.json": e.Report} {
			data, err := os.ReadFile(filepath.Join(out, place, file))
			if err != nil || sumOf(data) != digest {
				t.Errorf("%s/%s is not what the log says: %v", place, file, err)
			}
		}
	}
	for _, source := range []string{"urgent", "usual"} {
		left, _ := filepath.Glob(filepath.Join(folder, source, "*.xml"))
		taken, _ := filepath.Glob(filepath.Join(folder, source, ".taken", "*.xml"))
		if len(left)+len(taken) > 0 {
			t.Errorf("left in %s: %v %v", source, left, taken)
		}
	}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// The line is killed at random moments while documents come, some of which have the names of others
// and some of which end it themselves: each has one result, and the guilty alone are given up.
func TestKilledAtAnyMoment(t *testing.T) {
	folder := folders(t)
	want := map[string]string{}
	var mu sync.Mutex
	const poisoned = 3
	documents, mostKills := sampled.Of(1200, 3), sampled.Of(25, 3)
	var handing sync.WaitGroup
	handing.Go(func() {
		chance := rand.New(rand.NewPCG(36, 36))
		for i := range documents {
			kind := []string{"valid", "invalid", "else"}[chance.IntN(3)]
			place := map[string]string{"valid": "valid", "invalid": "invalid", "else": "unreadable"}[kind]
			if i%(documents/poisoned) == 50 {
				kind, place = "poison", watch.Dead
			}
			text := fmt.Sprintf("%s %d %s", kind, i, strings.Repeat("x", chance.IntN(20)))
			mu.Lock()
			want[sumOf([]byte(text))] = place
			mu.Unlock()
			hand(t, filepath.Join(folder, []string{"urgent", "usual"}[i%2]), fmt.Sprintf("%d.xml", i%97), text)
			time.Sleep(time.Duration(chance.IntN(8)) * time.Millisecond)
		}
	})
	handed := make(chan struct{})
	go func() { handing.Wait(); close(handed) }()
	chance := rand.New(rand.NewPCG(1, 36))
	kills, ends := 0, 0
	deadline := time.Now().Add(4 * time.Minute)
	for {
		if time.Now().After(deadline) {
			t.Fatalf("not done after %d kills: %v", kills, places(t, filepath.Join(folder, "out")))
		}
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), asks+"="+folder)
		var said bytes.Buffer
		program.Stderr = &said
		begins, err := program.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		// On a busy machine the start may take longer than the life: the same few documents would be
		// in hand at each kill.
		if _, err := begins.Read(make([]byte, 1)); err != nil {
			t.Fatal(err, said.String())
		}
		ended := make(chan error, 1)
		go func() { ended <- program.Wait() }()
		lives := time.Duration(50+chance.IntN(300)) * time.Millisecond
		if kills >= mostKills {
			lives = 10 * time.Second
		}
		select {
		case err := <-ended:
			ends++
			if program.ProcessState.ExitCode() != 9 {
				t.Fatalf("it ended by itself: %v %s", err, said.String())
			}
			continue
		case <-time.After(lives):
			_ = program.Process.Kill()
			<-ended
			kills++
		}
		select {
		case <-handed:
			counts := places(t, filepath.Join(folder, "out"))
			if counts["valid"]+counts["invalid"]+counts["unreadable"]+counts[watch.Dead] == documents {
				t.Logf("%d kills, %d ends by poison, %d documents: %v", kills, ends, documents, counts)
				check(t, folder, want)
				return
			}
		default:
		}
	}
}

// begin runs a line until stop.
func begin(t *testing.T, l *watch.Line) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// What comes first to the first source goes before what waits in the others; what is slow or
// panics ends alone; what is being written is not taken; a stop finishes what is in hand.
func TestLine(t *testing.T) {
	folder := folders(t)
	want := map[string]string{}
	give := func(source, name, text, place string) {
		hand(t, filepath.Join(folder, source), name, text)
		want[sumOf([]byte(text))] = place
	}
	for i := range 30 {
		give("usual", fmt.Sprintf("u%d.xml", i), fmt.Sprintf("valid %d", i), "valid")
		give("urgent", fmt.Sprintf("a%d.xml", i), fmt.Sprintf("valid a%d", i), "valid")
	}
	l := lineIn(folder)
	l.Jobs = 1
	var mu sync.Mutex
	done := 0
	l.Done = func(watch.Result) { mu.Lock(); done++; mu.Unlock() }
	stop := begin(t, l)
	until(t, "all are done", func() bool { return places(t, l.Target.String())["valid"] == 60 })
	stop()
	data, err := os.ReadFile(filepath.Join(l.Target.String(), audit.FileName))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		if urgent := bytes.Contains(line, []byte("/urgent")); urgent != (i < 30) {
			t.Fatalf("line %d of the log is %s", i, line)
		}
	}
	if done != 60 {
		t.Errorf("%d were told", done)
	}
	give("usual", "slow.xml", "slow", watch.Dead)
	give("usual", "panic.xml", "panic", "unreadable")
	give("urgent", "a0.xml", "invalid, under the name of another", "invalid")
	l = lineIn(folder)
	for _, s := range l.Sources {
		s.(*watch.Folder).Settle = 100 * time.Millisecond
	}
	growing, err := os.Create(filepath.Join(folder, "usual", "growing.xml"))
	if err != nil {
		t.Fatal(err)
	}
	stop = begin(t, l)
	text := "valid"
	if _, err := growing.WriteString(text); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		time.Sleep(20 * time.Millisecond)
		text += " more"
		if _, err := growing.WriteString(" more"); err != nil {
			t.Fatal(err)
		}
	}
	if err := growing.Close(); err != nil {
		t.Fatal(err)
	}
	want[sumOf([]byte(text))] = "valid"
	until(t, "the others are done", func() bool {
		counts := places(t, l.Target.String())
		return counts["valid"] == 61 && counts["invalid"] == 1 && counts[watch.Dead] == 1 && counts["unreadable"] == 1
	})
	stop()
	check(t, folder, want)
	report, err := os.ReadFile(filepath.Join(l.Target.String(), watch.Dead, "slow.xml.report.json"))
	if err != nil || !strings.Contains(string(report), "given up") {
		t.Errorf("the report is %s %v", report, err)
	}
}

// A second line, a target inside a source, and a source that is not there are refused.
func TestRefused(t *testing.T) {
	folder := folders(t)
	stop := begin(t, lineIn(folder))
	until(t, "it runs", func() bool { _, err := os.Stat(filepath.Join(folder, "out", audit.FileName)); return err == nil })
	if err := lineIn(folder).Run(t.Context()); err == nil {
		t.Error("two lines have one target")
	}
	stop()
	l := lineIn(folder)
	l.Target = &watch.Stored{In: bulk.Folder(filepath.Join(folder, "usual", "out"))}
	if err := l.Run(t.Context()); err == nil {
		t.Error("the target is in a source")
	}
	l = lineIn(folder)
	l.Sources[1] = &watch.Folder{Path: filepath.Join(folder, "none")}
	if err := l.Run(t.Context()); err == nil {
		t.Error("a source is not there")
	}
}

// What was kept long enough goes, with its report, and the log says so.
func TestKept(t *testing.T) {
	folder := folders(t)
	hand(t, filepath.Join(folder, "usual"), "old.xml", "valid old")
	l := lineIn(folder)
	stop := begin(t, l)
	until(t, "it is done", func() bool { return places(t, l.Target.String())["valid"] == 1 })
	stop()
	report := filepath.Join(l.Target.String(), "valid", "old.xml.report.json")
	if err := os.Chtimes(report, time.Time{}, time.Now().AddDate(0, 0, -8)); err != nil {
		t.Fatal(err)
	}
	hand(t, filepath.Join(folder, "usual"), "new.xml", "valid new")
	l = lineIn(folder)
	l.Target.(*watch.Stored).Keep = 7
	stop = begin(t, l)
	until(t, "the old one is gone", func() bool { _, err := os.Stat(report); return errors.Is(err, os.ErrNotExist) })
	until(t, "the new one is done", func() bool {
		_, err := os.Stat(filepath.Join(l.Target.String(), "valid", "new.xml"))
		return err == nil
	})
	stop()
	data, _ := os.ReadFile(filepath.Join(l.Target.String(), audit.FileName))
	if !bytes.Contains(data, []byte(`"verdict":"removed"`)) {
		t.Errorf("the log is %s", data)
	}
}

// A name that leaves no room for that of a report, or is no text, does not stop the line, and the log has
// the names that documents have.
func TestOddNames(t *testing.T) {
	folder := folders(t)
	hand(t, filepath.Join(folder, "usual"), "a\xff.xml", "valid 1")
	hand(t, filepath.Join(folder, "usual"), "a\xfe.xml", "invalid 1")
	for _, letter := range []string{"x", "ü"} {
		hand(t, filepath.Join(folder, "usual"), strings.Repeat(letter, 250/len(letter))+".xml", "valid "+letter)
		hand(t, filepath.Join(folder, "usual"), strings.Repeat(letter, 248/len(letter))+".xml", "invalid "+letter)
	}
	l := lineIn(folder)
	l.Once = true
	if err := l.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if counts := places(t, l.Target.String()); counts["valid"] != 3 || counts["invalid"] != 3 {
		t.Errorf("got %v", counts)
	}
	if c, err := audit.CheckIn(t.Context(), bulk.Folder(l.Target.String()), "", watch.PlaceFolders()); err != nil || c.Documents != 6 || len(c.Wrong) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A target is verified while a line works on it: what is in hand is not told as wrong.
func TestVerifiedWhileWatched(t *testing.T) {
	folder := folders(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- lineIn(folder).Run(ctx) }()
	const documents = 300
	go func() {
		for i := range documents {
			hand(t, filepath.Join(folder, "usual"), fmt.Sprintf("%d.xml", i), fmt.Sprintf("valid %d", i%250))
		}
	}()
	out := filepath.Join(folder, "out")
	for n := 0; n < documents; {
		if len(ended) > 0 {
			t.Fatal(<-ended)
		}
		check, err := audit.CheckIn(t.Context(), bulk.Folder(out), "", watch.PlaceFolders())
		if errors.Is(err, fs.ErrNotExist) || check.Events == 0 && err != nil {
			continue // it has not begun
		}
		if err != nil || len(check.Wrong) > 0 {
			t.Fatalf("after %d documents: %v, %v", check.Events, check.Wrong, err)
		}
		n = check.Events
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
