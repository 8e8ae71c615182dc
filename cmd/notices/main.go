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

// kinds are licences that go with that of the project, by words that each has.
var kinds = map[string]string{
	"Apache-2.0": "Apache License", "MIT": "Permission is hereby granted, free of charge", "BSD": "Redistribution and use in source and binary forms",
	"ISC": "Permission to use, copy, modify, and", "MPL-2.0": "Mozilla Public License", "OFL-1.1": "SIL OPEN FONT LICENSE",
}

// notCompatible are words of licences that ask more of a program than its own does.
var notCompatible = regexp.MustCompile(`(?i)GNU (AFFERO |LESSER |LIBRARY )?GENERAL PUBLIC LICENSE|Server Side Public License|Business Source License|Commons Clause|NonCommercial`)

// kindOf is the kind of a licence; "" for a text that is none of those that are known. It is an
// error where the licence does not go with that of the project.
func kindOf(text string) (string, error) {
	plain := strings.Join(strings.Fields(text), " ")
	for kind, words := range kinds {
		if strings.Contains(plain, words) {
			return kind, nil
		}
	}
	if found := notCompatible.FindString(plain); found != "" {
		return "", fmt.Errorf("the text is of a licence that does not go with Apache-2.0: %s", found)
	}
	return "", nil
}

// A text is a file of licences of what is in the program and no module of Go.
type text struct{ file, what string }

var further = []text{
	{"formats/pdf/raster/licences.txt", "PDFium, which github.com/klippa-app/go-pdfium brings, contains the following, under these licences."}, // as make pdfium-licences wrote them
	{"server/app/licences.txt", "The page /app contains the following packages of others, under these licences."},                              // as make app wrote them
}

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
	out.WriteString("einvoice and einvoiced contain the following modules of others, under these licences:\neinvoiced all of them, einvoice those that it needs without NATS, S3 and Parquet.\n")
	texts := map[string]string{} // the first module with a text
	for _, m := range modules {
		files, err := licences(m)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "\n%s\n%s %s\n", strings.Repeat("=", 80), m.Path, m.Version)
		known := false
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(m.Dir, name))
			if err != nil {
				return err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n"))
			kind, err := kindOf(text)
			if err != nil {
				return fmt.Errorf("%s %s, %s: %w", m.Path, m.Version, name, err)
			}
			known = known || kind != ""
			if first, twice := texts[text]; twice {
				fmt.Fprintf(&out, "\n%s: the same text as of %s\n", name, first)
				continue
			}
			texts[text] = m.Path
			fmt.Fprintf(&out, "\n%s:\n\n%s\n", name, text)
		}
		if !known {
			return fmt.Errorf("%s %s has no licence that is known here (%s): read it, and add its kind if it goes with Apache-2.0", m.Path, m.Version, strings.Join(files, ", "))
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	ofGo := text{filepath.Join(strings.TrimSpace(string(root)), "LICENSE"), "The standard library of Go and its runtime"}
	for _, of := range append([]text{ofGo}, further...) {
		licence, err := os.ReadFile(of.file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), of.what, strings.TrimSpace(string(licence)))
	}
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
