package main

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

func TestReadClient_NoPlace(t *testing.T) {
	requests := make([]capture.RequestDocument, 1)
	for _, at := range []*verdict.PlaceDocument{nil, {}, {Request: 2}} {
		checks := []verdict.LineDocument{{ID: "check", Verdict: verdict.Failed, Where: at}}
		d := capture.Document{Checks: checks, Runs: []capture.RunDocument{{Requests: requests}}}
		if _, err := readClient(new(field.Subject), d); err == nil {
			t.Errorf("a failed check at %+v is read", at)
		}
	}
}
