// Package linestest has MCP servers on standard input for tests: the test program is the
// command. It uses nothing of the project, so that it shares no mistake with it.
package linestest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// isServer is the first argument of a test program that is to be a server.
const isServer = "be-the-server"

// Words returns the words of the command that starts a server: modern, legacy, or strict,
// which is legacy and ends at a first message that is not initialize. More words tell
// servers apart.
func Words(era string, more ...string) []string {
	return append([]string{os.Args[0], isServer, era}, more...)
}

// Main is a server if the program was started as one, and does not return then. A test
// program calls it first in TestMain.
func Main() {
	if len(os.Args) < 3 || os.Args[1] != isServer {
		return
	}
	if os.Args[2] == "child" {
		hold(os.Args[3])
	}
	s := server{legacy: os.Args[2] != "modern", in: bufio.NewReader(os.Stdin)}
	for first := true; ; first = false {
		m, ok := s.read()
		if !ok {
			os.Exit(0)
		}
		if first && os.Args[2] == "strict" && m.Method != "initialize" {
			fmt.Fprintln(os.Stderr, "expected initialize")
			os.Exit(1)
		}
		s.handle(m)
	}
}

// hold keeps a named pipe open for writing, and does not return: a reader sees its end when
// the process has ended.
func hold(fifo string) {
	f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("held\n")
	}
	if err != nil {
		os.Exit(1)
	}
	select {}
}

// message is a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name           string
		Arguments      map[string]string
		RequestID      json.RawMessage `json:"requestId"`
		InputResponses map[string]struct {
			Content struct{ Name string }
		} `json:"inputResponses"`
	}
	Result struct {
		Content struct{ Name string }
	}
}

type server struct {
	legacy    bool
	in        *bufio.Reader
	cancelled []string
}

func (s *server) read() (m message, ok bool) {
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		return m, false
	}
	_ = json.Unmarshal(line, &m)
	return m, true
}

func write(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func respond(m message, result string) { write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result) }

// say ends a call with a text.
func (s *server) say(m message, text string) {
	quoted, _ := json.Marshal(text)
	respond(m, fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":%s}]}`, quoted))
}

func (s *server) handle(m message) {
	switch {
	case m.Method == "notifications/cancelled":
		s.cancelled = append(s.cancelled, string(m.Params.RequestID))
	case m.ID == nil:
	case m.Method == "initialize" && s.legacy:
		respond(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},`+
			`"serverInfo":{"name":"lines","version":"1"}}`)
	case m.Method == "server/discover" && !s.legacy:
		respond(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},`+
			`"ttlMs":0,"cacheScope":"private",`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"lines","version":"1"}}}`)
	case m.Method == "tools/list":
		respond(m, s.tools())
	case m.Method == "tools/call":
		s.call(m)
	default:
		write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
	}
}

// names are the tools. What they do is in call.
var names = []string{
	"ask", "pid", "flood", "rubbish", "silent", "endless", "long", "die", "fork", "stubborn", "environment",
	"cancelled", "deep", "babble", "roots",
}

func (s *server) tools() string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
	}
	return `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` +
		strings.Join(list, ",") + `]}`
}

func (s *server) call(m message) {
	switch m.Params.Name {
	case "ask":
		s.ask(m)
	case "pid":
		s.say(m, fmt.Sprint(os.Getpid()))
	case "flood": // of standard error
		_, _ = os.Stderr.WriteString(strings.Repeat("flood\n", 2<<20))
		_, _ = os.Stderr.WriteString("the last line\n")
		s.say(m, "done")
	case "rubbish":
		write("Listening for messages …")
		write("{\"jsonrpc\":")
		write("\xff[1]")
		s.say(m, "done")
	case "deep":
		respond(m, strings.Repeat("[", 100)+strings.Repeat("]", 100))
	case "babble":
		write("no JSON")
	case "silent": // on its standard output
		fmt.Fprintln(os.Stderr, "thinking")
	case "endless": // one line without an end
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<20)); err != nil {
				os.Exit(0)
			}
		}
	case "long": // one line that has an end
		write("%s", strings.Repeat("x", 3<<20))
	case "die":
		fmt.Fprintln(os.Stderr, "out of ideas")
		os.Exit(3)
	case "fork": // a process that outlives it, and holds its pipes open
		child := exec.Command(os.Args[0], isServer, "child", m.Params.Arguments["fifo"])
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			s.say(m, err.Error())
			return
		}
		s.say(m, "forked")
	case "stubborn": // it ignores the end of its input
		s.say(m, "holding")
		hold(m.Params.Arguments["fifo"])
	case "environment":
		fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n"))
		s.say(m, strings.Join(os.Environ(), "\n"))
	case "roots": // it asks while the call is open
		write(`{"jsonrpc":"2.0","id":"r-1","method":"roots/list"}`)
		line, _ := s.in.ReadString('\n')
		s.say(m, line)
	case "cancelled":
		s.say(m, strings.Join(s.cancelled, " "))
	}
}

// question asks for a name.
const question = `"method":"elicitation/create","params":{"mode":"form","message":"Who are you?",` +
	`"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`

func (s *server) ask(m message) {
	answer, answered := m.Params.InputResponses["who"]
	switch {
	case s.legacy:
		write(`{"jsonrpc":"2.0","id":"q-1",%s}`, question)
		reply, _ := s.read()
		s.say(m, "Hello, "+reply.Result.Content.Name)
	case answered:
		s.say(m, "Hello, "+answer.Content.Name)
	default:
		respond(m, `{"resultType":"input_required","inputRequests":{"who":{`+question+`}}}`)
	}
}
