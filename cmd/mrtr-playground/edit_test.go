package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestCall_Edit edits one request of a call: the changes and the response are
// printed, and nothing is sent after it.
func TestCall_Edit(t *testing.T) {
	p := startProgram(t, t.TempDir())
	answers := answersFile(t, `{"resolution":{"resolution":"Duplicate"},`+
		`"duplicate_of":{"duplicateOfId":4301}}`)
	for name, c := range map[string]struct {
		edit string
		want []string
		err  bool
	}{
		"header of the first request": {`{"headers":{"Mcp-Name":null}}`,
			[]string{"edited Mcp-Name left out", "round 1  rpc_error", "failed"}, true},
		"answer of round 3": {`{"round":3,"body":{"params":{"inputResponses":{"duplicate_of":` +
			`{"action":"decline","content":null}}}}}`,
			[]string{`edited inputResponses.duplicate_of.action "accept" → "decline"`,
				"edited inputResponses.duplicate_of.content left out", "round 3"}, false},
		"state": {`{"round":3,"body":{"params":{"requestState":"x"}}}`,
			[]string{"edited requestState: ", "bytes → 1 byte", "round 3  rpc_error"}, true},
		"added header": {`{"round":2,"headers":{"X-Other":"1"}}`,
			[]string{"edited X-Other added: 1", "round 2  input_required", "waiting"}, true},
		"not JSON": {`{"body":"{"}`, []string{"edited not JSON: "}, true},
	} {
		out, err := called(t, "-answers", answers, "-edit", answersFile(t, c.edit),
			p.url+"/mcp/azure-devops", "update_work_item", resolve)
		if (err != nil) != c.err || err != nil && !errors.Is(err, errQuiet) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", name, want, out)
			}
		}
	}
	out, _ := called(t, "-json", "-edit", answersFile(t, `{"headers":{"Mcp-Method":"x"}}`),
		p.url+"/mcp/azure-devops", "update_work_item", resolve)
	var report callReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Edited) != 1 ||
		report.Edited[0] != "Mcp-Method: tools/call → x" || len(report.Rounds) != 1 {
		t.Errorf("%v: %+v", err, report)
	}
}

// TestCall_EditKeepsTheBytes: what of a body is not edited is sent byte for byte
// as without an edit.
func TestCall_EditKeepsTheBytes(t *testing.T) {
	p := startProgram(t, t.TempDir())
	sent := func(args ...string) string {
		args = append([]string{"-json"}, args...)
		out, _ := called(t, append(args, p.url+"/mcp/azure-devops", "update_work_item", resolve)...)
		var report callReport
		if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Rounds) == 0 {
			t.Fatalf("%v: %s", err, out)
		}
		return report.Rounds[0].Request.Body
	}
	right := sent("-rounds", "1")
	if got := sent("-edit", answersFile(t, `{"headers":{"X-Other":"1"}}`)); got != right {
		t.Errorf("a header was edited, and the body became\n%s\nfrom\n%s", got, right)
	}
	got := sent("-edit", answersFile(t, `{"body":{"params":{"arguments":{"workItemId":1}}}}`))
	if want := strings.Replace(right, "4522", "1", 1); got != want {
		t.Errorf("an argument was edited, and the body became\n%s\nwant\n%s", got, want)
	}
}

func TestCall_EditRefusesWhatItCannotDo(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for name, edit := range map[string]string{
		"not JSON": `{`, "a list": `[]`, "an unknown member": `{"header":{}}`, "round 0": `{"round":0}`,
		"the host": `{"headers":{"Host":"x"}}`, "a number as body": `{"body":1}`,
		"a round that is not reached": `{"round":9}`,
	} {
		_, err := called(t, "-edit", answersFile(t, edit), p.url+"/mcp/azure-devops", "update_work_item",
			resolve)
		if err == nil || errors.Is(err, errQuiet) {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := answersFile(t, `{}`)
	for _, args := range [][]string{{"-edit", file, p.url + "/mcp/azure-devops"},
		{"-edit", file, "-replay", file}, {"-edit", file, p.url + "/mcp/before-mrtr", "list_work_items"}} {
		if _, err := called(t, args...); exitCode(err, io.Discard) != exitUsage {
			t.Errorf("%q: %v", args, err)
		}
	}
}
