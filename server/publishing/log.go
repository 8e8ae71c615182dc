package publishing

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"einvoice/rulesets"
	"einvoice/service/inputfile"
)

// The publications of a folder are a chain: each names the digest of the file of the one before
// it. What was changed in the past, or taken out of it, shows; that the newest was taken away
// shows by its digest alone, which whoever keeps the log elsewhere has.

// recordFile is the file of a version.
func recordFile(dir string, version int) string {
	return filepath.Join(dir, versionsFolder, fmt.Sprintf("%06d.json", version))
}

// record is a publication as it is kept, signed where the service has a key.
func (s *Shelf) record(p *Publication) ([]byte, error) {
	p.Signature = ""
	if s.Signs != nil {
		plain, err := json.MarshalIndent(p, "", "  ")
		if err != nil {
			return nil, err
		}
		p.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(s.Signs, plain))
	}
	return json.MarshalIndent(p, "", "  ")
}

// lastDigest is the digest of the file of the newest version; "" without one.
func lastDigest(dir string) (string, error) {
	all, err := publications(dir)
	if err != nil || len(all) == 0 {
		return "", err
	}
	return fileDigest(recordFile(dir, all[len(all)-1].Version))
}

func fileDigest(name string) (string, error) {
	data, err := os.ReadFile(name)
	return digestOf(data), err
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A LogEntry is a publication with what is wrong with it.
type LogEntry struct {
	Publication
	Digest string   `json:"digest"` // of its file
	Faults []string `json:"faults,omitempty"`
}

// Log reads the publications of a folder and holds them against each other, and the newest
// against the folder. public is the key that they are signed with; nil leaves signatures alone.
func Log(dir string, public ed25519.PublicKey) (entries []LogEntry, err error) {
	all, err := publications(dir)
	if err != nil {
		return nil, err
	}
	previous := ""
	texts := map[string]*string{} // of files, as versions left them
	for i := range all {
		e := LogEntry{Publication: all[i]}
		fault := func(format string, args ...any) { e.Faults = append(e.Faults, fmt.Sprintf(format, args...)) }
		expected := 1
		if i > 0 {
			expected = all[i-1].Version + 1
		}
		if e.Version != expected {
			fault("version %d is missing before it", expected)
		}
		if e.Digest, err = fileDigest(recordFile(dir, e.Version)); err != nil {
			return nil, err
		}
		switch {
		case e.Previous == "" && previous != "":
			fault("it does not name the version before it: it was written before there was a chain, or by hand")
		case e.Previous != previous:
			fault("the version before it was changed since, or taken out")
		}
		if e.ApprovedKey != "" && e.ApprovedKey == e.Key {
			fault("it was approved with the key that proposed it")
		}
		if public != nil && !e.isSignedBy(public) {
			fault("its signature is not that of the key")
		}
		for _, f := range e.Files {
			if before, known := texts[f.Name]; known && !same(before, f.Before) {
				fault("%s was not as the version before had left it", f.Name)
			}
			texts[f.Name] = f.After
		}
		entries = append(entries, e)
		previous = e.Digest
	}
	if len(entries) == 0 {
		return nil, nil
	}
	last := &entries[len(entries)-1]
	for name, text := range texts {
		now, err := textOf(dir, name)
		if err != nil {
			return nil, err
		}
		if !same(now, text) {
			last.Faults = append(last.Faults, name+" is not as it was published: it was changed by hand since")
		}
	}
	return entries, nil
}

// isSignedBy reports whether the signature is that of a key.
func (p Publication) isSignedBy(public ed25519.PublicKey) bool {
	signature, err := base64.StdEncoding.DecodeString(p.Signature)
	p.Signature = ""
	plain, failed := json.MarshalIndent(&p, "", "  ")
	return err == nil && failed == nil && ed25519.Verify(public, plain, signature)
}

// shortestDigest is how many digits of a digest name a file.
const shortestDigest = 8

// Ships stands for the version of what ships with the program.
const Ships = -1

// At is a file of rules as it was when it had a digest, or one that begins so, with its name and
// the version that wrote it; 0 for one that is there and was never published, Ships for one of the
// program. It looks in the folders one after the other, and then in what ships, which profiles name.
func At(dirs []string, digest string) (name, text string, version int, err error) {
	digest = strings.ToLower(strings.TrimPrefix(digest, "sha256:"))
	if len(digest) < shortestDigest {
		return "", "", 0, fmt.Errorf("%q is too short for a digest: give %d digits or more", digest, shortestDigest)
	}
	for _, dir := range dirs {
		name, text, version, err = at(dir, digest)
		if name != "" || err != nil {
			return name, text, version, err
		}
	}
	files, _ := fs.Glob(rulesets.FS, "overlays/*.yaml") // a pattern that is right
	for _, file := range files {
		if now, err := fs.ReadFile(rulesets.FS, file); err == nil && strings.HasPrefix(digestOf(now), digest) {
			return file, string(now), Ships, nil
		}
	}
	return "", "", 0, fmt.Errorf("no overlay in %s has, or had, the digest %s: give that of the overlay (\"its version is sha256\"), not that of its rules at the foot of a report", strings.Join(dirs, ", "), digest)
}

// at is At in one folder; the name is empty where it has no such file.
func at(dir, digest string) (name, text string, version int, err error) {
	all, err := publications(dir)
	if err != nil {
		return "", "", 0, err
	}
	for _, p := range all {
		for _, f := range p.Files {
			if f.After != nil && strings.HasPrefix(digestOf([]byte(*f.After)), digest) {
				return f.Name, *f.After, p.Version, nil
			}
			if f.Before != nil && strings.HasPrefix(digestOf([]byte(*f.Before)), digest) {
				name, text = f.Name, *f.Before
			}
		}
	}
	if name != "" {
		return name, text, 0, nil
	}
	files, err := fs.Glob(os.DirFS(dir), "overlays/*.yaml")
	if err != nil {
		return "", "", 0, err
	}
	for _, file := range files {
		now, err := textOf(dir, file)
		if err == nil && now != nil && strings.HasPrefix(digestOf([]byte(*now)), digest) {
			return file, *now, 0, nil
		}
	}
	return "", "", 0, nil
}

// mostKeyBytes bounds a file of a key.
const mostKeyBytes = 16 << 10

func readPEM(name string) ([]byte, error) {
	data, _, err := inputfile.Read(name, mostKeyBytes)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("%s is not a key in PEM: make one with openssl genpkey -algorithm ed25519", name)
	}
	return block.Bytes, nil
}

// ReadPrivateKey reads the key that publications are signed with: Ed25519 in PKCS #8 and PEM.
func ReadPrivateKey(name string) (ed25519.PrivateKey, error) {
	data, err := readPEM(name)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	private, is := key.(ed25519.PrivateKey)
	if !is {
		return nil, errors.New(name + " is a key of another kind than Ed25519")
	}
	return private, nil
}

// ReadPublicKey reads the key that signatures are verified with: Ed25519 in PEM.
func ReadPublicKey(name string) (ed25519.PublicKey, error) {
	data, err := readPEM(name)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKIXPublicKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	public, is := key.(ed25519.PublicKey)
	if !is {
		return nil, errors.New(name + " is a key of another kind than Ed25519")
	}
	return public, nil
}
