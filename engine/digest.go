package engine

import (
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"path"
	"slices"
	"strings"
)

// Digests name what a verdict depends on. That of a ruleset, or of the rules of an overlay,
// covers its files, the rulesets that it extends, and the code lists and look-up tables that
// its rules ask (dataOf); that of a report the rulesets and the profile with its overlays as
// well.

// CodeLists are the names of the code lists that the rules refer to, sorted.
func (s *Ruleset) CodeLists() []string {
	var names []string
	for _, r := range s.Rules {
		names = append(names, r.CodeLists()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// CodeLists are the names of the code lists that a rule refers to.
func (r *Rule) CodeLists() (names []string) {
	if r.Row != nil && r.Row.list != "" {
		names = append(names, r.Row.list)
	}
	r.eachExpression(func(text string) {
		names = append(names, firstArguments(text, "isInCodeList")...)
	})
	return names
}

// eachExpression visits the texts of a rule that have CEL. A row of a table has none.
func (r *Rule) eachExpression(visit func(text string)) {
	if r.Row != nil {
		return
	}
	visit(r.Assert.Value)
	visit(r.Message.Value)
	for i := range r.Variants {
		visit(r.Variants[i].Assert.Value)
		visit(r.Variants[i].Message.Value)
	}
}

// digestFiles is the digest of the files of a ruleset, to which more is added.
func (l *Library) digestFiles(files []*ruleFile) (hash.Hash, error) {
	digest := sha256.New()
	if state, err := readText(l.fsys, stateFile(files)); err == nil {
		if digest.(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(state)) == nil {
			return digest, nil
		}
		digest.Reset()
	}
	for _, f := range files {
		text, err := f.contents.read()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(digest, "%s %d\n", path.Base(f.name), len(text))
		digest.Write(text)
	}
	return digest, nil
}

// stateFile is where the store has the state of the digest of files, by the digest of each:
// what has the state of these need not read them.
func stateFile(files []*ruleFile) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(path.Base(f.name) + " " + f.contents.digest + "\n")
	}
	return StoreFolder + "/digest-" + hexDigest([]byte(b.String())) + ".bin"
}

// dataOf names the data that rules ask beside the document, with its digests: "" where they ask
// none. Data that cannot be read is reported where it is used. A list that an overlay makes
// itself is in the text of the overlay.
func (l *Library) dataOf(s *Ruleset) string {
	var data strings.Builder
	for _, name := range s.CodeLists() {
		if list, err := l.codeList(name, nil); err == nil {
			fmt.Fprintf(&data, "code list %s %s\n", name, list.digest)
		}
	}
	for _, name := range s.Tables() {
		t, err := l.Table(name)
		if err != nil {
			continue
		}
		if digest, err := t.Digest(); err == nil {
			fmt.Fprintf(&data, "table %s %s\n", name, digest)
		}
	}
	return data.String()
}

// Codes are the codes of the list, sorted.
func (c *CodeList) Codes() []string {
	codes := make([]string, 0, len(c.codes()))
	for code := range c.codes() {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// SHA256 is the digest of the profile as it is written, with the names of its overlays.
func (p *Profile) SHA256() string {
	text, err := json.Marshal(p)
	if err != nil { // a struct of texts always has JSON
		return ""
	}
	return hexDigest(text)
}

// DigestOf is the digest of everything that decides: rulesets, the profile, nil for none,
// the overlays, and what else does, "" for nothing.
func DigestOf(rulesets []RulesetInfo, p *Profile, overlays []*Overlay, further string) string {
	var b strings.Builder
	for _, r := range rulesets {
		fmt.Fprintf(&b, "%s/%s %s\n", r.Name, r.Version, r.SHA256)
	}
	if p != nil {
		fmt.Fprintf(&b, "profile %s %s\n", p.ID, p.SHA256())
	}
	for _, o := range overlays {
		fmt.Fprintf(&b, "overlay %s %s\n", o.Name, o.SHA256)
	}
	b.WriteString(further)
	return hexDigest([]byte(b.String()))
}

func hexDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
