package query_test

import (
	"flag"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"einvoice/formats/xmlparse"
	"einvoice/model"
)

var libxml2 = flag.String("libxml2", "", "a checkout of libxml2, with test/XPath and result/XPath")

// quotedPart is what differs between refusals of a kind.
var quotedPart = regexp.MustCompile("[\"'`][^\"'`]*[\"'`]|column [0-9]+: |[0-9]+")

// Every expression of libxml2's tests is refused with a reason, or gives what libxml2 gives.
// What is refused is counted by reason.
func TestLibxml2(t *testing.T) {
	if *libxml2 == "" {
		t.Skip("say where libxml2 is: -libxml2 FOLDER")
	}
	results, err := filepath.Glob(filepath.Join(*libxml2, "result/XPath/*/*"))
	if err != nil || len(results) == 0 {
		t.Fatalf("no results in %s: %v", *libxml2, err)
	}
	counts, refused := map[string]int{}, map[string]int{}
	for _, file := range results {
		kind, name := filepath.Base(filepath.Dir(file)), filepath.Base(file)
		document := "<empty/>"
		if kind != "expr" {
			document = documentOf(t, name)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := xmlparse.Parse([]byte(document), xmlparse.DefaultLimits())
		for _, one := range strings.Split(string(data), "========================\n")[1:] {
			counts["expressions"]++
			if err != nil {
				counts["of documents that are not read: "+quotedPart.ReplaceAllString(err.Error(), "…")]++
				continue
			}
			expression, want, _ := strings.Cut(strings.TrimPrefix(one, "Expression: "), "\n")
			got, err := asLibxml2(expression, &model.Document{Source: tree})
			wanted := outcomeOf(want)
			switch {
			case err != nil:
				counts["refused"]++
				refused[quotedPart.ReplaceAllString(err.Error(), "…")]++
			case got == wanted:
				counts["equal"]++
			case sameNumber(got, wanted):
				counts["equal, and libxml2 writes an exponent"]++
			case got == "NaN" && strings.Contains(wanted, "Infinity"), strings.Contains(expression, " div 0"), strings.Contains(expression, " div -0"):
				counts["with infinity, which is NaN here (docs/adr/0033-xpath.md)"]++
			case strings.HasSuffix(name, "pat"):
				counts["patterns of XSLT, which are not expressions"]++
			case strings.HasSuffix(expression, "/node()") && strings.ReplaceAll(wanted, " ", "") == strings.ReplaceAll(got, " ", ""):
				counts["with blanks between elements, which are not kept"]++
			default:
				t.Errorf("%s/%s: %s gives %q, want %q", kind, name, expression, got, wanted)
			}
		}
	}
	t.Log(counts)
	if counts["equal"] < 200 {
		t.Errorf("only %d expressions are equal", counts["equal"])
	}
	for _, reason := range slices.SortedFunc(maps.Keys(refused), func(a, b string) int { return refused[b] - refused[a] }) {
		t.Logf("%4d refused: %s", refused[reason], reason)
	}
}

// documentOf is the document that a file of tests is about, by the longest name that begins it.
func documentOf(t *testing.T, name string) string {
	t.Helper()
	docs, err := filepath.Glob(filepath.Join(*libxml2, "test/XPath/docs/*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(docs, func(a, b string) int { return len(b) - len(a) })
	for _, doc := range docs {
		if strings.HasPrefix(name, filepath.Base(doc)) {
			data, err := os.ReadFile(doc)
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
	}
	t.Fatalf("no document for %s", name)
	return ""
}

// asLibxml2 evaluates an expression, and gives the value with its type, or how many nodes.
func asLibxml2(expression string, doc *model.Document) (string, error) {
	found, err := foundBy(expression, doc)
	if err != nil {
		return "", err
	}
	if !found.IsSet {
		return found.Value, nil
	}
	nodes := make([]string, len(found.Nodes))
	for i, n := range found.Nodes {
		if nodes[i] = position.ReplaceAllString(lastStep.FindString(n.Path), ""); strings.HasPrefix(nodes[i], "@") || strings.HasSuffix(nodes[i], "()") {
			nodes[i] = "" // libxml2 writes those without a path
		}
	}
	return strings.Join(append([]string{"nodes:"}, nodes...), " "), nil
}

var (
	lastStep  = regexp.MustCompile(`[^/\[\]:]*(?:\[[0-9]+\])?$`)
	position  = regexp.MustCompile(`\[[0-9]+\]`)
	oneNode   = regexp.MustCompile(`(?m)^[0-9]+ +(\S+)(?: (\S+))?`)
	escaped   = regexp.MustCompile(`#([0-9A-F]{2})`)
	oneResult = regexp.MustCompile(`^Object is a (\w+) : (?s:(.*?))\n*$`)
)

// outcomeOf reads what libxml2 writes of a value or of nodes; "" for an error.
func outcomeOf(result string) string {
	if m := oneResult.FindStringSubmatch(result); m != nil {
		return m[2]
	}
	if !strings.HasPrefix(result, "Object is a Node Set") {
		return ""
	}
	nodes := []string{"nodes:"}
	for _, m := range oneNode.FindAllStringSubmatch(result, -1) {
		if m[1] != "ELEMENT" {
			m[2] = ""
		}
		nodes = append(nodes, escaped.ReplaceAllStringFunc(m[2], func(x string) string {
			b, _ := strconv.ParseUint(x[1:], 16, 8)
			return string([]byte{byte(b)})
		}))
	}
	return strings.Join(nodes, " ")
}

// sameNumber compares what XPath writes out with what libxml2 writes with an exponent.
func sameNumber(written, exponent string) bool {
	a, err := strconv.ParseFloat(written, 64)
	if err != nil || !strings.Contains(exponent, "e") {
		return false
	}
	b, err := strconv.ParseFloat(exponent, 64)
	return err == nil && math.Abs(a-b) <= math.Abs(a)*1e-5 // libxml2 writes six digits
}
