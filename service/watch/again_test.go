package watch_test

import (
	"fmt"
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
	"einvoice/service/watch"
	"einvoice/service/watch/watchtest"
)

// runs runs the program until it ends by itself, or was killed after its life. It gives the exit code.
func runs(t *testing.T, folder string, life time.Duration, settings ...string) int {
	t.Helper()
	program := exec.Command(os.Args[0])
	program.Env = append(append(os.Environ(), asks+"="+folder), settings...)
	var said strings.Builder
	program.Stderr = &said
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(life, func() { _ = program.Process.Kill() })
	defer kill.Stop()
	_ = program.Wait()
	if code := program.ProcessState.ExitCode(); code != 1 {
		return code
	}
	t.Fatalf("it ended by itself: %s", said.String())
	return 1
}

// Documents that were given up are tried again after what ended them was cured, by a line that is
// killed at random moments, beside new ones: each has one last result, those that end it still are given
// up again, nothing is lost, and the log says what is there. What nobody asked for stays.
func TestTriedAgain(t *testing.T) {
	folder := folders(t)
	const slow, poisoned, still, fresh = 40, 3, 1, 40
	out := filepath.Join(folder, "out")
	for i := range slow {
		hand(t, filepath.Join(folder, "usual"), fmt.Sprintf("%d.xml", i), fmt.Sprintf("slow %d", i))
	}
	for i := range poisoned + still {
		text := fmt.Sprintf("poison %d", i)
		if i < still {
			text = fmt.Sprintf("poison still %d", i)
		}
		hand(t, filepath.Join(folder, "urgent"), fmt.Sprintf("%d.xml", i), text)
	}
	for deadline := time.Now().Add(4 * time.Minute); places(t, out)[watch.Dead] < slow+poisoned+still; {
		if time.Now().After(deadline) {
			t.Fatalf("not given up: %v", places(t, out))
		}
		runs(t, folder, 10*time.Second)
	}
	cured := watchtest.Cured + "=yes"
	hand(t, filepath.Join(folder, "usual"), "0.xml", "valid fresh")
	if runs(t, folder, time.Minute, cured); places(t, out)[watch.Dead] != slow+poisoned+still || places(t, out)["valid"] != 1 {
		t.Fatalf("without being asked: %v", places(t, out))
	}
	for i := range fresh {
		hand(t, filepath.Join(folder, "usual"), fmt.Sprintf("f%d.xml", i), fmt.Sprintf("valid %d", i))
	}
	chance := rand.New(rand.NewPCG(36, 7))
	kills, ends := 0, 0
	for deadline := time.Now().Add(4 * time.Minute); ; {
		if time.Now().After(deadline) {
			t.Fatalf("not done after %d kills: %v", kills, places(t, out))
		}
		life, settings := time.Duration(20+chance.IntN(150))*time.Millisecond, []string{cured}
		if kills >= 25 {
			life = time.Minute
		}
		if kills < 25 || ends%4 == 0 { // else what was begun goes on without being asked for again
			settings = append(settings, asksAgain+"=yes")
		}
		code := runs(t, folder, life, settings...)
		if code == 0 && places(t, out)[watch.Dead] == still {
			break
		}
		if code < 0 {
			kills++
		} else {
			ends++
		}
	}
	t.Logf("%d kills, %d other ends: %v", kills, ends, places(t, out))
	results := map[string][]string{} // the places that a document went to, by its digest
	log, err := os.Open(filepath.Join(out, audit.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if _, _, err := audit.Events(log, func(_ audit.Line, e *audit.Event) error {
		results[e.SHA256] = append(results[e.SHA256], e.Verdict)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(results) != slow+poisoned+still+fresh+1 {
		t.Errorf("%d documents have results", len(results))
	}
	for i := range slow {
		// It is dead more than once where it was killed twice while it ran alone.
		got := results[sumOf(fmt.Appendf(nil, "slow %d", i))]
		if last := len(got) - 1; last < 1 || got[last] != "valid" || slices.ContainsFunc(got[:last], func(place string) bool { return place != watch.Dead }) {
			t.Errorf("what was slow went to %v", got)
		}
	}
	check, err := audit.CheckIn(t.Context(), bulk.Folder(out), "", watch.PlaceFolders())
	if err != nil || len(check.Wrong) > 0 {
		t.Errorf("%+v, %v", check, err)
	}
	if counts := places(t, out); counts["valid"] != slow+poisoned+fresh+1 || counts[watch.Dead] != still {
		t.Errorf("in the end there are %v", counts)
	}
}
