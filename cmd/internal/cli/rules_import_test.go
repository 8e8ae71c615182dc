package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// release is a published file of an own country, with so much as the most that an invoice may be.
func release(most, id string) string {
	return `<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">
 <ns prefix="cbc" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>
 <ns prefix="cac" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"/>
 <ns prefix="ubl" uri="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>
 <let name="codes" value="tokenize('A01 A02 A03 A04 A05 A06 A07 A08 A09 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26', '\s')"/>
 <pattern><rule context="/ubl:Invoice">
  <assert id="OWN-1" test="number(cac:LegalMonetaryTotal/cbc:PayableAmount) &lt; ` + most + `"/>
  <assert id="OWN-2" flag="warning" test="not(cbc:BuyerReference) or cbc:BuyerReference = $codes"/>
  <assert id="` + id + `" test="cbc:ID"/>
 </rule></pattern>
</schema>`
}

// An author takes over a release of a country that is not built in: the rules of the release
// before are in a folder, and the new version is written beside them.
func TestReleaseOfAnOwnCountry(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{"old.sch": release("1000", "OWN-3"), "new.sch": release("100", "OWN-4")} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs(append([]string{"rules"}, args...))
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	if out, err := run("import", "--ruleset", "own/1", "--to", "rules", "old.sch"); err != nil {
		t.Fatal(err, out)
	}
	write := func(version string) {
		t.Helper()
		file := "rules/own/" + version + "/imported.yaml"
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer(`message: ""`, "message: Correct this.", `text: ""`, "text: This has to be so.").Replace(string(data))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("1")
	const changes = "gone OWN-3"
	for _, against := range []string{"old.sch", "own/1"} {
		out, err := run("import", "--rulesets", "rules", "--against", against, "new.sch")
		if err != nil || !strings.Contains(out, changes) || !strings.Contains(out, "new OWN-4") || strings.Contains(out, "OWN-2") || strings.Contains(out, "its level") {
			t.Errorf("against %s: %v\n%s", against, err, out)
		}
	}
	again := []string{"import", "--rulesets", "rules", "--against", "old.sch", "--ruleset", "own/2", "--extends", "own/1", "--to", "rules", "new.sch"}
	if out, err := run(again...); err != nil {
		t.Fatal(err, out)
	}
	write("2")
	if out, err := run("check", "rules"); err != nil || !strings.Contains(out, "2 rulesets, 5 rules") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run(again...); err == nil || !strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("written twice: %v\n%s", err, out)
	}
}

// The folder of --root holds the file and what it includes; a file elsewhere is refused with what
// to do.
func TestRootOfIncludes(t *testing.T) {
	t.Chdir(t.TempDir())
	const head = `<schema xmlns="http://purl.oclc.org/dsdl/schematron"><ns prefix="cbc" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>`
	for file, text := range map[string]string{
		"root/main/main.sch":  head + `<include href="../parts/part.sch"/></schema>`,
		"root/parts/part.sch": `<pattern xmlns="http://purl.oclc.org/dsdl/schematron"><rule context="/*"><assert id="OWN-1" test="cbc:ID"/></rule></pattern>`,
		"elsewhere.sch":       head + `<include href="parts/part.sch"/></schema>`,
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(root, file string) (string, error) {
		var out bytes.Buffer
		cmd := newRoot(Machines{})
		cmd.SetArgs([]string{"rules", "import", "--root", root, file})
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	whole := func(name string) string {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	const file = "root/main/main.sch"
	for _, of := range [][2]string{{"root", file}, {whole("root"), file}, {"root", whole(file)}, {whole("root"), whole(file)}} {
		if out, err := run(of[0], of[1]); err != nil || !strings.Contains(out, "OWN-1") {
			t.Errorf("%v: %v: %s", of, err, out)
		}
	}
	if _, err := run("root", "elsewhere.sch"); err == nil || !strings.Contains(err.Error(), "elsewhere.sch is outside of the folder root: give by --root") {
		t.Errorf("a file outside of the folder: %v", err)
	}
}

// A layer that is not there is an error before anything is written, as rules check would refuse the file.
func TestImportIntoALayerThatIsNotThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.sch")
	const schematron = `<schema xmlns="http://purl.oclc.org/dsdl/schematron"><pattern><rule context="/*"><assert id="OWN-1" test="*"/></rule></pattern></schema>`
	if err := os.WriteFile(file, []byte(schematron), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := newRoot(Machines{})
	cmd.SetArgs([]string{"rules", "import", "--layer", "national", file})
	cmd.SetOut(&out)
	cmd.SetErr(&bytes.Buffer{})
	if err := cmd.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), `unknown layer "national": use one of schema, en16931, cius`) || out.Len() > 0 {
		t.Errorf("%v: %s", err, out.String())
	}
}
