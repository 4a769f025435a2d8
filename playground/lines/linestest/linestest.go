// Package linestest has MCP servers on standard input for tests: the test program is the
// command. It shares no code with its judges, and so no mistake.
package linestest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
)

// isServer is the first argument of a test program that is to be a server.
const isServer = "be-the-server"

// Words returns the words of the command that starts a server: modern, legacy, strict,
// which is legacy and ends at a first message that is not initialize, replying, which is
// legacy and responds to notifications, or one of Forms and LogForms. More words tell servers apart.
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
	s := server{
		legacy: slices.Contains([]string{"legacy", "strict", "replying"}, os.Args[2]),
		in:     bufio.NewReader(os.Stdin),
	}
	if form, found := forms[os.Args[2]]; found {
		inForm = form
	}
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

type server struct {
	legacy    bool
	owes      bool // a response to a notification, before the next one to a request
	in        *bufio.Reader
	cancelled []string
}

func (s *server) read() (m mcptest.Message, ok bool) {
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		return m, false
	}
	return mcptest.Parse(line), true
}

// argument returns an argument of a tool, a string.
func argument(m mcptest.Message, name string) string {
	var arguments map[string]string
	_ = json.Unmarshal(m.Params.Arguments, &arguments)
	return arguments[name]
}

// Forms are the modern servers whose messages are not on lines of their own.
func Forms() []string {
	return []string{"header", "two-headers", "only-header", "indented", "cut", "mark", "utf-16", "utf-16-be",
		"unended", "after-text", "before-text", "event", "netstring", "nul", "array", "quoted", "python",
		"binary", "gzip", "xml", "yaml", "base64", "hex"}
}

// LogForms are the modern servers that also write log text to standard output, before
// their messages.
func LogForms() []string {
	return []string{"log", "log-in-latin-1", "log-of-header", "log-of-json", "log-of-object",
		"log-of-message", "log-part"}
}

// forms returns the text of a message in each of these forms.
var forms = map[string]func(message string) string{
	"header": func(m string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(m), m) },
	"two-headers": func(m string) string {
		return fmt.Sprintf("Content-Length: %d\r\nContent-Type: application/json\r\n\r\n%s", len(m), m)
	},
	"only-header": func(m string) string { return fmt.Sprintf("content-length: %d\n", len(m)) },
	"indented": func(m string) string {
		var b bytes.Buffer
		_ = json.Indent(&b, []byte(m), "", "  ")
		return b.String() + "\n"
	},
	"cut":         func(m string) string { return m[:len(m)/2] + "\n" },
	"mark":        func(m string) string { return "\uFEFF" + m + "\n" },
	"utf-16":      func(m string) string { return wide(m+"\n", binary.LittleEndian) },
	"utf-16-be":   func(m string) string { return wide(m+"\n", binary.BigEndian) },
	"unended":     func(m string) string { return m },
	"after-text":  func(m string) string { return "INFO responding " + m + "\n" },
	"before-text": func(m string) string { return m + " took 3 ms\n" },
	"event":       func(m string) string { return "event: message\ndata: " + m + "\n\n" },
	"netstring":   func(m string) string { return fmt.Sprintf("%d:%s,", len(m), m) },
	"nul":         func(m string) string { return m + "\x00" },
	"array":       func(m string) string { return "[" + m + "]\n" },
	"quoted":      func(m string) string { return strconv.Quote(m) + "\n" },
	"python":      func(m string) string { return strings.ReplaceAll(m, `"`, "'") + "\n" },
	"binary": func(string) string { // a protocol buffer
		return string([]byte{0x12, 0x07, 0x08, 0x01, 0x1a, 0x02, 'o', 'k', '\n'})
	},
	"gzip": func(m string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(m))
		_ = w.Close()
		return b.String() + "\n"
	},
	"xml": func(string) string {
		return "<?xml version=\"1.0\"?>\n<response>\n  <id>1</id>\n  <result>ok</result>\n</response>\n"
	},
	"yaml":   func(string) string { return "jsonrpc: \"2.0\"\nid: 1\nresult:\n  resultType: complete\n" },
	"base64": func(m string) string { return base64.StdEncoding.EncodeToString([]byte(m)) + "\n" },
	"hex":    func(m string) string { return hex.EncodeToString([]byte(m)) + "\n" },

	"log":            func(m string) string { return "Server ready\n\n" + m + "\n" },
	"log-in-latin-1": func(m string) string { return "d\xe9marr\xe9\n" + m + "\n" },
	"log-of-header":  func(m string) string { return "Content-Length: 12\nAccept: */*\n\n" + m + "\n" },
	"log-of-json":    func(m string) string { return "{\n  \"level\": \"info\"\n}\n" + m + "\n" },
	"log-of-object":  func(m string) string { return "{\n  level: 'info'\n}\n" + m + "\n" },
	"log-of-message": func(m string) string { return "sending " + m + "\n" + m + "\n" },
	"log-part":       func(m string) string { return "{\"a\":\n" + m + "\n" },
}

// wide returns a text in UTF-16 with its mark.
func wide(text string, order binary.AppendByteOrder) string {
	b := order.AppendUint16(nil, 0xFEFF)
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// inForm returns the text of a message.
var inForm = func(message string) string { return message + "\n" }

func write(format string, args ...any) {
	_, _ = os.Stdout.WriteString(inForm(fmt.Sprintf(format, args...)))
}

// ofModern has the members that only results of 2026-07-28 have.
var ofModern = regexp.MustCompile(`"(resultType":"complete"|ttlMs":0|cacheScope":"private"),`)

func (s *server) respond(m mcptest.Message, a mcptest.Answer) {
	if s.legacy {
		a.Result = ofModern.ReplaceAllString(a.Result, "")
	}
	write("%s", a.Message(m))
}

// say ends a call with a text.
func (s *server) say(m mcptest.Message, text string) { s.respond(m, mcptest.Text(text)) }

func (s *server) handle(m mcptest.Message) {
	if s.owes && m.ID != nil {
		s.owes = false
		write(`{"jsonrpc":"2.0","result":null}`)
	}
	switch {
	case m.Method == "notifications/initialized":
		s.owes = os.Args[2] == "replying"
	case m.Method == "notifications/cancelled":
		s.cancelled = append(s.cancelled, string(m.Params.Members()["requestId"]))
	case m.ID == nil:
	case m.Method == "initialize" && s.legacy:
		s.respond(m, mcptest.Answer{Result: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"lines","version":"1"}}`})
	case m.Method == "server/discover" && !s.legacy:
		s.respond(m, mcptest.Tools(nil)(m, nil).Named("lines"))
	case m.Method == "tools/list":
		s.respond(m, mcptest.Tools(nil, names...)(m, nil))
	case m.Method == "tools/call":
		s.call(m)
	default:
		s.respond(m, mcptest.Answer{Error: `{"code":-32601,"message":"Method not found"}`})
	}
}

// names are the tools. What they do is in call.
var names = []string{
	"ask", "pid", "flood", "rubbish", "silent", "endless", "long", "die", "fork", "stubborn", "environment",
	"cancelled", "deep", "babble", "roots",
}

func (s *server) call(m mcptest.Message) {
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
		s.respond(m, mcptest.Answer{Result: strings.Repeat("[", 100) + strings.Repeat("]", 100)})
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
		child := exec.Command(os.Args[0], isServer, "child", argument(m, "address"))
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			s.say(m, err.Error())
			return
		}
		s.say(m, "forked")
	case "stubborn": // it ignores the end of its input
		s.say(m, "holding")
		hold(argument(m, "address"))
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

func (s *server) ask(m mcptest.Message) {
	var answer struct{ Content struct{ Name string } }
	given, answered := m.Params.InputResponses["who"]
	switch {
	case s.legacy:
		write(`{"jsonrpc":"2.0","id":"q-1",%s}`, question)
		reply, _ := s.read()
		given = reply.Result
	case !answered:
		s.respond(m, mcptest.Ask(`"who":{`+question+`}`, ""))
		return
	}
	_ = json.Unmarshal(given, &answer)
	s.say(m, "Hello, "+answer.Content.Name)
}
