// Package doctor says why a connection or a sign-in failed, and what to do: one ordered list
// of what was tried, each with what came. It reads what was recorded and judges nothing anew:
// the class of a failure is that of package wire or playground, a fault of a sign-in that of
// package auth. Each has its words here, once, for pages and for the terminal. So a remedy
// names no part of a page; Flags has what a command line does instead.
//
// A list has every step up to the one that failed, and the names of those that were not
// reached. What a server sent is in it as harmless text of limited length.
package doctor

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Step is one thing that was tried, or that was not reached.
type Step struct {
	ID    string
	Title string // what was tried
	// Outcome is Passed, Failed, Advisory for what is surprising, Stopped where a sign-in is
	// needed to go on, NotJudged where nothing was found and another address is tried,
	// NotApplicable, or NotReached.
	Outcome verdict.Outcome
	// Deliberate says that the client deviates from the specification here, because the user
	// chose to go on.
	Deliberate bool
	Came       string // one or more sentences; empty if not reached
	URL        string // that was requested, where Came does not name it; may be empty
	Body       string // how the body of the response begins, if Came does not quote it
	Do         string // the remedy; empty if nothing is to be done
	Flags      string // the flags of a command line that do it; may be empty
	Clause     string // page and anchor of the specification, or the RFC and section; may be empty

	Suggestions []server.Suggestion  // of other addresses
	Anyway      playground.Deviation // that goes on after this step; empty if none does
}

// Wrong reports whether the step is why the rest was not reached.
func (s Step) Wrong() bool { return s.Outcome == verdict.Failed || s.Outcome == verdict.Stopped }

// List is the steps in the order in which they were tried.
type List []Step

// Reached returns the steps that were tried, without those that do not apply.
func (l List) Reached() List {
	var list List
	for _, s := range l {
		if s.Outcome != verdict.NotReached && s.Outcome != verdict.NotApplicable {
			list = append(list, s)
		}
	}
	return list
}

// Unreached returns the titles of the steps that were not reached.
func (l List) Unreached() []string {
	var list []string
	for _, s := range l {
		if s.Outcome == verdict.NotReached {
			list = append(list, s.Title)
		}
	}
	return list
}

// Failed returns the step that failed, or nil.
func (l List) Failed() *Step {
	for i := range l {
		if l[i].Wrong() {
			return &l[i]
		}
	}
	return nil
}

// Surprising reports whether a step has something for the user to see: it failed, or it
// deserves a look.
func (l List) Surprising() bool {
	for _, s := range l {
		if s.Wrong() || s.Outcome == verdict.Advisory {
			return true
		}
	}
	return false
}

// Link returns the address of the clause, or "".
func (s Step) Link() string { return Link(s.Clause) }

// maxCame and maxBody bound what is quoted of a server, in characters.
const (
	maxCame = 900
	maxBody = 300
)

// harmless returns words that may quote a server.
func harmless(s string) string { return text.Visible(s, maxCame) }
