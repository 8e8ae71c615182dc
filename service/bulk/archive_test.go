package bulk_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/xmlparse"
	"einvoice/service/bulk"

	"github.com/klauspost/compress/zstd"
)

var inArchive = []struct{ name, content string }{
	{"a/one.xml", "<one/>"}, {"a/notes.txt", "no invoice"}, {"two.PDF", "%PDF"}, {"a/one.xml", "<again/>"},
	{"../../etc/three.xml", "<three/>"}, {"large.xml", strings.Repeat("x", 2000)},
}

func zipped(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range inArchive {
		f, err := w.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, m.content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range inArchive {
		if err := w.WriteHeader(&tar.Header{Name: m.name, Mode: 0o600, Size: int64(len(m.content))}); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, m.content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// All kinds of archives give the same documents; names are never paths.
func TestArchives(t *testing.T) {
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{g, z} {
		if _, err := w.Write(tarred(t)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{"a.zip": zipped(t), "a.tar": tarred(t), "a.tar.gz": gz.Bytes(), "a.TGZ": gz.Bytes(), "a.tar.zst": zst.Bytes()} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := bulk.OpenArchive(file, filepath.Join(dir, "work"), 1000, bulk.MostUnpacked)
		if err != nil || !bulk.IsArchive(file) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		err = a.Each(t.Context(), func(e bulk.Entry) error {
			content, _, err := a.Read(t.Context(), e)
			if err != nil {
				content = []byte(codeOf(err))
			}
			got = append(got, e.Key+"="+string(content))
			return nil
		})
		want := "a/one.xml=<one/> two.PDF=%PDF a/one.xml#2=<again/> ../../etc/three.xml=<three/> large.xml=" + xmlparse.CodeLimit
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, strings.Join(got, " "), want)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A member that needs a password says so; the others are read.
func TestEncryptedMember(t *testing.T) {
	data := zipped(t)
	for _, head := range []struct {
		signature string
		flags     int // where they are
	}{{"PK\x03\x04", 6}, {"PK\x01\x02", 8}} { // of the first member, and its entry in the directory
		data[bytes.Index(data, []byte(head.signature))+head.flags] |= 1
	}
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := bulk.OpenArchive(file, "", 1000, bulk.MostUnpacked)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for key, want := range map[string]string{"a/one.xml": bulk.CodeEncrypted, "two.PDF": "<nil>"} {
		if _, _, err := a.Read(t.Context(), bulk.Entry{Key: key, Size: 4}); codeOf(err) != want {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// A link in a ZIP is no document, though its bytes are there: the name that it leads to.
func TestLinkInZIP(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.zip")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	link := &zip.FileHeader{Name: "link.xml"}
	link.SetMode(fs.ModeSymlink | 0o777)
	for _, h := range []*zip.FileHeader{link, {Name: "a.xml"}} {
		m, failed := w.CreateHeader(h)
		if failed == nil {
			_, failed = m.Write([]byte("<a/>"))
		}
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	a, err := bulk.OpenArchive(file, "", 1000, bulk.MostUnpacked)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, _, err := a.Read(t.Context(), bulk.Entry{Key: "link.xml", Size: 4}); err == nil || !strings.Contains(err.Error(), "is a link or a device in the archive") {
		t.Errorf("a link: %v", err)
	}
	if data, _, err := a.Read(t.Context(), bulk.Entry{Key: "a.xml", Size: 4}); err != nil || string(data) != "<a/>" {
		t.Errorf("a file: %q, %v", data, err)
	}
}

// A TAR from a stream that broke off says so, and can be given again.
func TestBrokenOff(t *testing.T) {
	data, folder := tarred(t), t.TempDir()
	for _, c := range []struct {
		data []byte
		code string
	}{{data[:len(data)/2], bulk.CodeArchive}, {data, "<nil>"}} {
		a, err := bulk.OpenTAR(bytes.NewReader(c.data), folder, 1000)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := a.Each(t.Context(), func(bulk.Entry) error { n++; return nil }); codeOf(err) != c.code || n == 0 {
			t.Errorf("got %v after %d members", err, n)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What is not an archive says so.
func TestDamagedArchives(t *testing.T) {
	for _, name := range []string{"a.zip", "a.tar", "a.tar.gz", "a.tar.zst"} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(strings.Repeat("no archive ", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := bulk.OpenArchive(file, filepath.Join(dir, "work"), 1000, bulk.MostUnpacked); codeOf(err) != bulk.CodeArchive {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := bulk.OpenArchive(filepath.Join(t.TempDir(), "none.zip"), "", 1000, bulk.MostUnpacked); err == nil {
		t.Error("an archive that is not there is opened")
	}
}
