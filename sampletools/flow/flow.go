// Package flow runs flows: tools that ask, described as data by a user.
//
// Read reads the written format as JSON and compiles its expressions. A Run goes
// through the steps of one version, and asks, sheds and reports through a Turn.
// The package shares the format with the editor's half of the program, and no Go
// types: a checker and a server that share structs would hide mistakes that both
// make.
//
// Every flow counts as hostile, also one that was checked when it was saved. Steps
// run once and in order, and an expression has no loop, call or variable, so a Run
// ends. Its texts, its work and its pauses have limits (see [Refusal]). Nothing of a
// flow is markup, a pattern, a path or an address.
package flow

import (
	"encoding/json"
	"time"
)

// Limits of a flow, as it is written.
const (
	maxSource       = 512 << 10 // bytes of JSON
	maxSteps        = 64        // of a version, and of its task
	maxVersions     = 20
	maxFields       = 40 // of a form, of an object, or arguments
	maxNesting      = 3  // of fields
	maxChoices      = 100
	maxName         = 64
	maxText         = 4000  // characters of one text
	maxExpression   = 500   // characters
	maxInstructions = 10000 // that one expression computes
	maxLife         = 24 * time.Hour

	// MaxWait is how long all progress of one call may take.
	MaxWait = time.Minute
)

// Limits of one turn of a call.
const (
	maxFilled    = 16 << 10 // bytes of one text with its values
	maxFilledAll = 64 << 10 // bytes of all texts
	maxCost      = 4 << 20  // bytes that expressions read and copy
)

// Refusal says in words why a flow cannot be run, or cannot go on with the values of
// a call.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Flow is a tool that asks.
type Flow struct {
	Name, Title, Description string // of the tool
	Input                    json.RawMessage
	Protection               string        // of the state: sealed, signed, plain, or "" for the default
	Life                     time.Duration // of the state; 0 for the default
	Instances                string        // topology if the URL has none; may be empty
	Versions                 []*Version    // the first is v1

	arguments []field
}

// Version is what the instances of one version do.
type Version struct {
	Name         string
	HasTask      bool
	TaskRequired bool // clients that do not know tasks are refused

	steps, task []step
	result      []ending
	again       map[string]bool
}

// Kind is what a step does.
type Kind string

// The kinds of steps. The first four ask.
const (
	Form     Kind = "form"
	URL      Kind = "url"
	Sampling Kind = "sampling"
	Roots    Kind = "roots"
	shed     Kind = "shed"
	progress Kind = "progress"
	end      Kind = "end"
)

func (k Kind) asks() bool { return k == Form || k == URL || k == Sampling || k == Roots }

// step is a compiled step. Its message is the prompt of a Sampling.
type step struct {
	kind     Kind
	key      string
	when     *expression // nil if always
	together bool

	message, system text
	maxTokens       int
	fields          []field
	schema          json.RawMessage
	page            page
	decline, cancel reaction
	done, of        float64
	wait            time.Duration
	end             ending
}

type page struct {
	title, button string
	text          text
}

// reaction is what follows a refusal; the zero reaction ends the call.
type reaction struct {
	goesOn, again bool
	end           *ending
}

type ending struct {
	when *expression
	text text
	err  bool
}

// Version returns the version with that name, or nil if there is none.
func (f *Flow) Version(name string) *Version {
	for _, v := range f.Versions {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Again reports whether the version asks a question again that an earlier version has
// the answer to.
func (v *Version) Again(key string) bool { return v.again[key] }

// AsksAgain reports whether any version of the flow asks a question again, so that a
// server has to know which version asked.
func (f *Flow) AsksAgain() bool {
	for _, v := range f.Versions {
		if len(v.again) > 0 {
			return true
		}
	}
	return false
}

// Question returns a question of a version without its texts: enough to judge an
// answer to it.
func (v *Version) Question(key string) (Question, bool) {
	s := v.find(key)
	if s == nil {
		return Question{}, false
	}
	return Question{Kind: s.kind, Key: key, Schema: s.schema}, true
}

// find returns the question with a key, or nil.
func (v *Version) find(key string) *step {
	for _, list := range [][]step{v.steps, v.task} {
		for i := range list {
			if list[i].kind.asks() && list[i].key == key {
				return &list[i]
			}
		}
	}
	return nil
}

// HasProgress reports whether the flow reports progress inside its call.
func (f *Flow) HasProgress() bool {
	for _, v := range f.Versions {
		for _, s := range v.steps {
			if s.kind == progress {
				return true
			}
		}
	}
	return false
}

// HasTask reports whether a version of the flow goes on as a task.
func (f *Flow) HasTask() bool {
	for _, v := range f.Versions {
		if v.HasTask {
			return true
		}
	}
	return false
}

// HasPage reports whether a version of the flow asks its user to open a page.
func (f *Flow) HasPage() bool {
	for _, v := range f.Versions {
		for _, list := range [][]step{v.steps, v.task} {
			for _, s := range list {
				if s.kind == URL {
					return true
				}
			}
		}
	}
	return false
}

// Page is the page that a question in URL mode leads to.
type Page struct{ Title, Text, Button string }

// Page returns the page of a question, with the values of its text. It reports false
// if there is no such page, or its text needs other values.
func (f *Flow) Page(version, key string, values []string) (Page, bool) {
	v := f.Version(version)
	if v == nil {
		return Page{}, false
	}
	s := v.find(key)
	if s == nil || s.kind != URL {
		return Page{}, false
	}
	words, ok := s.page.text.with(values)
	return Page{s.page.title, words, s.page.button}, ok
}
