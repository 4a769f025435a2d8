package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/capture/capturetest"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// stdioServers are what this test program can be as a server on standard input.
var stdioServers = map[string]func(){
	"sdk":     serveSDK,
	"echo":    func() { _, _ = io.Copy(os.Stdout, os.Stdin) },
	"rubbish": func() { answerAll("Server ready\n", "{\n", "}\n", "{}{}\n", "\xff\n", "\n") },
	"asks":    func() { answerAll(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}` + "\n") },
	"endless": func() {
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for range 2*lineLimit/len(chunk) + 1 {
			_, _ = os.Stdout.Write(chunk)
		}
		answerAll("\n")
	},
	"floods stderr": func() {
		chunk := bytes.Repeat([]byte("log\n"), 1<<18)
		_, _ = os.Stderr.Write(chunk)
		answerAll()
	},
	"exits": func() {
		awaitLine()
		fmt.Fprintln(os.Stderr, "no configuration")
		os.Exit(3)
	},
	"gone":    awaitLine,
	"answers": func() { answerAll() },
	"desk": func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			if line := capturetest.Desk.Line(in.Bytes()); line != nil {
				fmt.Printf("%s\n", line)
			}
		}
	},
	"logs": func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			fmt.Fprintln(os.Stderr, "a request came")
			if line := capturetest.Desk.Line(in.Bytes()); line != nil {
				fmt.Printf("%s\n", line)
			}
		}
	},
	"half a line": func() {
		answerAll()
		fmt.Print(`{"jsonrpc":"2.0"`)
	},
	"never exits": func() {
		answerAll()
		select {}
	},
	"silent": func() { _, _ = io.Copy(io.Discard, os.Stdin) },
	"ignores": func() {
		signal.Ignore(syscall.SIGTERM)
		_ = hang()
	},
	"leaves a child": func() {
		child := exec.Command(os.Args[0], "as", "ignores")
		out, err := child.StdoutPipe()
		if err == nil && child.Start() == nil {
			_, _ = bufio.NewReader(out).ReadString('\n') // it has dialled
		}
		answerAll()
	},
}

// answerAll writes some lines and answers every request, to the end of its input.
func answerAll(first ...string) {
	for _, line := range first {
		fmt.Print(line)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if m := mcptest.Parse(in.Bytes()); m.ID != nil {
			fmt.Println(mcptest.Listed(`"tools":[]`).Named("t").Message(m))
		}
	}
}

// deskState is long enough for a certain join.
const deskState = "sealed.state.of.the.desk.that.no.other.call.has"

// serveSDK is a server of the official Go SDK with a tool that asks.
func serveSDK() {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "1"}, nil)
	schema := map[string]any{
		"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}},
	}
	server.AddTool(&mcp.Tool{Name: "book", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, _ := r.Params.InputResponses["who"].(*mcp.ElicitResult)
			if answer == nil {
				return &mcp.CallToolResult{
					RequestState: deskState,
					InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{
						Message: "Who?", RequestedSchema: schema,
					}},
				}, nil
			}
			return &mcp.CallToolResult{
				Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(answer.Content["name"])}},
			}, nil
		})
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

// underTest returns this program as a client starts it in front of a server.
func underTest(t *testing.T, server string, flags ...string) *exec.Cmd {
	t.Helper()
	args := append([]string{"client", "-stdio", "'" + os.Args[0] + "' as '" + server + "'"}, flags...)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), clientMode+"=self")
	return cmd
}

// clientReport reads a report in JSON.
func clientReport(t *testing.T, file string) capture.Document {
	t.Helper()
	data, err := os.ReadFile(file)
	var d capture.Document
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		t.Fatalf("%v in %.300s", err, data)
	}
	return d
}

// failures are the ids of the lines that did not pass.
func failures(lines []verdict.LineDocument) []string {
	var ids []string
	for _, l := range lines {
		if l.Verdict == verdict.Failed || l.Verdict == verdict.Advisory {
			ids = append(ids, l.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// TestClientStdio_GoSDK: the official client and server, with this program between them, of
// this revision and of an earlier one.
func TestClientStdio_GoSDK(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			report := filepath.Join(t.TempDir(), "report.json")
			client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "2"}, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
				},
			})
			cmd := underTest(t, "sdk", "-report", report)
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd},
				&mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := session.ListTools(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			call := &mcp.CallToolParams{Name: "book", Arguments: map[string]any{}}
			result, err := session.CallTool(t.Context(), call)
			if err != nil || result.Content[0].(*mcp.TextContent).Text != "Ada" {
				t.Errorf("%+v, %v", result, err)
			}
			err = session.Close()
			d := clientReport(t, report)
			t.Logf("%v; client %q, server %q, %+v", err, failures(d.Rules), failures(d.Behind), d.Summary)
			if d.Note == "" || !d.Judged || !slices.Equal(d.Clients, []string{"agent 2"}) ||
				d.Runs[0].Ended != capture.Succeeded {
				t.Errorf("%+v", d)
			}
			for _, l := range append(d.Rules, d.Behind...) {
				if l.Verdict == verdict.Failed {
					t.Errorf("%s: %s", l.ID, l.Text)
				}
			}
		})
	}
}

// passed starts this program in front of a server, writes text to it, closes its input, and
// returns its output, its standard error and its exit code.
func passed(t *testing.T, server, text string, flags ...string) (out, errors []byte, code int) {
	t.Helper()
	cmd := underTest(t, server, flags...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &stdout, &stderr
	_ = cmd.Run()
	return stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()
}

// TestClientStdio_Bytes: all bytes are passed on unchanged.
func TestClientStdio_Bytes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", lineLimit+200<<10)
	text := "{\"a\" : 1}\r\n\n\x00\xff\xfe{]\n  \u2028\n" + long + "\nno end"
	out, _, _ := passed(t, "echo", text)
	if string(out) != text {
		t.Errorf("%d bytes came back of %d", len(out), len(text))
	}
}

const (
	lineMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"l","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
)

var lineList = lineRequest("tools/list", 7, "")

// TestClientStdio_Report: without a file it goes to standard error, because standard output is
// the client's. What the server does wrong is listed, and does not count.
func TestClientStdio_Report(t *testing.T) {
	t.Parallel()
	out, report, code := passed(t, "asks", lineList)
	if code != 0 || !strings.Contains(string(report), "no headers, status or session id") ||
		!strings.Contains(string(report), "lines of the server that belong to no request") ||
		strings.Count(string(out), "\n") != 2 {
		t.Errorf("exit code %d\n%s\n%s", code, out, report)
	}
	bad := lineList + "nothing\n"
	if _, report, code := passed(t, "answers", bad, "-skip", "line-client"); code != 0 {
		t.Errorf("exit code %d\n%s", code, report)
	}
}

// TestClientStdio_Snippet: the configuration that pages show is one that this program takes.
func TestClientStdio_Snippet(t *testing.T) {
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(capture.StdioSnippet(launch.Program{}).Text), &config); err != nil {
		t.Fatal(err)
	}
	server := config.MCPServers["captured"]
	if server.Command != launch.Name || len(server.Args) == 0 || server.Args[0] != "client" {
		t.Fatalf("%+v", server)
	}
	o, err := parseClient(server.Args[1:], noEnv, io.Discard)
	if err != nil || !slices.Equal(o.stdio, []string{"node", "/path/to/server.js"}) || len(o.reports) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestClientStdio_Usage(t *testing.T) {
	for _, args := range [][]string{
		{"-stdio", ""}, {"-stdio", "a | b"}, {"-stdio", "a", "--", "b"}, {"-stdio", "a", "-each"},
		{"-stdio", "a", "-proxy", "http://127.0.0.1:1"}, {"-stdio", "a", "b"},
		{"-stdio", "a", "-report", "/nowhere/at/all.md"}, {"-stdio", "a", "-only", "nothing"},
	} {
		err := run(t.Context(), append([]string{"client"}, args...), noEnv, io.Discard, io.Discard)
		if code := exitCode(err, io.Discard); code != exitUsage {
			t.Errorf("%q: exit code %d (%v)", args, code, err)
		}
	}
}

// awaitLine returns once a line has come, so that a server does not end before the client has
// sent anything, which proves nothing.
func awaitLine() { _, _ = bufio.NewReader(os.Stdin).ReadString('\n') }

// afterFirstLine is the standard input of a command: text, and its end once the command has
// printed a line, so that no limit of time begins before.
func afterFirstLine(t *testing.T, cmd *exec.Cmd, text string) io.Reader {
	t.Helper()
	out, printed := io.Pipe()
	in, typed := io.Pipe()
	cmd.Stdout = printed
	go func() {
		defer typed.Close()
		_, _ = io.WriteString(typed, text)
		lines := bufio.NewReader(out)
		_, _ = lines.ReadString('\n')
		go func() { _, _ = io.Copy(io.Discard, lines) }()
	}()
	return in
}

// TestClientStdio_BadServers: each has its words, nothing hangs, and nothing is left.
func TestClientStdio_BadServers(t *testing.T) {
	exit, kill := "command-exit=1ms", "command-kill=1ms"
	tests := []struct {
		server string
		rules  []string // of the server
		says   string
		limits []string // that the test is about
	}{
		{"echo", []string{"line-request"}, "writes the request", nil},
		{"rubbish", []string{"line-server"}, "A line of the server is", nil},
		{"asks", []string{"line-request"}, "roots/list", nil},
		{"half a line", []string{"line-server"}, "ends before its message does", nil},
		{"endless", nil, "", nil},
		{"floods stderr", nil, "", nil},
		{"exits", nil, "exit status 3; the last line on standard error: no configuration", nil},
		{"never exits", nil, "signal: terminated; it did not exit within", []string{exit}},
		{"ignores", []string{"line-server"}, "after the end of its input, and not within",
			[]string{exit, kill}},
		{"leaves a child", nil, "", nil},
		{"gone", nil, "exit status", nil},
	}
	for _, test := range tests {
		t.Run(test.server, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			report := filepath.Join(t.TempDir(), "report.json")
			cmd := underTest(t, test.server, "-report", report)
			cmd.Stdin = strings.NewReader(lineList)
			for _, limit := range test.limits {
				cmd.Args = append(cmd.Args, "-limit", limit)
			}
			if len(test.limits) > 0 {
				cmd.Stdin = afterFirstLine(t, cmd, lineList)
			}
			cmd.Env = append(cmd.Env, clientDial+"="+l.Addr().String())
			left := make(chan struct{})
			go func() {
				defer close(left)
				if conn, err := l.Accept(); err == nil {
					_, _ = io.Copy(io.Discard, conn) // until the process that has dialled is gone
				}
			}()
			_ = cmd.Run()
			_ = l.Close() // a server that never dialled
			d := clientReport(t, report)
			if code := cmd.ProcessState.ExitCode(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			words := d.Runs[0].Ended
			for _, line := range d.Behind {
				words += "\n" + line.Text
			}
			got := failures(d.Behind)
			if !slices.Equal(got, test.rules) || !strings.Contains(words, test.says) {
				t.Errorf("%q, %s", got, words)
			}
			<-left
		})
	}
}

// badClients write lines with one fault, by the rule that names it.
var badClients = map[string]struct {
	server string
	lines  []string
	wait   bool // for a line after each
}{
	"":                {"answers", []string{lineList}, true},
	"line-client":     {"answers", []string{lineList, `{"jsonrpc":"2.0",` + "\n"}, false},
	"client-envelope": {"answers", []string{lineList, `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"}, false},
	"client-meta": {"answers", []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}` + "\n",
	}, true},
	"client-params": {"answers", []string{lineRequest("tools/call", 8, "")}, true},
	"line-id":       {"silent", []string{lineList, lineList}, false},
	"line-cancel": {"answers", []string{
		lineList, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}` + "\n",
	}, false},
	"C2":          {"sdk", retried(1, "who", "another state", ""), true},
	"C4":          {"sdk", retried(0, "who", deskState, ""), true},
	"C5":          {"sdk", retried(1, "who", deskState, `"x":1`), true},
	"client-keys": {"sdk", retried(1, "what", deskState, ""), true},
}

func lineRequest(method string, id int, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s%s}}`+"\n",
		id, method, params, lineMeta)
}

// retried calls the tool of the SDK's server, and answers.
func retried(id int, key, state, arguments string) []string {
	call := func(id int, arguments, more string) string {
		return lineRequest("tools/call", id, `"name":"book","arguments":{`+arguments+`},`+more)
	}
	answer := `{"action":"accept","content":{"name":"Ada"}}`
	more := fmt.Sprintf(`"requestState":"%s","inputResponses":{"%s":%s},`, state, key, answer)
	if key != "who" {
		more = fmt.Sprintf(`"requestState":"%s","inputResponses":{"who":%s,"%s":%s},`,
			state, answer, key, answer)
	}
	return []string{call(0, "", ""), call(id, arguments, more)}
}

// TestClientStdio_BadClients: each is named by its rule and by no other.
func TestClientStdio_BadClients(t *testing.T) {
	for rule, bad := range badClients {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			report := filepath.Join(t.TempDir(), "report.json")
			cmd := underTest(t, bad.server, "-report", report)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out := bufio.NewReader(stdout)
			for _, line := range bad.lines {
				_, _ = io.WriteString(in, line)
				if bad.wait {
					if _, err := out.ReadString('\n'); err != nil {
						t.Error(err)
					}
				}
			}
			_ = in.Close()
			_, _ = io.Copy(io.Discard, out)
			_ = cmd.Wait()
			d := clientReport(t, report)
			got := failures(d.Rules)
			if want := []string{rule}; rule != "" && !slices.Equal(got, want) || rule == "" && len(got) > 0 {
				t.Errorf("%q", got)
			}
			if (cmd.ProcessState.ExitCode() == exitWrong) != (rule != "") {
				t.Errorf("exit code %d", cmd.ProcessState.ExitCode())
			}
		})
	}
}
