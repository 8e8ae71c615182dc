//go:build machines

package s3_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"einvoice/model/sampled"
	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/bulk/s3"
	"einvoice/service/watch"
	"einvoice/service/watch/watchtest"
)

// keysBelow are the keys of a prefix.
func (f *fake) keysBelow(prefix string) (keys []string) {
	for _, key := range f.keys() {
		if rest, is := strings.CutPrefix(key, prefix); is && !strings.HasPrefix(rest, ".") {
			keys = append(keys, key)
		}
	}
	return keys
}

// A process that watches a prefix is killed at random moments, while requests fail: each object has
// one result in the other prefix, and the guilty alone are given up.
func TestKilledBetweenPrefixes(t *testing.T) {
	f := newFake(t, 0.02)
	f.kinds = []string{"500", "503", "half", "lost"}
	documents := sampled.Of(200, 2)
	chance := rand.New(rand.NewPCG(36, 3))
	want := map[string]string{}
	go func() {
		for i := range documents {
			kind := []string{"valid", "invalid", "else"}[chance.IntN(3)]
			place := map[string]string{"valid": "valid", "invalid": "invalid", "else": "unreadable"}[kind]
			if i == 50 {
				kind, place = "poison", watch.Dead
			}
			text := fmt.Appendf(nil, "%s %d", kind, i)
			f.mu.Lock()
			want[hexOf(text)] = place
			f.mu.Unlock()
			f.set(fmt.Sprintf("in/%d/%d%s.xml", i%3, i, strings.Repeat("x", i%2*240)), text)
			time.Sleep(time.Duration(chance.IntN(50)) * time.Millisecond)
		}
	}()
	work := t.TempDir()
	died, poisoned := 0, 0
	lives := rand.New(rand.NewPCG(36, 4))
	for deadline := time.Now().Add(4 * time.Minute); ; {
		if time.Now().After(deadline) {
			t.Fatalf("not done after %d kills: %d wait", died, len(f.keysBelow("in/")))
		}
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), s3.AsksToWatch+"="+work)
		var said bytes.Buffer
		program.Stderr = &said
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- program.Wait() }()
		life := time.Duration(300+lives.IntN(700)) * time.Millisecond
		if died > 12 {
			life = 5 * time.Second
		}
		select {
		case <-ended:
			if program.ProcessState.ExitCode() != 9 {
				t.Fatalf("it ended by itself: %s", said.String())
			}
			poisoned++
			continue
		case <-time.After(life):
			_ = program.Process.Kill()
			<-ended
			died++
		}
		f.mu.Lock()
		all := len(want) == documents
		f.mu.Unlock()
		if all && len(f.keysBelow("in/")) == 0 {
			break
		}
	}
	t.Logf("%d kills, %d ends by poison, trouble %v", died, poisoned, f.failed)
	f.mu.Lock()
	f.trouble = 0
	f.mu.Unlock()
	out, err := s3.OpenTarget("s3://bucket/out", work)
	if err != nil {
		t.Fatal(err)
	}
	log, err := audit.ReadIn(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	n, _, err := audit.Verify(log, func(line audit.Line) error {
		var e audit.Event
		if err := json.Unmarshal(line.Event, &e); err != nil {
			return err
		}
		if seen[e.SHA256] || want[e.SHA256] != e.Verdict {
			t.Errorf("a document for %s, seen before: %v: %+v", want[e.SHA256], seen[e.SHA256], e)
		}
		seen[e.SHA256] = true
		for name, digest := range map[string]string{e.Document(): e.SHA256, e.ReportName(): e.Report} {
			if data, _ := f.get("out/" + name); hexOf(data) != digest {
				t.Errorf("%s is not what the log says", name)
			}
		}
		return nil
	})
	if err != nil || n != documents {
		t.Errorf("the log has %d lines, %v", n, err)
	}
	files := 0
	for _, place := range watch.Places {
		files += len(f.keysBelow("out/" + place + "/"))
	}
	if files != 2*documents {
		t.Errorf("%d objects for %d documents", files, documents)
	}
	triedAgain(t, f, work)
}

// triedAgain tries what was given up again, with a program that is killed at random moments, while
// requests fail.
func triedAgain(t *testing.T, f *fake, work string) {
	t.Helper()
	for i := range 20 { // as many as were given up at once
		f.set(fmt.Sprintf("out/dead/more~%d.xml", i), fmt.Appendf(nil, "slow %d", i))
	}
	f.mu.Lock()
	f.trouble = 0.02
	f.mu.Unlock()
	dead := func() (n int) {
		for _, key := range f.keysBelow("out/dead/") {
			if !strings.HasSuffix(key, audit.ReportEnding) {
				n++
			}
		}
		return n
	}
	chance := rand.New(rand.NewPCG(36, 5))
	kills := 0
	var said bytes.Buffer
	for deadline := time.Now().Add(4 * time.Minute); dead() > 0 || kills < 12; kills++ {
		if time.Now().After(deadline) {
			t.Fatalf("%d are dead after %d kills: %s", dead(), kills, said.String())
		}
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), s3.AsksToWatch+"="+work, watchtest.Cured+"=yes")
		program.Stderr = &said
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		life := time.Duration(300+chance.IntN(1200)) * time.Millisecond
		if kills > 12 {
			life = 5 * time.Second
		}
		time.Sleep(life)
		_ = program.Process.Kill()
		_ = program.Wait()
	}
	t.Logf("%d kills, trouble %v", kills, f.failed)
	results := map[string]int{}
	for _, key := range f.keysBelow("out/valid/") {
		if data, _ := f.get(key); !strings.HasSuffix(key, audit.ReportEnding) {
			results[string(data)]++
		}
	}
	for i := range 20 {
		if n := results[fmt.Sprintf("slow %d", i)]; n != 1 {
			t.Errorf("what was slow is there %d times", n)
		}
	}
	if results["poison 50"] != 1 {
		t.Errorf("what ended the program is there %d times", results["poison 50"])
	}
}

func hexOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// An archive in S3 is kept until a day, all of it but its lock, and verifies; what is changed or
// removed is told.
func TestArchiveIsRetained(t *testing.T) {
	f := newBucket(t, 0, true)
	in, err := s3.OpenTarget("s3://bucket/kept", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Retain(t.Context(), time.Date(2034, 12, 31, 23, 59, 59, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for i := range 300 { // more than are written at once
		f.set(fmt.Sprintf("in/%d.xml", i), fmt.Appendf(nil, "valid %d", i%290))
	}
	source, err := s3.OpenSource("s3://bucket/in", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	archive := audit.Archive{In: in, Program: "test", By: bulk.Performance{Operation: watchtest.Judging{}}}
	for _, want := range []int{290, 0} {
		added := 0
		err := archive.Add(t.Context(), source, "in", func(*audit.Event) { added++ }, func(key string, err error) { t.Error(key, err) })
		if err != nil || added != want {
			t.Errorf("%d were added: %v", added, err)
		}
	}
	for _, key := range f.keysBelow("kept/") {
		if f.retained(key) != "COMPLIANCE 2034-12-31T23:59:59Z" {
			t.Errorf("%s is retained by %q", key, f.retained(key))
		}
	}
	check := func() audit.Check {
		c, err := audit.CheckIn(t.Context(), in, "", nil)
		if err != nil || c.Events != 290 || c.Documents != 290 {
			t.Errorf("%+v, %v", c, err)
		}
		return c
	}
	if c := check(); len(c.Wrong) > 0 {
		t.Errorf("it is wrong: %v", c.Wrong)
	}
	for _, change := range []func(key string){
		func(key string) { f.set(key, []byte("changed")) },
		f.remove,
	} {
		for _, folder := range []string{"kept/documents/", "kept/reports/"} {
			keys := f.keysBelow(folder)
			key := keys[rand.IntN(len(keys))]
			before, _ := f.get(key)
			change(key)
			if c := check(); len(c.Wrong) != 1 || !strings.Contains(c.Wrong[0], strings.TrimPrefix(key, "kept/")) {
				t.Errorf("a change of %s: %v", key, c.Wrong)
			}
			f.set(key, before)
		}
	}
}

// A bucket without object lock retains nothing, which is said before anything is written.
func TestBucketWithoutLock(t *testing.T) {
	if *realLocked {
		t.Skip("all buckets have object lock (-s3-locked)")
	}
	f := newFake(t, 0)
	in, err := s3.OpenTarget("s3://bucket/kept", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Retain(t.Context(), time.Date(2034, 12, 31, 23, 59, 59, 0, time.UTC)); code(err) != s3.CodeName {
		t.Errorf("got %v", err)
	}
	if keys := f.keys(); len(keys) > 0 {
		t.Errorf("there is %v", keys)
	}
}
