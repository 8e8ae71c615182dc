//go:build unix

package lookup_test

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
)

func BenchmarkFind(b *testing.B) {
	table := loadMillion(b)
	keys := make([]string, 1<<16)
	for i := range keys {
		keys[i] = fmt.Sprintf("DE%09d", rand.IntN(1_000_000)*7) //nolint:gosec // any
	}
	iban := table.Column("iban")
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		row, found := table.Find(keys[i&(len(keys)-1)])
		if !found || row.Cell(iban) == "" {
			b.Fatal("a row is not found")
		}
	}
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/float64(b.N), "cpu-ns/op") // which other work on the machine does not change
}
