package rules_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"golang.org/x/tools/txtar"
)

// A recording is a file testdata/<rule>.<verdict>[.<case>].txtar with the
// sections
//
//	request 1, response 1, request 2, ...   the two sides of each round
//	findings                                every fail and hint: "round rule verdict"
//
// A side that does not begin with an HTTP start line is a body and gets the
// usual head.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { checkRecording(t, file) })
	}
}

func checkRecording(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(section(archive, "findings"))) // exactly these and no others
	findings := judge(t, archive)
	var got []string
	for _, f := range findings {
		if f.Verdict == rules.Fail || f.Verdict == rules.Hint {
			got = append(got, fmt.Sprint(f.Round), f.Rule, string(f.Verdict))
			t.Logf("%d %s: %s", f.Round, f.Rule, f.Text)
		}
		checkFinding(t, f)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	name := strings.Split(filepath.Base(file), ".")
	if !says(findings, name[0], rules.Verdict(name[1])) {
		t.Errorf("no %s of %s", name[1], name[0])
	}
}

func says(findings []rules.Finding, rule string, verdict rules.Verdict) bool {
	for _, f := range findings {
		if f.Rule == rule && f.Verdict == verdict {
			return true
		}
	}
	return false
}

func checkFinding(t *testing.T, f rules.Finding) {
	t.Helper()
	const specification = "https://modelcontextprotocol.io/specification/2026-07-28/"
	if f.Text == "" || text.Hidden(f.Text) != nil || !strings.HasPrefix(f.Link, specification) {
		t.Errorf("not fit to be shown: %+v", f)
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return bytes.TrimSuffix(f.Data, []byte("\n"))
		}
	}
	return nil
}

// judge judges a recording. Listings are judged as a connection, because they
// do not belong to a call.
func judge(t *testing.T, a *txtar.Archive) []rules.Finding {
	t.Helper()
	log, listing, err := play(a)
	if err != nil {
		t.Fatal(err)
	}
	if listing {
		return rules.JudgeConnection(server.FoldConnection(log[1:]))
	}
	return rules.Judge(playground.Exchange{Log: log})
}

// play returns the log of a recording, and whether it lists tools. There is one
// second between two events.
func play(a *txtar.Archive) (log []playground.Event, listing bool, err error) {
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for n := 1; section(a, fmt.Sprint("request ", n)) != nil; n++ {
		request, err := request(section(a, fmt.Sprint("request ", n)))
		if err != nil {
			return nil, false, err
		}
		listing = listing || bytes.Contains(request.Head, []byte("Mcp-Method: tools/list"))
		log = append(log, decision(n, request.Body))
		log = append(log, playground.Event{Conn: n, Kind: playground.Sent, Data: join(request)})
		log = append(log, received(n, section(a, fmt.Sprint("response ", n)))...)
	}
	for i := range log {
		log[i].Seq, log[i].At = i+1, start.Add(time.Duration(i)*time.Second)
	}
	return log, listing, nil
}

// decision returns the decision before the request.
func decision(n int, body []byte) playground.Event {
	d := playground.Decision{Action: playground.ActionStart, Round: n}
	if n > 1 {
		d.Action = playground.ActionAnswer
	}
	node, err := jsontree.Parse(body, jsontree.Limits{})
	if responses := node.At("params", "inputResponses"); err == nil && responses != nil {
		for _, m := range responses.Members {
			d.Answers = append(d.Answers, playground.Answer{Key: m.Key, Value: m.Value.Raw()})
		}
	}
	return d.Event(time.Time{})
}

func join(f wire.Frame) []byte { return append(bytes.Clone(f.Head), f.Body...) }

// request adds the head that this program would send.
func request(body []byte) (wire.Frame, error) {
	if bytes.HasPrefix(body, []byte("POST ")) {
		return wire.Split(crlf(body)), nil
	}
	node, _ := jsontree.Parse(body, jsontree.Limits{})
	return wire.Encode(wire.Request{
		URL:    "https://mcp.example/mcp",
		Method: node.Get("method").Str(),
		Params: node.Get("params").Raw(),
		Body:   body,
	})
}

// received returns the events of a response, or none for an open round.
func received(conn int, text []byte) []playground.Event {
	if len(text) == 0 {
		return nil
	}
	if !bytes.HasPrefix(text, []byte("HTTP/")) {
		text = append([]byte("HTTP/1.1 200 OK\nContent-Type: application/json\n\n"), text...)
	}
	frame := wire.Split(crlf(text))
	head, _ := wire.ParseHead(frame.Head)
	if !head.IsStream() {
		return []playground.Event{{Conn: conn, Kind: playground.Received, Data: join(frame)}}
	}
	log := []playground.Event{{Conn: conn, Kind: playground.Received, Data: frame.Head}}
	for event := range strings.SplitAfterSeq(string(frame.Body)+"\n\n", "\n\n") {
		if strings.TrimSpace(event) != "" {
			log = append(log, playground.Event{Conn: conn, Kind: playground.Message, Data: []byte(event)})
		}
	}
	return log
}

// crlf ends the lines of a head with CR LF.
func crlf(text []byte) []byte {
	head, body, _ := bytes.Cut(text, []byte("\n\n"))
	head = bytes.ReplaceAll(head, []byte("\n"), []byte("\r\n"))
	return append(append(head, "\r\n\r\n"...), body...)
}

// TestEveryRuleIsRecordedBothWays: every rule has a passing and a failing
// recording.
func TestEveryRuleIsRecordedBothWays(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.All() {
		if seen[r.ID] {
			t.Errorf("%s is in the table twice", r.ID)
		}
		seen[r.ID] = true
		if !strings.HasSuffix(r.Requirement, ".") || r.Link == "" {
			t.Errorf("%s: %+v", r.ID, r)
		}
		passing, _ := filepath.Glob("testdata/" + r.ID + ".pass.txtar")
		failing, _ := filepath.Glob("testdata/" + r.ID + ".[fh]*.txtar")
		if len(passing) == 0 || len(failing) == 0 {
			t.Errorf("%s has %d passing and %d failing recordings", r.ID, len(passing), len(failing))
		}
	}
}
