// Package setup reads the settings files in which MCP clients list their servers: mcp.json and
// its like.
//
// Such a file comes with commands, secrets and names of variables, and often from another
// person. So the package only reads: it starts nothing, looks nothing up, and puts no value of
// a variable into a text. The caller decides on each variable and each header value, with
// the address that it would go to, and then calls Fill.
//
// A file may have comments and commas at the end of lists, as editors allow. Servers beyond
// MaxServers are counted and not read. The package is pure.
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Limits of a file.
const (
	MaxBytes   = 512 << 10
	MaxServers = 100 // that are read
	maxHeaders = 50  // of a server
	maxWords   = 200 // of a command, and variables of its environment
	maxValue   = 16 << 10
)

// Errors of Read.
var (
	ErrTooLarge = errors.New("the file is too large")
	ErrFormat   = errors.New("the file lists no MCP servers")
)

// File is a settings file.
type File struct {
	Where   string // the member that lists the servers
	Servers []Server
	More    int // servers that were not read
}

// Server is an entry of a file.
type Server struct {
	Name   string
	URL    string   // with its variables; empty for a command
	Header []Header // in the order of the file
	Words  []string // of a command
	Env    []Header // of a command
	Off    bool     // the file says that it is not used
	Legacy bool     // the file says that it uses the transport of 2024-11-05
}

// Header is a header field, or a variable of the environment of a command.
type Header struct{ Name, Value string }

// Variable is a value that a file names and does not have.
type Variable struct {
	Text    string // as it is written: ${API_KEY}
	Name    string // API_KEY
	Input   bool   // the client would ask for it; else it is of the environment
	Default string // in place of one that is not set
	Known   bool   // it is of the environment or asked for; clients have others, such as workspaceFolder
}

// Read reads a settings file.
func Read(data []byte) (File, error) {
	if len(data) > MaxBytes {
		return File{}, fmt.Errorf("%w: %s, at most %s are allowed",
			ErrTooLarge, text.Size(len(data)), text.Size(MaxBytes))
	}
	plain := bytes.TrimPrefix(bytes.TrimSpace(data), []byte("\xef\xbb\xbf"))
	root, err := jsontree.Parse(plain, jsontree.Limits{})
	if err != nil {
		root, err = jsontree.Parse(withoutComments(plain), jsontree.Limits{})
	}
	if err != nil && !bytes.HasPrefix(plain, []byte("{")) { // members without their braces
		root, err = jsontree.Parse([]byte("{"+string(withoutComments(plain))+"}"), jsontree.Limits{})
	}
	switch {
	case err != nil && isTOML(plain):
		return File{}, fmt.Errorf("%w: it is TOML, as of Codex, which is not read. "+
			"Write it as JSON, or enter the URL of each server", ErrFormat)
	case err != nil:
		return File{}, fmt.Errorf("%w: it is no JSON: %w", ErrFormat, err)
	}
	f := File{}
	f.find(root)
	if len(f.Servers)+f.More == 0 {
		return f, ErrFormat
	}
	return f, nil
}

// isTOML reports whether a text is a settings file in TOML.
func isTOML(data []byte) bool { return bytes.Contains(data, []byte("[mcp_servers.")) }

// listMembers are the members that list servers, of all clients.
var listMembers = [][]string{
	{"mcpServers"}, {"servers"}, {"context_servers"}, {"mcp", "servers"}, {"mcp", "mcpServers"}, {"mcp"},
	{"amp.mcpServers"}, {"mcp.servers"},
}

// find adds the servers that a document lists.
func (f *File) find(root *jsontree.Node) {
	for _, path := range listMembers {
		f.add(strings.Join(path, "."), root.At(path...))
	}
	for _, m := range root.Get("projects").Entries() { // of Claude Code, by folder
		f.add("projects", m.Value.Get("mcpServers"))
	}
	if len(f.Servers) > 0 || root == nil || root.Kind != jsontree.Object {
		return
	}
	if s, ok := newServer("server", root); ok { // one server without a list
		f.Servers = append(f.Servers, s)
		return
	}
	f.add("", root)
}

// add adds the servers of a list by name.
func (f *File) add(where string, list *jsontree.Node) {
	for _, m := range list.Entries() {
		s, ok := newServer(m.Key, m.Value)
		if !ok {
			continue
		}
		if f.Where == "" {
			f.Where = where
		}
		if len(f.Servers) == MaxServers {
			f.More++
			continue
		}
		f.Servers = append(f.Servers, s)
	}
}

// urlMembers and envMembers are the names that clients give the URL of a server and the
// environment of a command.
var (
	urlMembers = []string{"url", "serverUrl", "httpUrl", "endpoint", "uri"}
	envMembers = []string{"env", "environment"}
)

// newServer reads an entry. It returns false for one that is no server.
func newServer(name string, n *jsontree.Node) (Server, bool) {
	s := Server{Name: text.Chars(name, 200)}
	if n == nil || n.Kind != jsontree.Object {
		return s, false
	}
	if of := n.Get("transport"); of != nil && of.Kind == jsontree.Object {
		if inner, ok := newServer(name, of); ok {
			return inner, true
		}
	}
	for _, member := range urlMembers {
		if u := strings.TrimSpace(n.Get(member).Str()); u != "" && s.URL == "" && len(u) <= maxValue {
			s.URL = u
		}
	}
	command := n.Get("command")
	if command != nil && command.Kind == jsontree.Object { // of Zed
		s.Words = words(command.Get("path"), command.Get("args"))
		s.Env = headers(command.Get("env"))
	} else {
		s.Words = words(command, n.Get("args"))
	}
	for _, member := range envMembers {
		s.Env = append(s.Env, headers(n.Get(member))...)
	}
	for _, member := range []string{"headers", "requestInit.headers", "http_headers"} {
		s.Header = append(s.Header, headers(n.At(strings.Split(member, ".")...))...)
	}
	s.Off = n.Get("disabled").True() ||
		n.Has("enabled") && n.Get("enabled").Kind == jsontree.Bool && !n.Get("enabled").True()
	for _, member := range []string{"type", "transport", "transportType"} {
		s.Legacy = s.Legacy || strings.EqualFold(n.Get(member).Str(), "sse")
	}
	if s.URL != "" {
		s.Words, s.Env = nil, nil
	}
	return s, s.URL != "" || len(s.Words) > 0
}

// words returns the words of a command: a text or a list, and its arguments.
func words(command, args *jsontree.Node) []string {
	var list []string
	if c, ok := command.Text(); ok && strings.TrimSpace(c) != "" {
		list = append(list, c)
	}
	for _, n := range slices.Concat(command.Elements(), args.Elements()) {
		if s, ok := n.Text(); ok && len(list) < maxWords {
			list = append(list, s)
		}
	}
	return list
}

// headers returns the members of an object that are texts or numbers.
func headers(n *jsontree.Node) []Header {
	var list []Header
	for _, m := range n.Entries() {
		value, ok := m.Value.Text()
		if m.Value.Kind == jsontree.Number || m.Value.Kind == jsontree.Bool {
			value, ok = string(m.Value.Raw()), true
		}
		if ok && len(list) < maxHeaders && len(value) <= maxValue && m.Key != "" {
			list = append(list, Header{m.Key, value})
		}
	}
	return list
}

// Host returns the host that a server's values go to, or "" if the URL has a variable in it
// or is none.
func (s Server) Host() string {
	u, err := url.Parse(s.URL)
	if err != nil || strings.ContainsAny(u.Host, "${}%") {
		return ""
	}
	return u.Host
}

// Address returns where the values of a server go: its URL without the query, or as it is
// written if the address depends on a variable.
func (s Server) Address() string {
	u, err := url.Parse(s.URL)
	if err != nil || s.Host() == "" {
		return s.URL
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	return u.String()
}

// Line returns the command that starts the program with the command of the server, as the
// shell of its reader reads it. Values of the environment are not in it: see Env.
func (s Server) Line(p launch.Program) string {
	quoted := make([]string, len(s.Words))
	for i, w := range s.Words {
		quoted[i] = p.Shell.Quote(w)
	}
	return p.With("stdio", strings.Join(quoted, " ")).Serve()
}

// withoutComments returns JSON without the comments and the last commas that editors allow.
func withoutComments(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			start := i
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			out = append(out, data[start:min(i+1, len(data))]...)
		case c == '/' && i+1 < len(data) && data[i+1] == '/':
			for i < len(data) && data[i] != '\n' {
				i++
			}
			out = append(out, '\n')
		case c == '/' && i+1 < len(data) && data[i+1] == '*':
			end := bytes.Index(data[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += end + 3
			out = append(out, ' ')
		case c == '}' || c == ']':
			trimmed := bytes.TrimRight(out, " \t\r\n")
			if bytes.HasSuffix(trimmed, []byte(",")) {
				out = trimmed[:len(trimmed)-1]
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(","))
}
