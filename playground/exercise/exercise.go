// Package exercise judges the exercise that ends the lessons. Its first half is
// a server with the tool book_table, which asks in two rounds. A check of
// package check makes the calls. A Requirement is met by the record of its
// Session and by the verdicts of package lab, so the list can be made again
// from a stored or shared Session. The second half is a client, and the
// observations of the client test of package capture about it.
//
// The package is pure. A Requirement that no recorded call shows is never met:
// a learner must not be praised for code that did not run.
package exercise

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Tool is the name of the tool that the learner writes.
const Tool = "book_table"

// The keys of the questions, which are also the names of their fields.
const (
	keyPeople  = "people"
	keyTime    = "time"
	keyConfirm = "confirm"
)

// Booked is the text of the result of the right call.
const Booked = "Booked a table for 4 at Luigi on Friday at 19:00."

// bookedWords is how the text begins that reports a booking.
const bookedWords = "Booked a table"

// table is the agreement of one call of the list.
type table struct {
	restaurant, day string
	people          int
	time            string
	confirm         bool
}

// The right call, and the others that the list needs: one in which the user
// leaves the last box empty, and two with other arguments, at both ends of the
// range that the forms allow.
var (
	right  = table{"Luigi", "Friday", 4, "19:00", true}
	others = []table{
		{"Luigi", "Friday", 2, "20:00", false},
		{"Luigi", "Saturday", 1, "18:00", true},
		{"Roma", "Friday", 12, "20:00", true},
	}
)

// words returns the words that the last question and the text of the booking
// must have.
func (t table) words() []string {
	return []string{t.restaurant, t.day, strconv.Itoa(t.people), t.time}
}

func (t table) arguments() json.RawMessage {
	return jsontree.ObjectOf(
		jsontree.Pair{Key: "restaurant", Value: jsontree.Quote(t.restaurant)},
		jsontree.Pair{Key: "day", Value: jsontree.Quote(t.day)},
	)
}

func (t table) answers() map[string]json.RawMessage {
	field := func(name, value string) json.RawMessage {
		return jsontree.ObjectOf(jsontree.Pair{Key: name, Value: json.RawMessage(value)})
	}
	return map[string]json.RawMessage{
		keyPeople: field(keyPeople, strconv.Itoa(t.people)), keyTime: field(keyTime, strconv.Quote(t.time)),
		keyConfirm: field(keyConfirm, strconv.FormatBool(t.confirm)),
	}
}

// Arguments returns the arguments of the right call.
func Arguments() json.RawMessage { return right.arguments() }

// Answers returns the answers of the right call by key.
func Answers() map[string]json.RawMessage { return right.answers() }

// Others returns the other calls that the list needs.
func Others() []lab.Variation {
	var list []lab.Variation
	for _, t := range others {
		v := lab.Variation{Answers: t.answers()}
		if t.restaurant != right.restaurant || t.day != right.day {
			v.Arguments = t.arguments()
		}
		list = append(list, v)
	}
	return list
}

// Call returns the right call.
func Call() playground.Call {
	return playground.Call{Method: playground.ToolsCall, Params: jsontree.ObjectOf(
		jsontree.Pair{Key: "name", Value: jsontree.Quote(Tool)},
		jsontree.Pair{Key: "arguments", Value: Arguments()},
	)}
}

// Is reports whether a call is the right call of the exercise.
func Is(c playground.Call) bool {
	params, err := jsontree.Parse(c.Params, jsontree.Limits{})
	if err != nil || c.Method != playground.ToolsCall || params.Get("name").Str() != Tool {
		return false
	}
	arguments, err := jsontree.Parse(Arguments(), jsontree.Limits{})
	return err == nil && jsontree.Equal(params.Get("arguments"), arguments)
}

// Requirement is one thing that the server must do. Its texts are plain text
// with code in backticks.
type Requirement struct {
	ID     string
	Part   string // of the call: the first of each part begins a group
	Text   string // what the server must do
	Note   string // what else an explanation says; may be empty
	Lesson string // slug of the lesson that treats it
	// Passed, Failed, NotJudged if the call or the check ended before, or NotReached if the
	// check has not got there
	Outcome verdict.Outcome
	// of Failed: the observation, in one sentence; of NotJudged: the reason, if
	// there is no Cause
	Why      string
	Cause    string // of NotJudged: id of the failed requirement that the right call did not get beyond
	Probe    string // id of the experiment that decided it; "" if the right call did
	Exchange string // of Failed: id of the exchange that shows it

	Experiments []string // ids of those that can decide it
}

// Requirements returns the list before anything is known.
func Requirements() []Requirement {
	list := make([]Requirement, len(requirements))
	for i, r := range requirements {
		list[i] = r.Requirement
		list[i].Outcome, list[i].Experiments = verdict.NotReached, slices.Concat(r.experiments, r.also)
	}
	return list
}

// Judge returns the list for the report on a check and its exchanges.
func Judge(report lab.Report, exchanges []playground.Exchange) []Requirement {
	seen := look(report, exchanges)
	list := Requirements()
	cause := ""
	for i, r := range requirements {
		why, ok := "", true
		if r.judge != nil {
			why, ok = r.judge(seen)
		}
		if ok && why == "" && len(r.experiments)+len(r.also) > 0 {
			list[i].Probe, why, ok = r.probes(seen, report)
		}
		switch {
		case !ok && report.Status == lab.Running:
		case !ok:
			list[i].Outcome, list[i].Cause = verdict.NotJudged, cause
			if cause == "" {
				list[i].Why = cmp.Or(why, notReached(report))
			}
		case why != "":
			list[i].Outcome, list[i].Why = verdict.Failed, why
			if cause == "" && r.stops != nil && r.stops(seen) {
				cause = r.ID
			}
		default:
			list[i].Outcome = verdict.Passed
		}
		if list[i].Outcome == verdict.Failed {
			list[i].Exchange = r.shownBy(report, seen, list[i].Probe, why)
		}
	}
	return list
}

// notReached returns why a requirement was not judged if nothing else says it.
func notReached(r lab.Report) string {
	if r.Status == lab.Stopped {
		return "The check ended before."
	}
	return "The call did not get so far."
}

// Group is the id of the group of a Verdict that has the list, in its order.
const Group = "requirements"

// Verdict returns the report of a check about the server: the list, and all
// other findings.
func Verdict(list []Requirement, report lab.Report) verdict.Report {
	v := report.Verdict()
	g := verdict.Group{
		ID: Group, Title: "Requirements", Class: "mrtr.exercise", Noun: "Requirement", Whole: true,
		Named: true, Ordered: true,
	}
	for _, r := range list {
		g.Lines = append(g.Lines, r.line(list))
	}
	met := Count(list)
	v.Notes = append(v.Notes, fmt.Sprintf("%d of %d met", met, len(list)))
	if met < len(list) {
		v.Gaps = append(v.Gaps, fmt.Sprintf("%d of %s met.", met, text.Plural(len(list), "requirement")))
	}
	for i := range v.Groups {
		v.Groups[i].Whole = false // the list is what the learner looks at
	}
	countOnce(list, v.Group(report.Experiments().ID).Lines)
	v.Groups = append([]verdict.Group{g}, v.Groups...)
	return v
}

// countOnce marks the experiments that show why a requirement is not met, which counts.
func countOnce(list []Requirement, experiments []verdict.Line) {
	for _, r := range requirements {
		failed := slices.ContainsFunc(list, func(o Requirement) bool {
			return o.ID == r.ID && o.Outcome == verdict.Failed
		})
		for i := range experiments {
			if failed && slices.Contains(r.experiments, experiments[i].ID) {
				experiments[i].SameAs = r.ID
			}
		}
	}
}

// line returns the requirement of a list as a line, in plain text.
func (r Requirement) line(list []Requirement) verdict.Line {
	why := r.Why
	if i := slices.IndexFunc(list, func(o Requirement) bool { return o.ID == r.Cause }); i >= 0 {
		why = "It cannot be judged until this one is met: " + list[i].Text
	}
	return verdict.Line{
		ID: r.ID, Part: r.Part, Title: plain(r.Text), Outcome: r.Outcome, Sentence: plain(why),
		Exchange: r.Exchange,
	}
}

// plain returns a text without the backticks around code.
func plain(s string) string { return strings.ReplaceAll(s, "`", "") }

// Count returns how many requirements are met.
func Count(list []Requirement) (met int) {
	for _, r := range list {
		if r.Outcome == verdict.Passed {
			met++
		}
	}
	return met
}

// probes returns why one of the experiments did not pass, or why a response to it
// is wrong here, and its id if it was made. ok is false if one has no verdict yet, or no
// place in the call, and the others passed; why may then be the reason.
func (r requirement) probes(s seen, report lab.Report) (probe, why string, ok bool) {
	ok = true
	for _, id := range slices.Concat(r.experiments, r.also) {
		i := slices.IndexFunc(report.Results, func(r lab.Result) bool { return r.ID == id })
		if i < 0 || report.Results[i].Waiting {
			ok = false
			continue
		}
		result := report.Results[i]
		wrong := r.failure(s, result)
		switch {
		case wrong == "":
		case len(result.Exchanges) == 0:
			why, ok = result.Title+": "+wrong, false
		default:
			return id, result.Title + ": " + wrong, true
		}
	}
	return "", why, ok
}

// failure returns why the result of an experiment does not meet the requirement, with
// the request and its end, or "".
func (r requirement) failure(s seen, result lab.Result) string {
	why, round := r.wrong(s, result)
	judged := result.Verdict == verdict.Passed || slices.Contains(r.also, result.ID)
	if result.Verdict == verdict.Failed || result.Verdict == verdict.Advisory || why == "" && !judged {
		why, round = result.Text, endOf(result)
	}
	if why == "" || round.N == 0 {
		return why
	}
	return why + " " + sentTo(result, round) + ending(round)
}

// wrong returns the fault of a response to a changed request, and its Round, or
// "".
func (r requirement) wrong(s seen, result lab.Result) (string, playground.Round) {
	if r.response == nil {
		return "", playground.Round{}
	}
	for _, x := range result.Exchanges {
		f := x.Fold()
		for _, round := range f.Rounds {
			if !round.Decision.Changed {
				continue
			}
			if why := r.response(s, round); why != "" {
				return why, round
			}
		}
	}
	return "", playground.Round{}
}

// endOf returns the Round that the verdict on an experiment is about: that with the
// changed request, or the last one if the call went on.
func endOf(result lab.Result) playground.Round {
	if last := result.Exchanges; result.Follow && result.Ended() {
		return *last[result.Decisive].Fold().Last()
	}
	return result.Round
}
