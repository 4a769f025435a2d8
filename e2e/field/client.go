package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// testClient runs a client in the client test and returns its board. A failed check
// is no error.
func testClient(ctx context.Context, command []string) (capture.Document, error) {
	var d capture.Document
	args := append([]string{"client", "-format", "json", "-timeout", "20m", "--"}, command...)
	cmd := exec.CommandContext(ctx, os.Getenv("MRTR_PROGRAM"), args...)
	printed, err := os.CreateTemp("", "mrtr-client-output-")
	if err != nil {
		return d, err
	}
	defer os.Remove(printed.Name())
	defer printed.Close()
	cmd.Stderr = printed
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return d, err
	}
	if err := json.Unmarshal(out, &d); err != nil {
		said, _ := os.ReadFile(printed.Name())
		return d, fmt.Errorf("%w\n%s", err, said)
	}
	return d, nil
}

// readClient adds the facts of a board to a subject, and returns the recording of those that
// were judged.
func readClient(s *field.Subject, d capture.Document) (session.Session, error) {
	requests := d.Runs[0].Requests
	s.Revisions = revisions(requests)
	calls := calls{requests: requests}
	for _, l := range d.Checks {
		f := field.Fact{
			Check: l.Scenario + "/" + l.ID, Requirement: l.Requirement, Level: string(l.Level), Title: l.Title,
			Outcome: l.Verdict, Condition: conditionOf(l.Scenario), Sentence: l.Text,
		}
		if l.Verdict.Judged() {
			var err error
			if f.Exchange, f.Round, err = calls.find(l.Where); err != nil {
				return session.Session{}, fmt.Errorf("%s: %w", f.Check, err)
			}
		}
		s.Facts = append(s.Facts, f)
	}
	return session.Session{Exchanges: calls.made}, covered(d)
}

// calls are the calls of a recording, each until the last request that a fact cites.
type calls struct {
	requests []capture.RequestDocument
	made     []playground.Exchange
}

// find returns the number of the call that has the request at a place, and the round.
func (c *calls) find(at *verdict.PlaceDocument) (exchange, round int, err error) {
	x, err := recording(c.requests, at)
	if err != nil {
		return 0, 0, err
	}
	round = len(x.Fold().Rounds)
	i := slices.IndexFunc(c.made, func(old playground.Exchange) bool {
		return old.Created.Equal(x.Created) && string(old.Log[1].Data) == string(x.Log[1].Data)
	})
	switch {
	case i < 0:
		i = len(c.made)
		x.ID = fmt.Sprint(i + 1)
		c.made = append(c.made, x)
	case len(x.Log) > len(c.made[i].Log):
		x.ID = c.made[i].ID
		c.made[i] = x
	}
	return i + 1, round, nil
}

// conditionOf returns when the facts of a scenario happen.
func conditionOf(scenario string) string {
	x, _ := rules.ScenarioByID(scenario)
	return x.Title
}

// covered returns an error if a rule failed in a request that no failed check is
// about: the facts would not show it.
func covered(d capture.Document) error {
	for _, l := range d.Rules {
		same := func(c verdict.LineDocument) bool {
			return c.Verdict == verdict.Failed && l.Where != nil && c.Where.Request == l.Where.Request
		}
		if l.Verdict == verdict.Failed && !slices.ContainsFunc(d.Checks, same) {
			return fmt.Errorf("rule %s failed, and no check", l.ID)
		}
	}
	return nil
}

// revisions returns the revisions of MCP that requests name.
func revisions(requests []capture.RequestDocument) []string {
	list := []string{}
	for _, r := range requests {
		v := revisionOf(r)
		if v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// revisionOf returns the revision that the body of a request names: in _meta, or
// in the params of initialize.
func revisionOf(r capture.RequestDocument) string {
	var m struct {
		Method string
		Params struct {
			ProtocolVersion string
			Meta            map[string]json.RawMessage `json:"_meta"`
		}
	}
	if json.Unmarshal([]byte(r.Request.Body), &m) != nil {
		return ""
	}
	if m.Method == "initialize" {
		return m.Params.ProtocolVersion
	}
	return strings.Trim(string(m.Params.Meta["io.modelcontextprotocol/protocolVersion"]), `"`)
}
