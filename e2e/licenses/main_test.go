package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLicenses_AreUpToDate: a module that is added or updated changes the file.
func TestLicenses_AreUpToDate(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := licenses(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, ".deploy", "THIRD_PARTY_LICENSES"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("the file is stale; run make licenses, and look at the difference")
	}
}

func TestClassify(t *testing.T) {
	for text, want := range map[string][]string{
		"Apache License\n   Version 2.0, January 2004":       {"Apache-2.0"},
		"Redistribution and use in source and\nbinary forms": {"BSD-2-Clause"},
		"Redistribution and use in source and binary forms ... may be used to\nendorse or promote " +
			"products derived from": {"BSD-3-Clause"},
		"All rights reserved.": nil,
	} {
		if got := classify(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
