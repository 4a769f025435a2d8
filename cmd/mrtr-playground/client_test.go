package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/capture/capturetest"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// clientMode makes the test program act as a client: "self" is this program, the
// others are of tinyClients.
const (
	clientMode = "MRTR_TEST_CLIENT"
	clientDial = "MRTR_TEST_DIAL" // address of a listener of the test
)

// actAsClient does what a mode says, and returns the exit code.
func actAsClient(mode string, args []string) int {
	if len(args) == 2 && args[0] == "as" { // started by this program, whose mode is in its environment
		mode = args[1]
	}
	if server := stdioServers[mode]; server != nil {
		server()
		return 0
	}
	if mode == "self" {
		err := run(context.Background(), args, os.Getenv, os.Stdout, os.Stderr)
		return exitCode(err, os.Stderr)
	}
	if err := tinyClients[mode](args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 7
	}
	return 0
}

// tinyClients are clients in a few lines.
var tinyClients = map[string]func(args []string) error{
	"good":    func(args []string) error { return callOnce(args, "") },
	"alters":  func(args []string) error { return callOnce(args, "x") },
	"nothing": func([]string) error { return nil },
	"stops": func(args []string) error {
		_, err := postCall(1, map[string]any{"name": args[1], "arguments": map[string]any{}})
		return err
	},
	"bad":     callBadly,
	"bridge":  bridge,
	"gateway": plainGateway,
	"fails": func(args []string) error {
		return errors.Join(callOnce(args, ""), errors.New("the client is not content"))
	},
	"hangs": func([]string) error { return hang() },
	"leaves a child": func([]string) error {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), clientMode+"=hangs")
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		if err == nil {
			_, err = bufio.NewReader(out).ReadString('\n') // it has dialled
		}
		return err
	},
}

// hang connects to the test, if there is a listener, and never ends.
func hang() error {
	if address := os.Getenv(clientDial); address != "" {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return err
		}
		defer conn.Close()
	}
	fmt.Println("hangs")
	select {}
}

// callBadly is the test client with the name in its arguments, after as many calls without a
// fault as they say.
func callBadly(args []string) error {
	before, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	capturetest.ByName(args[0]).Run(before, func(r capturetest.Request) map[string]any {
		method := cmp.Or(r.Verb, http.MethodPost)
		req, err := http.NewRequest(method, os.Getenv("MRTR_SERVER_URL")+r.Query,
			strings.NewReader(r.Bodies()[0]))
		if err != nil {
			panic(err)
		}
		for name, value := range r.Fields() {
			req.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			panic(err)
		}
		defer res.Body.Close()
		var response map[string]any
		_ = json.NewDecoder(res.Body).Decode(&response)
		return response
	})
	return nil
}

// callOnce calls the tool of the arguments or the scenario, and answers its questions once.
// It adds a suffix to the state.
func callOnce(args []string, suffix string) error {
	name := os.Getenv("MRTR_SCENARIO")
	if len(args) > 1 {
		name = args[1]
	}
	if len(args) > 0 && args[0] != os.Getenv("MRTR_SERVER_URL") {
		return fmt.Errorf("%s is not the address", args[0])
	}
	result, err := postCall(1, map[string]any{"name": name, "arguments": map[string]any{}})
	if err != nil {
		return err
	}
	answers := map[string]any{}
	for key := range result.InputRequests {
		answers[key] = map[string]any{"action": "accept", "content": map[string]any{}}
	}
	retry := map[string]any{"name": name, "arguments": map[string]any{}, "inputResponses": answers}
	if result.RequestState != "" {
		retry["requestState"] = result.RequestState + suffix
	}
	_, err = postCall(2, retry)
	return err
}

type askedResult struct {
	InputRequests map[string]json.RawMessage
	RequestState  string
}

// postCall posts one request of tools/call to the address in the environment.
func postCall(id int, params map[string]any) (askedResult, error) {
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "tiny", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"elicitation": map[string]any{}},
	}
	message := map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
	body, err := json.Marshal(message)
	if err != nil {
		return askedResult{}, err
	}
	req, err := http.NewRequest(http.MethodPost, os.Getenv("MRTR_SERVER_URL"), bytes.NewReader(body))
	if err != nil {
		return askedResult{}, err
	}
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"},
		"Mcp-Name": {fmt.Sprint(params["name"])},
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return askedResult{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if at := bytes.Index(text, []byte("data: ")); at >= 0 { // an event stream
		text = text[at+len("data: "):]
	}
	var response struct{ Result askedResult }
	err = errors.Join(err, json.NewDecoder(bytes.NewReader(text)).Decode(&response))
	return response.Result, err
}

// clientTested runs client with a tiny client as its command, and returns its exit code and
// its output.
func clientTested(t *testing.T, mode string, args ...string) (int, string) {
	t.Helper()
	t.Setenv(clientMode, mode)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"client"}, args...), patient, &out, io.Discard)
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%s is left behind", left[0])
	}
	return exitCode(err, io.Discard), out.String()
}

func TestClient_ExitCodes(t *testing.T) {
	self := os.Args[0]
	for name, c := range map[string]struct {
		mode string
		args []string
		code int
		says string
	}{
		"good":    {"good", []string{"--", self, "{url}", "echo_quotes"}, 0, "2 requests by tiny 1."},
		"bad":     {"alters", []string{"--", self, "{url}", "echo_quotes"}, exitWrong, "echo_quotes echo"},
		"skipped": {"alters", []string{"-skip", "mrtr.echo", "--", self, "{url}", "echo_quotes"}, 0, ""},
		"only": {"alters", []string{"-only", "mrtr.echo", "--", self, "{url}", "echo_quotes"}, exitWrong,
			"C2"},
		"nothing": {"nothing", []string{"--", self}, exitControl, "Nothing could be judged in 0 requests"},
		"nothing chosen": {"good", []string{"-only", "no_state", "--", self, "{url}", "echo_quotes"},
			exitControl, "Chosen and not judged: no_state."},
		"stops": {"stops", []string{"--", self, "{url}", "echo_quotes"}, exitControl,
			"The client continued none of 1 call that asked something."},
		"stops where it was sent": {"stops",
			[]string{"-only", "echo_quotes", "--", self, "{url}", "echo_quotes"},
			exitControl, "the client stopped there: echo_quotes."},
		"its own status": {"fails", []string{"--", self, "{url}", "echo_quotes"}, 0, "exit status 7"},
		"no command": {"good", []string{"--", t.TempDir() + "/nothing"}, exitControl,
			"could not be started"},
		"a limit": {"hangs", []string{"-timeout", "50ms", "--", self}, exitControl,
			"ended at the limit of 50ms"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out := clientTested(t, c.mode, c.args...)
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("exit code %d, no %q in\n%s", code, c.says, out)
			}
		})
	}
}

func TestClient_UsedWrongly(t *testing.T) {
	for name, args := range map[string][]string{
		"nothing":          {},
		"no command":       {"--"},
		"no --":            {"true"},
		"words before":     {"x", "--", "true"},
		"unknown id":       {"-only", "mrtr.nothing", "--", "true"},
		"a server's rule":  {"-skip", "S1", "--", "true"},
		"an empty id":      {"-skip", "mrtr.echo,,", "--", "true"},
		"no such format":   {"-format", "pdf", "--", "true"},
		"no such trust":    {"-proxy", "https://h/mcp", "-trust-certificate", "abc", "--", "true"},
		"trust of nothing": {"-trust-certificate", "sha256:" + strings.Repeat("0", 64), "--", "true"},
		"no time":          {"-timeout", "0s", "--", "true"},
		"each and proxy":   {"-each", "-proxy", "http://h/mcp", "--", "true"},
		"bad URL":          {"-proxy", "ftp://h/mcp", "--", "true"},
		"a secret":         {"-proxy", "http://h/mcp?api_key=k-1234567890", "--", "true"},
		"nothing to run":   {"-each", "-only", "C2", "--", "true"},
		"an unknown flag":  {"-bogus", "--", "true"},
		"-timeout of what": {"-timeout", "--", "true"},
	} {
		err := run(t.Context(), append([]string{"client"}, args...), patient, io.Discard, io.Discard)
		if code := exitCode(err, io.Discard); code != exitUsage {
			t.Errorf("%s: exit code %d, %v", name, code, err)
		}
	}
}

// TestClient_Formats: each format can be parsed, and names the requirement that a bad client
// violates.
func TestClient_Formats(t *testing.T) {
	args := []string{"--", os.Args[0], "{url}", "echo_quotes"}
	t.Run("json", func(t *testing.T) {
		code, out := clientTested(t, "alters", append([]string{"-format", "json"}, args...)...)
		var d capture.Document
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		if code != exitWrong || d.OK || len(d.Runs) != 1 || len(d.Runs[0].Requests) != 2 ||
			d.Checks[0].Requirement != "mrtr.echo" || d.Checks[0].Where.Request != 2 {
			t.Errorf("exit code %d, %+v, %+v", code, d.Summary, d.Checks[0])
		}
		if d.Rules[0].ID != "C2" || d.Rules[0].Verdict != verdict.Failed {
			t.Errorf("%+v", d.Rules[0])
		}
	})
	t.Run("junit", func(t *testing.T) {
		code, out := clientTested(t, "alters", append([]string{"-format", "junit"}, args...)...)
		var d struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
		}
		err := xml.Unmarshal([]byte(out), &d)
		if err != nil || code != exitWrong || d.Errors != 0 || d.Failures != 2 {
			t.Errorf("exit code %d, %v, %+v", code, err, d)
		}
	})
	t.Run("md", func(t *testing.T) {
		code, out := clientTested(t, "alters", append([]string{"-format", "md"}, args...)...)
		if code != exitWrong || !strings.HasPrefix(out, "# Report on tiny 1\n") ||
			!strings.Contains(out, "| [echo\\_quotes: echo](https://") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	})
}

// documentOf runs client with -format json.
func documentOf(t *testing.T, mode string, args ...string) (int, capture.Document) {
	t.Helper()
	code, out := clientTested(t, mode, append([]string{"-format", "json"}, args...)...)
	var d capture.Document
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return code, d
}

// TestClient_Each: each scenario has a run of its own, and an address of its own.
func TestClient_Each(t *testing.T) {
	code, d := documentOf(t, "good", "-each", "-only", "echo_space,no_state,echo_json", "-skip", "no_state",
		"--", os.Args[0])
	var names []string
	for _, r := range d.Runs {
		names = append(names, r.Scenario)
		if len(r.Requests) != 2 || !strings.Contains(r.Requests[0].Request.Body, r.Scenario) {
			t.Errorf("%s: %d requests", r.Scenario, len(r.Requests))
		}
	}
	if code != 0 || !slices.Equal(names, []string{"echo_json", "echo_space"}) {
		t.Errorf("exit code %d, runs %v", code, names)
	}
}

// TestClient_ListsWhatIsChosen: a client that calls all that is listed makes
// the chosen calls, and none that it would wait for.
func TestClient_ListsWhatIsChosen(t *testing.T) {
	for only, want := range map[string]string{"echo_space,name_encoded,mrtr.new-id": "echo_space,new_ids",
		"C2": ""} {
		_, d := documentOf(t, "self", "-only", only, "--", os.Args[0], "call", "-json", "{url}")
		var names []string
		for _, r := range d.Runs[0].Requests {
			var m struct {
				Result struct{ Tools []struct{ Name string } }
			}
			if err := json.Unmarshal([]byte(r.Response.Body), &m); err != nil {
				t.Fatal(err)
			}
			for _, tool := range m.Result.Tools {
				names = append(names, tool.Name)
			}
		}
		if got := strings.Join(names, ","); want != "" && got != want || want == "" && len(names) < 50 {
			t.Errorf("-only %s lists %s", only, got)
		}
	}
}

// TestClient_OwnCallKeepsEveryRequirement: the client of this program passes
// every scenario that it is started for.
func TestClient_OwnCallKeepsEveryRequirement(t *testing.T) {
	scenarios := []string{"echo_quotes", "echo_large", "two_questions", "five_rounds", "stream", "task_input",
		"form_defaults", "key_proto"}
	code, d := documentOf(t, "self", "-each", "-only", strings.Join(scenarios, ","), "--", os.Args[0], "call",
		"{url}", "{scenario}")
	if code != 0 || len(d.Runs) != len(scenarios) || d.Summary.Failed+d.Summary.Advisory > 0 {
		t.Errorf("exit code %d, %d runs, %+v", code, len(d.Runs), d.Summary)
	}
	for _, c := range d.Checks {
		if c.Verdict != verdict.Passed {
			t.Errorf("%s/%s: %s: %s", c.Scenario, c.ID, c.Verdict, c.Text)
		}
	}
}

// TestClient_Proxy records clients in front of servers of another program, and judges them by
// the rules.
func TestClient_Proxy(t *testing.T) {
	p := startProgram(t, t.TempDir())
	self := os.Args[0]
	for name, c := range map[string]struct {
		mode, server string
		args         []string
		code         int
		failed       []string
		badServer    bool
	}{
		"good": {"self", "azure-devops", []string{"call", "{url}", "update_work_item", resolve}, 0, nil,
			false},
		"bad": {"alters", "client-test", []string{"{url}", "echo_quotes"}, exitWrong, []string{"C2"}, true},
		"good at a bad server": {"self", "client-test", []string{"call", "{url}", "two_questions"}, 0, nil,
			true},
	} {
		t.Run(name, func(t *testing.T) {
			server := p.url + "/mcp/" + c.server
			code, d := documentOf(t, c.mode, append([]string{"-proxy", server, "--", self}, c.args...)...)
			var failed []string
			for _, l := range d.Rules {
				if l.Verdict == verdict.Failed {
					failed = append(failed, l.ID)
				}
			}
			bad := 0
			for _, l := range d.Behind {
				if l.Verdict == verdict.Failed {
					bad++
				}
			}
			if (bad > 0) != c.badServer || len(d.Behind) == 0 {
				t.Errorf("%d rules of the server failed, of %d", bad, len(d.Behind))
			}
			if code != c.code || !slices.Equal(failed, c.failed) || d.Server != server ||
				len(d.Checks) != 0 || len(d.Runs[0].Requests) < 2 || len(d.Rules) < 5 {
				t.Errorf("exit code %d, %s, %+v, failed %v", code, d.Server, d.Summary, failed)
			}
		})
	}
}

// TestClient_ProxyTrustsOneCertificate, which it names if it is not trusted.
func TestClient_ProxyTrustsOneCertificate(t *testing.T) {
	s := newOwnCertificate(t)
	fingerprint := wire.Fingerprint(s.Certificate().Raw)
	t.Setenv(clientMode, "good")
	for name, c := range map[string]struct {
		args    []string
		outcome playground.OutcomeKind
		says    string
	}{
		"not":     {nil, playground.OutcomeTransportError, "-trust-certificate " + fingerprint},
		"trusted": {[]string{"-trust-certificate", fingerprint}, playground.OutcomeComplete, ""},
	} {
		var out, said bytes.Buffer
		args := slices.Concat([]string{"client", "-format", "json", "-proxy", s.URL + "/mcp"}, c.args,
			[]string{"--", os.Args[0], "{url}", "t"})
		_ = run(t.Context(), args, patient, &out, &said)
		var d capture.Document
		if err := json.Unmarshal(out.Bytes(), &d); err != nil {
			t.Fatal(err, said.String())
		}
		got := d.Runs[0].Requests[0].Outcome
		if got != c.outcome || !strings.Contains(said.String(), c.says) {
			t.Errorf("%s: %s, %s", name, got, said.String())
		}
	}
}

// listen returns a listener of the test that a client dials.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	t.Setenv(clientDial, l.Addr().String())
	return l
}

// TestClient_EndsWhatTheCommandStarted: nothing that the command has started runs on.
func TestClient_EndsWhatTheCommandStarted(t *testing.T) {
	l := listen(t)
	if code, out := clientTested(t, "leaves a child", "--", os.Args[0]); code != exitControl ||
		!strings.Contains(out, "exit status 0") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if n, err := io.Copy(io.Discard, conn); n > 0 || err != nil { // returns when the child is gone
		t.Logf("%d bytes, %v", n, err)
	}
}

// TestClient_Interrupted: the report of a test that is interrupted is printed.
func TestClient_Interrupted(t *testing.T) {
	l := listen(t)
	t.Setenv(clientMode, "hangs")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	go func() {
		if conn, err := l.Accept(); err == nil {
			interrupt()
			_, _ = io.Copy(io.Discard, conn)
		}
	}()
	var out bytes.Buffer
	err := run(ctx, []string{"client", "--", os.Args[0]}, patient, &out, io.Discard)
	code := exitCode(err, io.Discard)
	if code != exitWrong || !strings.Contains(out.String(), "interrupted") {
		t.Errorf("exit code %d, %v\n%s", code, err, out.String())
	}
}

func TestConnections_None(t *testing.T) {
	var c connections
	isDone := func(waits <-chan struct{}) bool {
		select {
		case <-waits:
			return true
		default:
			return false
		}
	}
	if !isDone(c.none()) {
		t.Error("there is none at the start")
	}
	c.note(nil, http.StateNew)
	c.note(nil, http.StateActive)
	c.note(nil, http.StateNew)
	waits := c.none()
	c.note(nil, http.StateIdle)
	c.note(nil, http.StateClosed)
	if isDone(waits) {
		t.Error("one is open")
	}
	c.note(nil, http.StateClosed)
	if !isDone(waits) || !isDone(c.none()) {
		t.Error("none is open")
	}
}
