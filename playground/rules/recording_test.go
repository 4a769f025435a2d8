package rules_test

import (
	"bytes"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// A recording is a file testdata/<rule>.<verdict>[.<case>].txtar, where the
// verdict na means that the rule has no other. It has the sections, in the
// order of events,
//
//	like                the name of a recording that this one changes; then only
//	                    "replace" sections and findings follow
//	replace request 1   a line of that section, and the line in its place, in which ↵
//	                    is a line break
//	decision            what the user decided; without one, requests that are not
//	                    polls follow from a decision that has their answers
//	request 1           a request, which opens connection 1
//	response 1          its response; the messages of a stream are events of their own
//	message 1           a later message of that stream
//	failed 1            how the connection failed, as JSON
//	in 1                a line to a command, which opens connection 1
//	out 1               a line of the command on connection 1; connection 9 has those
//	                    that belong to no request
//	findings            every fail and hint: "round rule verdict"
//	words               optional: lines, each of which is in the text of a finding
//
// A side that does not begin with an HTTP start line is a body and gets the
// usual head. A recording of lines is judged by JudgeRecord, and its lines end with a
// line feed unless they end with ∎. Recordings in testdata/good have no findings at
// all.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	good, _ := filepath.Glob("testdata/good/*.txtar")
	if err != nil || len(files) == 0 || len(good) == 0 {
		t.Fatal("no recordings", err)
	}
	files = append(files, good...)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { checkRecording(t, file) })
	}
}

func checkRecording(t *testing.T, file string) {
	archive := load(t, file)
	want := strings.Fields(string(section(archive, "findings"))) // exactly these and no others
	findings := judge(t, archive)
	var got []string
	for _, f := range findings {
		if f.Verdict == verdict.Failed || f.Verdict == verdict.Advisory {
			got = append(got, fmt.Sprint(f.Round), f.Rule, string(f.Verdict))
			t.Logf("%d %s: %s", f.Round, f.Rule, f.Text)
		}
		checkFinding(t, f)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for line := range strings.Lines(string(section(archive, "words"))) {
		words := strings.TrimSpace(line)
		if !slices.ContainsFunc(findings, func(f rules.Finding) bool {
			return strings.Contains(f.Text,
				words)
		}) {
			t.Errorf("no finding says %q", words)
		}
	}
	name := strings.Split(filepath.Base(file), ".")
	if filepath.Base(filepath.Dir(file)) != "good" && !says(findings, name[0], verdict.Outcome(name[1])) {
		t.Errorf("no %s of %s", name[1], name[0])
	}
}

func says(findings []rules.Finding, rule string, o verdict.Outcome) bool {
	for _, f := range findings {
		if f.Rule == rule && f.Verdict == o {
			return true
		}
	}
	return false
}

func checkFinding(t *testing.T, f rules.Finding) {
	t.Helper()
	link, err := url.Parse(f.Link)
	if f.Text == "" || text.Hidden(f.Text) != nil || err != nil || link.Scheme != "https" ||
		link.Fragment == "" {
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

// load returns the recording in a file, with its changes made.
func load(t *testing.T, file string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	base := section(archive, "like")
	if base == nil {
		return archive
	}
	changed := load(t, filepath.Join("testdata", string(base)+".txtar"))
	for _, change := range archive.Files {
		name, ok := strings.CutPrefix(change.Name, "replace ")
		if !ok {
			continue
		}
		replace(t, changed, name, strings.Split(strings.TrimSuffix(string(change.Data), "\n"), "\n"))
	}
	changed.Files = append(withoutFindings(changed),
		txtar.File{Name: "findings", Data: section(archive, "findings")},
		txtar.File{Name: "words", Data: section(archive, "words")})
	return changed
}

// replace replaces text in a section. lines are pairs of a text that the
// section has once, and the text in its place.
func replace(t *testing.T, a *txtar.Archive, name string, lines []string) {
	t.Helper()
	for i := range a.Files {
		if a.Files[i].Name != name {
			continue
		}
		text := string(a.Files[i].Data)
		for n := 0; n+1 < len(lines); n += 2 {
			if strings.Count(text, lines[n]) != 1 {
				t.Fatalf("%s has %q %d times", name, lines[n], strings.Count(text, lines[n]))
			}
			text = strings.Replace(text, lines[n], strings.ReplaceAll(lines[n+1], "↵", "\n"), 1)
		}
		a.Files[i].Data = []byte(text)
		return
	}
	t.Fatalf("there is no section %s", name)
}

func withoutFindings(a *txtar.Archive) []txtar.File {
	return slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool { return f.Name == "findings" })
}

// judge judges a recording. Listings are judged as a connection, because they
// do not belong to a call.
func judge(t *testing.T, a *txtar.Archive) []rules.Finding {
	t.Helper()
	x, listing, err := play(a)
	if err != nil {
		t.Fatal(err)
	}
	if section(a, "in 1") != nil {
		return rules.JudgeRecord(playground.Connections(x.Log))
	}
	if listing {
		return rules.JudgeConnection(server.FoldConnection(x.Log))
	}
	return rules.Judge(x)
}

// play returns the exchange of a recording, and whether it lists tools. There
// is one second between two events.
func play(a *txtar.Archive) (x playground.Exchange, listing bool, err error) {
	p := player{auto: section(a, "decision") == nil}
	for _, f := range a.Files {
		kind, number, _ := strings.Cut(f.Name, " ")
		conn, _ := strconv.Atoi(number)
		data := bytes.TrimSuffix(f.Data, []byte("\n"))
		switch kind {
		case "tool":
			p.x.Call.Tool = data
		case "decision":
			p.add(playground.Event{Kind: playground.Decided, Data: data})
		case "request":
			if err := p.request(conn, data); err != nil {
				return p.x, false, err
			}
		case "response":
			p.add(received(conn, data)...)
		case "in":
			p.add(playground.Event{Conn: conn, Kind: playground.Sent, Data: lineOf(data)})
		case "out":
			p.add(playground.Event{Conn: conn, Kind: playground.Received, Data: lineOf(data)})
		case "failed":
			p.add(playground.Event{Conn: conn, Kind: playground.Failed, Data: data})
		case "message":
			p.add(playground.Event{Conn: conn, Kind: playground.Message, Data: append(data, "\n\n"...)})
		}
	}
	if p.listing {
		isDecision := func(e playground.Event) bool { return e.Kind == playground.Decided }
		p.x.Log = slices.DeleteFunc(p.x.Log, isDecision)
	}
	return p.x, p.listing, nil
}

// lineOf returns the recorded part of a line.
func lineOf(text []byte) []byte {
	line, cut := bytes.CutSuffix(text, []byte("∎"))
	if !cut {
		line = append(bytes.Clone(line), '\n')
	}
	return wire.Line(line).Bytes()
}

// player builds the log of a recording.
type player struct {
	x       playground.Exchange
	auto    bool // requests follow from decisions that are not recorded
	listing bool
}

func (p *player) add(events ...playground.Event) {
	start := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	for _, e := range events {
		n := len(p.x.Log)
		e.Seq, e.At = n+1, start.Add(time.Duration(n)*time.Second)
		p.x.Log = append(p.x.Log, e)
	}
}

func (p *player) request(conn int, data []byte) error {
	frame, err := request(data)
	if err != nil {
		return err
	}
	p.listing = p.listing || bytes.Contains(frame.Head, []byte("Mcp-Method: tools/list"))
	if p.auto && !bytes.Contains(frame.Head, []byte("Mcp-Method: tasks/get")) {
		p.add(decision(playground.Fold(p.x.Log).Next(), frame.Body))
	}
	p.add(playground.Event{Conn: conn, Kind: playground.Sent, Data: join(frame)})
	return nil
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
	if !bytes.HasPrefix(body, []byte("{")) && bytes.Contains(body, []byte(" HTTP/1.1\n")) {
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
