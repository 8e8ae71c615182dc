package main

import (
	"bytes"
	"os"
	"testing"
)

// The notices in the program are those of the modules that are linked.
func TestNoticesAreCurrent(t *testing.T) {
	have, err := os.ReadFile("../internal/cli/notices.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	var want bytes.Buffer
	if err := write(&want); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Error("cmd/internal/cli/notices.txt is not current; run make notices")
	}
	for what, words := range map[string]string{
		"fonts": "SIL OPEN FONT LICENSE", "more fonts": "Bitstream Vera", "Go": "Copyright 2009 The Go Authors", "PDFium": "The PDFium Authors", "FreeType": "The FreeType Project", "libjpeg-turbo": "Independent JPEG Group",
	} {
		if !bytes.Contains(have, []byte(words)) {
			t.Errorf("the notices do not have the licence of %s: %q", what, words)
		}
	}
}

// A licence that is known is told by its words, however its lines are broken; others are
// refused or unknown.
func TestKindOf(t *testing.T) {
	for text, want := range map[string]string{
		"Apache\n  License\nVersion 2.0": "Apache-2.0", "Permission is hereby granted,\r\nfree of charge, to any person": "MIT",
		"Redistribution and use in source\nand binary forms": "BSD", "Permission to use, copy, modify, and/or distribute": "ISC",
		"SIL OPEN FONT LICENSE Version 1.1": "OFL-1.1", "All rights reserved.": "",
	} {
		if kind, err := kindOf(text); kind != want || err != nil {
			t.Errorf("%q is %q, %v", text, kind, err)
		}
	}
	for _, text := range []string{"GNU GENERAL PUBLIC LICENSE\nVersion 3", "GNU Lesser\n General Public License", "Commons Clause", "licensed under CC BY-NonCommercial 4.0"} {
		if kind, err := kindOf(text); err == nil {
			t.Errorf("%q is %q", text, kind)
		}
	}
}
