// Command notices writes the notices of third parties: the licences of every module that is
// linked into einvoiced, which has those of einvoice, fonts among them, as the modules bring them.
//
//	go run ./cmd/notices > cmd/internal/cli/notices.txt
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licence matches the names of files that a module's licence, or a notice, is in.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// pageLicences are those of the packages in the page /app, as make app wrote them.
const pageLicences = "server/app/licences.txt"

// A module is one that is linked.
type module struct {
	Path, Version, Dir string
	Main               bool
}

func write(w io.Writer) error {
	modules, err := linked()
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString("einvoiced contains the following modules of others, under these licences.\n")
	texts := map[string]string{} // the first module with a text
	for _, m := range modules {
		files, err := licences(m)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "\n%s\n%s %s\n", strings.Repeat("=", 80), m.Path, m.Version)
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(m.Dir, name))
			if err != nil {
				return err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
			if first, known := texts[text]; known {
				fmt.Fprintf(&out, "\n%s: the same text as of %s\n", name, first)
				continue
			}
			texts[text] = m.Path
			fmt.Fprintf(&out, "\n%s:\n\n%s\n", name, text)
		}
	}
	page, err := os.ReadFile(pageLicences)
	if err != nil {
		return err
	}
	fmt.Fprintf(&out, "\n%s\nThe page /app contains the following packages of others, under these licences.\n\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(string(page)))
	_, err = w.Write(out.Bytes())
	return err
}

// linked are the modules of the program, without itself, by path.
func linked() ([]module, error) {
	command := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/einvoiced")
	command.Stderr = os.Stderr
	data, err := command.Output()
	if err != nil {
		return nil, err
	}
	byPath := map[string]module{}
	for decoder := json.NewDecoder(bytes.NewReader(data)); ; {
		var p struct{ Module *module }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module != nil && !p.Module.Main {
			byPath[p.Module.Path] = *p.Module
		}
	}
	var modules []module
	for _, m := range byPath {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// licences are the names of the files of a module's licence.
func licences(m module) ([]string, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && licence.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), ".go") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s %s has no licence", m.Path, m.Version)
	}
	return names, nil
}
