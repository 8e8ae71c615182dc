package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The data in the project is what the generator writes from the published schemas.
func TestDataIsCurrent(t *testing.T) {
	from := filepath.Join("..", "..", "..", "..", "shared", "schemas")
	if _, err := os.Stat(from); err != nil {
		t.Skip("the published schemas are not at ../shared/schemas")
	}
	files, err := generate(from)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "rulesets", "schemas", name+".txt"))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes", name)
		}
	}
	if len(files) != 9 {
		t.Errorf("%d files, want 9", len(files))
	}
}

// wrap makes a schema document with the given declarations.
func wrap(declarations string) string {
	return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:a="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
	targetNamespace="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" elementFormDefault="qualified">` + declarations + `</xs:schema>`
}

func printed(t *testing.T, document string) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.xsd")
	if err := os.WriteFile(path, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := readSchema(path)
	if err != nil {
		return "", err
	}
	text, err := s.print(s.documents, "")
	return string(text), err
}

func TestPrint(t *testing.T) {
	got, err := printed(t, wrap(`
	<xs:element name="Root" type="a:RootType"/>
	<xs:complexType name="RootType">
		<xs:sequence>
			<xs:element name="One" type="xs:string"/>
			<xs:element name="Many" minOccurs="0" maxOccurs="unbounded">
				<xs:complexType><xs:simpleContent><xs:extension base="a:Code">
					<xs:attribute name="list" type="xs:token" fixed="L"/>
				</xs:extension></xs:simpleContent></xs:complexType>
			</xs:element>
			<xs:choice maxOccurs="unbounded">
				<xs:element ref="a:Root"/>
				<xs:any namespace="##other" processContents="lax" minOccurs="0"/>
			</xs:choice>
		</xs:sequence>
		<xs:attribute name="id" type="xs:ID" use="required"/>
	</xs:complexType>
	<xs:simpleType name="Code"><xs:restriction base="xs:token"><xs:minLength value="1"/><xs:maxLength value="3"/></xs:restriction></xs:simpleType>`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `
element rsm:Root rsm:RootType
type rsm:RootType
	1 rsm:One xs:string
	0..n rsm:Many rsm:RootType/Many
	1..n choice
		1 rsm:Root
		0..1 any lax except rsm
	1 @id xs:ID

type rsm:RootType/Many < rsm:Code
	text rsm:Code
	0..1 @list xs:token = L

type rsm:Code < xs:token
	length 1..3
`
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
}

// What the data cannot express is refused.
func TestUnsupported(t *testing.T) {
	complexType := func(s string) string { return `<xs:complexType name="T">` + s + `</xs:complexType>` }
	for name, declaration := range map[string]string{
		"a group of attributes":   `<xs:attributeGroup name="G"/>`,
		"a substitution":          `<xs:element name="E" type="xs:string" substitutionGroup="a:F"/>`,
		"a nillable element":      `<xs:element name="E" type="xs:string" nillable="true"/>`,
		"a key":                   `<xs:element name="E"><xs:complexType/><xs:key name="k"/></xs:element>`,
		"all":                     complexType(`<xs:all><xs:element name="E" type="xs:string"/></xs:all>`),
		"an empty group":          complexType(`<xs:sequence/>`),
		"an undeclared element":   complexType(`<xs:sequence><xs:element ref="a:E"/></xs:sequence>`),
		"a skipping wildcard":     complexType(`<xs:sequence><xs:any processContents="skip" namespace="##any"/></xs:sequence>`),
		"an attribute by name":    complexType(`<xs:attribute ref="a:x"/>`),
		"a prohibited attribute":  complexType(`<xs:attribute name="x" type="xs:string" use="prohibited"/>`),
		"an extension of content": complexType(`<xs:complexContent><xs:extension base="xs:anyType"/></xs:complexContent>`),
		"a pattern":               `<xs:simpleType name="S"><xs:restriction base="xs:string"><xs:pattern value="a"/></xs:restriction></xs:simpleType>`,
		"a union":                 `<xs:simpleType name="S"><xs:union memberTypes="xs:string xs:int"/></xs:simpleType>`,
		"an unknown base":         complexType(`<xs:simpleContent><xs:extension base="a:None"/></xs:simpleContent>`),
	} {
		if text, err := printed(t, wrap(declaration)); err == nil || !strings.Contains(err.Error(), "main.xsd:2:") {
			t.Errorf("%s: got %v, want an error with its place\n%s", name, err, text)
		}
	}
}
