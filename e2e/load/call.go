//go:build linux

package main

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// The Azure DevOps call: how it is started, its two questions, and its answers.
var (
	startForm    = url.Values{"sample": {"azure-devops"}}
	firstAnswer  = url.Values{"round": {"1"}, "a0.action": {"accept"}, "a0.f0": {"Duplicate"}}
	secondAnswer = url.Values{"round": {"2"}, "a0.action": {"accept"}, "a0.f0": {"4301"}}
)

const (
	firstQuestion  = `data-input-key="resolution"`
	secondQuestion = `data-input-key="duplicate_of"`
	completed      = `data-status="complete"`
)

// begin starts the call and returns the path of its exchange.
func (b *browser) begin(ctx context.Context) (string, error) {
	p, err := b.post(ctx, "/exchanges", startForm, false)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(p.location, b.origin), p.want(http.StatusSeeOther, "")
}

// answer sends the answer to a question and expects a text in the fragment that
// comes back.
func (b *browser) answer(ctx context.Context, path string, form url.Values, expected string) error {
	p, err := b.post(ctx, path+"/rounds", form, true)
	if err != nil {
		return err
	}
	return p.want(http.StatusOK, expected)
}

// preview asks for the retry that an answer would be, as the page does while
// the visitor fills in the form.
func (b *browser) preview(ctx context.Context, path string, form url.Values) error {
	typed := url.Values{"do": {"preview"}}
	for name, values := range form {
		typed[name] = values
	}
	p, err := b.post(ctx, path+"/rounds", typed, true)
	if err != nil {
		return err
	}
	return p.want(http.StatusOK, "inputResponses")
}
