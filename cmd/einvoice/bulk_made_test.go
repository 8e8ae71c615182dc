package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// changedParts are the invoice number, the name of the seller and the month of the samples in UBL.
var changedParts = regexp.MustCompile(`(<cbc:ID>)(INV-[^<]*)(</cbc:ID>)|(<cbc:IssueDate>2026-)(\d\d)(-)`)

func sampleToCopy(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// madeCopy is a copy of a sample with another number and month, of the same size for numbers
// of the same length.
func madeCopy(sample []byte, n int) []byte {
	first := true
	return changedParts.ReplaceAllFunc(sample, func(found []byte) []byte {
		if bytes.HasPrefix(found, []byte("<cbc:IssueDate>")) {
			return fmt.Appendf(nil, "<cbc:IssueDate>2026-%02d-", 1+n%9)
		}
		if !first {
			return found
		}
		first = false
		return fmt.Appendf(nil, "<cbc:ID>INV-%09d</cbc:ID>", n)
	})
}

// makeCopies writes copies of the samples in UBL, one of five faulty, a thousand in a folder.
func makeCopies(t testing.TB, folder string, n int) {
	t.Helper()
	valid, faulty := sampleToCopy(t, "ubl-valid.xml"), sampleToCopy(t, "ubl-faulty.xml")
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
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d/%06d.xml", i/1000, i)), madeCopy(sample, i), 0o644); err != nil {
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
	valid, faulty := small("ubl-valid.xml"), small("ubl-faulty.xml")
	to := tar.NewWriter(w)
	for i := range n {
		sample := valid
		if i%5 == 4 {
			sample = faulty
		}
		data := madeCopy(sample, i)
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
