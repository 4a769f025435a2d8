// Command clients measures real MCP clients: it runs each with the command
// client of the program, and writes the table and the recordings of package
// clients. The program's path is in MRTR_PROGRAM. It needs the packages of e2e and of
// this folder; "make clients" installs them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// to is where the files are written.
const to = "playground/clients"

func main() {
	only := flag.String("only", "", "measure this client, and print its row instead of writing files")
	flag.Parse()
	if err := run(*only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(only string) error {
	work, err := os.MkdirTemp("", "mrtr-clients-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	rows, err := rows(work)
	if err != nil {
		return err
	}
	t := clients.Table{Date: time.Now().UTC().Format(time.DateOnly)}
	recordings := map[string]session.Session{}
	for _, r := range rows {
		if only != "" && r.Slug != only {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s %s, %s\n", r.Name, r.Version, r.Mode)
		d, err := measure(r.command)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Slug, err)
		}
		if recordings[r.Slug], err = r.read(d); err != nil {
			return fmt.Errorf("%s: %w", r.Slug, err)
		}
		t.Clients = append(t.Clients, r.Client)
	}
	table, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	table = append(table, '\n')
	if only != "" {
		_, err = os.Stdout.Write(table)
		return err
	}
	return write(table, recordings)
}

// measure runs a client in the client test and returns its board. A failed check
// is no error.
func measure(command []string) (capture.Document, error) {
	var d capture.Document
	args := append([]string{"client", "-format", "json", "-timeout", "20m", "--"}, command...)
	cmd := exec.Command(os.Getenv("MRTR_PROGRAM"), args...)
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

// read fills in the row, and returns the recording of the failures.
func (r *row) read(d capture.Document) (session.Session, error) {
	run := d.Runs[0]
	r.Requests, r.Revisions = len(run.Requests), revisions(run.Requests)
	r.Faults = []clients.Fault{}
	n := session.Session{Title: r.Title()}
	for _, l := range d.Checks {
		switch l.Verdict {
		case verdict.Passed:
			r.Passed++
		case verdict.Failed:
			r.Failed++
		case verdict.Advisory:
			r.Advisory++
		default:
			r.Unjudged++
		}
		if l.Verdict != verdict.Failed {
			continue
		}
		x, err := recording(run.Requests, l.Where)
		if err != nil {
			return n, fmt.Errorf("%s: %w", l.ID, err)
		}
		x.ID = fmt.Sprint(len(n.Exchanges) + 1)
		n.Exchanges = append(n.Exchanges, x)
		r.Faults = append(r.Faults, clients.Fault{Scenario: l.Scenario, Check: l.ID,
			Condition: conditionOf(l.Scenario), Requirement: l.Requirement, Text: l.Text,
			Exchange: len(n.Exchanges), Round: len(x.Fold().Rounds)})
	}
	return n, covered(d)
}

// conditionOf returns when a fault of a scenario happens.
func conditionOf(scenario string) string {
	x, _ := rules.ScenarioByID(scenario)
	return x.Title
}

// covered returns an error if a rule failed in a request that no failed check is
// about: the table would not show it.
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

// write replaces the files.
func write(table []byte, recordings map[string]session.Session) error {
	old, err := filepath.Glob(to + "/recordings/*.json")
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	for slug, n := range recordings {
		if len(n.Exchanges) == 0 {
			continue
		}
		data, err := export.JSON(n)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to+"/recordings/"+slug+".json", data, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(to+"/table.json", table, 0o644)
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
