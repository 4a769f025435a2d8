package main

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

func TestRecording_NoPlace(t *testing.T) {
	requests := make([]capture.RequestDocument, 1)
	for _, at := range []*verdict.PlaceDocument{nil, {}, {Request: 2}} {
		if x, err := recording(requests, at); err == nil {
			t.Errorf("%+v: %+v", at, x)
		}
	}
	failed := []verdict.LineDocument{{ID: "check", Verdict: verdict.Failed}}
	d := capture.Document{Checks: failed, Runs: []capture.RunDocument{{Requests: requests}}}
	if _, err := readClient(new(field.Subject), d); err == nil {
		t.Error("a failed check without a place is read")
	}
}
