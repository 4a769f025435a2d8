package rules

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

// Scenario is one part of the client test.
type Scenario struct {
	ID     string // in addresses
	Kind   string // tool, prompt, resource, list or any
	Name   string // of the tool or prompt, the URI, or the method; "" for any
	Title  string
	Do     string // the action, one sentence
	Stop   string // why a client may end the call where it is asked, one sentence; "" if it is to go on
	Checks []Check
}

// anyRequest is the kind of the scenario that is about every request.
const anyRequest = "any"

// Check is one observation that a scenario makes.
type Check struct {
	ID           string
	Requirements []string // ids in package spec; the first one decides the level; none for robust behavior
	Words        string   // one sentence for a client that fails
}

// Level returns the level of the check's requirement, or "" for robust behavior.
func (c Check) Level() spec.Level {
	if len(c.Requirements) == 0 {
		return ""
	}
	sentence, _ := spec.ByID(c.Requirements[0])
	return sentence.Level
}

// Robust reports whether the check has no requirement in the specification.
func (c Check) Robust() bool { return len(c.Requirements) == 0 }

// Scenarios returns the scenarios of the client test, in the order of its page.
func Scenarios() []Scenario { return slices.Clone(scenarios()) }

// ScenarioByID returns the scenario with an id, and whether there is one.
func ScenarioByID(id string) (Scenario, bool) {
	for _, s := range scenarios() {
		if s.ID == id {
			return s, true
		}
	}
	return Scenario{}, false
}

// Coverage returns how many requirements that bind clients the test observes, and how many
// there are.
func Coverage() (observed, all int) {
	seen := Observed()
	for _, s := range spec.Sentences() {
		if s.Party == spec.Server {
			continue
		}
		all++
		if len(seen[s.ID]) > 0 {
			observed++
		}
	}
	return observed, all
}

// Observed returns the ids of the scenarios that observe each requirement.
func Observed() map[string][]string {
	seen := map[string][]string{}
	for _, s := range scenarios() {
		for _, c := range s.Checks {
			for _, id := range c.Requirements {
				if !slices.Contains(seen[id], s.ID) {
					seen[id] = append(seen[id], s.ID)
				}
			}
		}
	}
	return seen
}

// scenarioTable has the scenarios. Its head says how they are written.
//
//go:embed scenarios.txt
var scenarioTable string

var scenarios = sync.OnceValue(func() []Scenario {
	list, err := readTable(scenarioTable)
	if err != nil { // a test reads the table, which is part of the program
		panic(err)
	}
	return list
})

// readTable reads a table of scenarios. The error names the line.
func readTable(table string) ([]Scenario, error) {
	var list []Scenario
	words := map[string]string{}
	for i, line := range strings.Split(table, "\n") {
		fault := ""
		switch member, isMember := strings.CutPrefix(line, "\t"); {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "= "):
			id, sentence, ok := strings.Cut(line[2:], ": ")
			if words[id] = sentence; !ok {
				fault = "has no words"
			}
		case isMember && len(list) == 0:
			fault = "is in no scenario"
		case isMember:
			fault = list[len(list)-1].set(member, words)
		default:
			fields := strings.Fields(line)
			if len(fields) < 2 {
				fault = "is no scenario"
				break
			}
			name := strings.Join(fields[2:], " ")
			if name == "" && fields[1] != anyRequest {
				name = fields[0]
			}
			list = append(list, Scenario{ID: fields[0], Kind: fields[1], Name: name})
		}
		if fault != "" {
			return nil, fmt.Errorf("scenarios.txt:%d: %q %s", i+1, line, fault)
		}
	}
	return list, nil
}

// set sets a member of a scenario. It returns the fault of the line, or "".
func (s *Scenario) set(line string, words map[string]string) string {
	name, value, _ := strings.Cut(line, ": ")
	switch name {
	case "title":
		s.Title = value
	case "do":
		s.Do = value
	case "stop":
		s.Stop = value
	case "check":
		fields := strings.Fields(value)
		if len(fields) < 2 || words[fields[0]] == "" || checks[fields[0]] == nil {
			return "is no known check"
		}
		c := Check{ID: fields[0], Words: words[fields[0]]}
		if fields[1] != "robust" {
			c.Requirements = fields[1:]
		}
		for _, id := range c.Requirements {
			if _, ok := spec.ByID(id); !ok {
				return "names no requirement"
			}
		}
		s.Checks = append(s.Checks, c)
	default:
		return "is no member of a scenario"
	}
	return ""
}

// uriPrefix begins the URI of every resource of the test.
const uriPrefix = "test://client-test/"

// ScenarioOf returns the scenario of a first request, or nil.
func ScenarioOf(method, name string) *Scenario {
	kind := map[string]string{playground.ToolsCall: "tool", playground.PromptsGet: "prompt",
		playground.ResourcesRead: "resource"}[method]
	if kind == "" {
		kind, name = "list", method
	}
	list := scenarios()
	for i := range list {
		if list[i].Kind == kind && list[i].Name == strings.TrimPrefix(name, uriPrefix) {
			return &list[i]
		}
	}
	return nil
}
