// Package field has what real software does with MRTR: the servers of SDKs, their
// clients, and gateways between the two, as facts that were measured on one day.
// Command e2e/field measures them and writes the files; "make field" runs it.
//
// # Contract
//
// Nothing here judges: a Fact has the words of its judge on the day of its
// subject, and they stay so when a rule changes. The files must not be edited by
// hand, because they are claims about the software of others. What its makers or
// readers say about a fact is in corrections.json, beside the fact that they mean.
//
// A Fact whose outcome is not judged says nothing good about its subject.
// Subjects are in the order of their names, and are never ranked.
//
// # Design
//
// The files of folder facts are for people and their diffs. The program has the
// same facts in field.zst, with the recordings that they cite; a test compares
// the two. The recordings repeat each other, so one of each kind is the
// dictionary of all, and one can be read without the others. An entry of the
// archive is a line with its name and its size, and a zstd frame.
package field

import (
	"bytes"
	_ "embed" // for the files
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Kind is the part that a subject plays between a user and a tool.
type Kind string

// Kinds of subjects.
const (
	Server  Kind = "server"
	Client  Kind = "client"
	Gateway Kind = "gateway"
)

// Kinds returns the kinds in the order of pages.
func Kinds() []Kind { return []Kind{Server, Client, Gateway} }

// Subject is one program or library in one configuration.
type Subject struct {
	Slug      string   `json:"slug"`
	Kind      Kind     `json:"kind"`
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Condition string   `json:"condition"` // its mode or configuration, in code or in a few words
	How       string   `json:"how"`       // the command that measures it again
	Day       string   `json:"day"`       // as 2026-11-26
	Revisions []string `json:"revisions"` // of MCP that it spoke, the newest first
	Facts     []Fact   `json:"facts"`     // in the order of their judge
}

// Fact is one thing that was checked.
type Fact struct {
	// Check is the name of what judged it: a check of the client test, with its scenario, an
	// experiment or a rule of the server check, a line of the gateway test.
	Check string `json:"check"`
	// Requirement is the id in package spec; empty if no requirement binds the subject to it.
	Requirement string          `json:"requirement,omitempty"`
	Title       string          `json:"title"`
	Level       string          `json:"level,omitempty"`  // a keyword of the specification; empty for none
	Clause      string          `json:"clause,omitempty"` // link, if there is no requirement; may be empty
	Outcome     verdict.Outcome `json:"outcome"`
	Condition   string          `json:"condition,omitempty"` // when it happens; may be empty
	Sentence    string          `json:"sentence"`            // what was seen, or why nothing was judged
	// Exchange and Round are its place in the recording, from 1; 0 if nothing shows it.
	Exchange int `json:"exchange,omitempty"`
	Round    int `json:"round,omitempty"`
}

// Key returns what the fact is about: its requirement, or else the check.
func (f Fact) Key() string {
	if f.Requirement != "" {
		return f.Requirement
	}
	return f.Check
}

// Link returns the address of the clause, or "".
func (f Fact) Link() string {
	if s, ok := spec.ByID(f.Requirement); ok {
		return s.Link()
	}
	return f.Clause
}

// Subject returns the requirement in the words of the specification, or else what was checked.
func (f Fact) Subject() string {
	if s, ok := spec.ByID(f.Requirement); ok {
		return s.Text
	}
	return f.Title
}

// Path returns the address of the round that shows a fact, or "" if none does.
func (s Subject) Path(f Fact) string {
	if f.Exchange == 0 {
		return ""
	}
	return fmt.Sprintf("/s/%s?x=%d&round=%d&panel=wire", s.Token(), f.Exchange, f.Round)
}

// Title returns the title of the recording.
func (s Subject) Title() string {
	return s.Name + " " + s.Version + " in the " + tests[s.Kind] + ": " + s.Condition
}

// tests are the names of the tests that measure the kinds.
var tests = map[Kind]string{Server: "server check", Client: "client test", Gateway: "gateway test"}

// Data is subjects with their facts, and the corrections of these.
type Data struct {
	Subjects    []Subject // by kind and name
	Corrections []Correction
}

// Measured returns what was measured and corrected.
func Measured() Data { return Data{Subjects(), slices.Clone(corrections())} }

// Subjects returns the subjects that were measured, by kind and name.
func Subjects() []Subject { return slices.Clone(subjects()) }

var subjects = sync.OnceValue(func() []Subject {
	var list []Subject
	facts, _ := read(factsEntry)
	if err := json.Unmarshal(facts, &list); err != nil {
		panic(err) // a test reads the archive, which is part of the program
	}
	return list
})

// Correction is what a maker of a subject, or a reader, says about a fact.
type Correction struct {
	Subject string `json:"subject"` // slug
	Fact    string `json:"fact"`    // its requirement, or else its check
	Day     string `json:"day"`
	By      string `json:"by"`
	Words   string `json:"words"`
	Link    string `json:"link"` // to where it was said; may be empty
}

//go:embed corrections.json
var correctionsFile []byte

var corrections = sync.OnceValue(func() []Correction {
	list, err := ReadCorrections(correctionsFile)
	if err != nil { // a test reads the file, which is part of the program
		panic(err)
	}
	return list
})

// ReadCorrections reads a file of corrections. It returns an error for one that names no
// fact, or that lacks a day, an author or words.
func ReadCorrections(data []byte) ([]Correction, error) {
	var list []Correction
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("read corrections: %w", err)
	}
	for i, c := range list {
		_, err := time.Parse(time.DateOnly, c.Day)
		about := func(s Subject) bool {
			return s.Slug == c.Subject && slices.ContainsFunc(s.Facts, c.isAbout)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("correction %d: %w", i+1, err)
		case c.By == "" || c.Words == "":
			return nil, fmt.Errorf("correction %d has no author or no words", i+1)
		case c.Link != "" && !strings.HasPrefix(c.Link, "https://"):
			return nil, fmt.Errorf("correction %d: the link is no https address", i+1)
		case !slices.ContainsFunc(subjects(), about):
			return nil, fmt.Errorf("correction %d: %s has no fact %s", i+1, c.Subject, c.Fact)
		}
	}
	return list, nil
}

// isAbout reports whether the correction is about a fact of its subject.
func (c Correction) isAbout(f Fact) bool { return c.Fact == f.Key() || c.Fact == f.Check }

// CorrectionsOf returns the corrections of a fact.
func (d Data) CorrectionsOf(r Row) []Correction {
	var list []Correction
	for _, c := range d.Corrections {
		if c.Subject == r.Slug && c.isAbout(*r.Fact) {
			list = append(list, c)
		}
	}
	return list
}
