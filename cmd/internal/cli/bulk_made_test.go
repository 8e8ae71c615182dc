package cli

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// changedParts are the invoice number and the month of the samples.
var changedParts = regexp.MustCompile(`<(?:cbc|ram):ID>(INV-[^<]*)</|<cbc:IssueDate>2026-(\d\d)-|"102">2026(\d\d)20<`)

// A copier makes copies of a sample.
type copier struct {
	data          []byte
	number, month [2]int // from and to
}

func sampleToCopy(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func newCopier(t testing.TB, sample []byte) *copier {
	t.Helper()
	c := &copier{data: sample}
	for _, at := range changedParts.FindAllSubmatchIndex(sample, -1) {
		for group, part := range []*[2]int{1: &c.number, 2: &c.month, 3: &c.month} {
			if part != nil && at[2*group] >= 0 && part[1] == 0 {
				*part = [2]int{at[2*group], at[2*group+1]}
			}
		}
	}
	if c.number[1] == 0 || c.month[1] == 0 || c.number[0] > c.month[0] {
		t.Fatalf("the sample has no number before its month: %v %v", c.number, c.month)
	}
	return c
}

// copy is a copy with another number and month.
func (c *copier) copy(n int) []byte {
	out := append(make([]byte, 0, len(c.data)+16), c.data[:c.number[0]]...)
	out = fmt.Appendf(out, "INV-%09d", n)
	out = append(out, c.data[c.number[1]:c.month[0]]...)
	out = fmt.Appendf(out, "%02d", 1+n%9)
	return append(out, c.data[c.month[1]:]...)
}

// makeCopies writes copies of the samples in CII (13 KB), one of five faulty, a thousand in a
// folder.
func makeCopies(t testing.TB, folder string, n int) {
	t.Helper()
	valid, faulty := newCopier(t, sampleToCopy(t, "cii-valid.xml")), newCopier(t, sampleToCopy(t, "cii-faulty.xml"))
	for i := range n {
		if i%1000 == 0 {
			if err := os.MkdirAll(filepath.Join(folder, fmt.Sprintf("%04d", i/1000)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		sample := valid
		if i%5 == 4 {
			sample = faulty
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d/%06d.xml", i/1000, i)), sample.copy(i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// between is what is between the elements of a document, for smaller copies.
var between = regexp.MustCompile(`>\s+<|<!--[\s\S]*?-->`)

// makeTAR writes n copies into a TAR, without the white space between elements.
func makeTAR(t testing.TB, w io.Writer, n int) {
	t.Helper()
	small := func(name string) []byte {
		return between.ReplaceAllFunc(sampleToCopy(t, name), func(found []byte) []byte {
			if found[0] == '>' {
				return []byte("><")
			}
			return nil
		})
	}
	valid, faulty := newCopier(t, small("ubl-valid.xml")), newCopier(t, small("ubl-faulty.xml"))
	to := tar.NewWriter(w)
	for i := range n {
		sample := valid
		if i%5 == 4 {
			sample = faulty
		}
		data := sample.copy(i)
		if err := to.WriteHeader(&tar.Header{Name: fmt.Sprintf("%04d/%07d.xml", i/1000, i), Mode: 0o644, Size: int64(len(data)), Format: tar.FormatUSTAR}); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
}

// Copies are invoices that differ, and are as valid as the sample.
func TestMadeCopies(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made")
	makeCopies(t, folder, 10)
	files, err := inputs([]string{folder})
	if err != nil || len(files) != 10 {
		t.Fatal(files, err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if seen[string(data)] || len(data) < 9000 {
			t.Errorf("%s is like another, or has %d bytes", name, len(data))
		}
		seen[string(data)] = true
	}
}
