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
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
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
	if len(requests) == 0 {
		return session.Session{}, errors.New("the client sent no request")
	}
	target := playground.Target{
		ID: sampletools.ClientTest, Sample: sampletools.ClientTest, Name: "the client test",
		URL: "http://" + hostOf(requests[0].Request) + "/mcp/" + sampletools.ClientTest,
	}
	list := make([]request, len(requests))
	for i, r := range requests {
		list[i] = request{RequestDocument: r}
	}
	t, err := join(target, list)
	if err != nil {
		return session.Session{}, err
	}
	cited := cited{traffic: t}
	for _, l := range d.Checks {
		f := field.Fact{
			Check: l.Scenario + "/" + l.ID, Requirement: l.Requirement, Level: string(l.Level),
			Title:   l.Title,
			Outcome: l.Verdict, Condition: conditionOf(l.Scenario), Sentence: l.Text,
		}
		if l.Verdict.Judged() {
			if l.Where == nil || l.Where.Request < 1 || l.Where.Request > len(requests) {
				return session.Session{}, fmt.Errorf("%s is about no request of its run", f.Check)
			}
			f.Exchange, f.Round = cited.number(l.Where.Request - 1)
		}
		s.Facts = append(s.Facts, f)
	}
	cited.addOthers()
	return session.Session{Exchanges: cited.made}, covered(d)
}

// cited are the calls that facts cite.
type cited struct {
	traffic
	made    []playground.Exchange
	numbers map[int]int // of a call of the traffic
}

// number returns the number of the call of a request, from 1, and its round.
func (c *cited) number(request int) (exchange, round int) {
	p := c.places[request]
	return c.add(p.exchange), p.round
}

// add returns the number of a call of the traffic.
func (c *cited) add(i int) int {
	if c.numbers == nil {
		c.numbers = map[int]int{}
	}
	if c.numbers[i] == 0 {
		x := c.exchanges[i]
		x.ID = fmt.Sprint(len(c.made) + 1)
		c.made = append(c.made, x)
		c.numbers[i] = len(c.made)
	}
	return c.numbers[i]
}

// addOthers adds what some checks judge by, too: the other calls of the same tools, prompts and
// resources, and the other pages of a list.
func (c *cited) addOthers() {
	for _, cited := range slices.Clone(c.made) {
		var list []int // of the same method, in their order
		at := 0
		for i, x := range c.exchanges {
			switch {
			case x.Call.Method != cited.Call.Method:
			case x.Call.Name() != "" && x.Call.Name() == cited.Call.Name():
				c.add(i)
			case strings.HasSuffix(x.Call.Method, "/list"):
				if x.Created.Equal(cited.Created) {
					at = len(list)
				}
				list = append(list, i)
			}
		}
		for i := at; i > 0 && i < len(list) && c.isNextPage(list[i]); i-- {
			c.add(list[i-1])
		}
		for i := at + 1; i < len(list) && c.isNextPage(list[i]); i++ {
			c.add(list[i])
		}
	}
}

// isNextPage reports whether a call of a list goes on with a cursor.
func (c *cited) isNextPage(i int) bool {
	params, err := jsontree.Parse(c.exchanges[i].Call.Params, jsontree.Limits{})
	return err == nil && params.Has("cursor")
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
