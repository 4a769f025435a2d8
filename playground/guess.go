package playground

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// StdioCommand is the class of a command that was given in place of an address.
const StdioCommand Class = "stdio_command"

// Guess is what might help after a failure: an address to try instead, with
// the reason. It is offered, never followed by itself. One without a URL is
// advice; Command is then something to run.
type Guess struct {
	URL, Why, Command string
}

// Address reads what somebody typed as the address of a server. On a failure
// the guesses say what may have been meant.
func Address(typed string, public bool) (*url.URL, *wire.Failure, []Guess) {
	typed = strings.TrimSpace(typed)
	if found := webAddressIn(typed); isCommand(typed) || found != "" && found != typed {
		return nil, notAnAddress(typed), guessFrom(typed, found, public)
	}
	u, failure := wire.CheckURL(typed, public)
	if failure == nil {
		return u, nil, nil
	}
	if public && isLocalAddress(typed) {
		return nil, &wire.Failure{Class: wire.BlockedAddress, Detail: "this is an address of your own machine or network, which this site cannot reach"}, runLocally(typed)
	}
	return nil, failure, better(typed, public)
}

func notAnAddress(typed string) *wire.Failure {
	if isCommand(typed) {
		return &wire.Failure{Class: StdioCommand, Detail: "a server on standard input and output lives inside the program that starts it, so no other can reach it"}
	}
	return &wire.Failure{Class: wire.BadURL, Detail: "there is more than an address here"}
}

// commands that servers on stdio are usually started with.
func commands() []string {
	return []string{"npx", "npm", "pnpm", "bunx", "bun", "deno", "node", "uvx", "uv", "pipx", "python", "python3", "docker", "podman", "go", "cargo", "dotnet", "java", "ruby", "php"}
}

// isCommand reports whether the text starts like a command, or is the
// configuration of one.
func isCommand(typed string) bool {
	first, rest, _ := strings.Cut(typed, " ")
	if strings.HasPrefix(typed, "{") {
		return strings.Contains(typed, `"command"`)
	}
	return rest != "" && slices.Contains(commands(), first) || strings.HasPrefix(first, "./") || strings.HasPrefix(first, "/") && !strings.HasPrefix(first, "//")
}

// webAddressIn finds a web address inside other text, such as a configuration
// file or another program's command line.
func webAddressIn(typed string) string {
	at := strings.Index(typed, "https://")
	if at < 0 {
		at = strings.Index(typed, "http://")
	}
	if at < 0 {
		return ""
	}
	end := strings.IndexAny(typed[at:], " \t\r\n\"'`<>,")
	if end < 0 {
		return typed[at:]
	}
	return typed[at : at+end]
}

func guessFrom(typed, found string, public bool) []Guess {
	if _, failure := wire.CheckURL(found, public); failure == nil {
		return []Guess{{URL: found, Why: "This address stands in what you pasted."}}
	}
	list := []Guess{{Why: "Many servers can listen on a port instead; look for an option like --transport http or --port in its manual, start it, and give the address that it prints."}}
	if port := portIn(typed); port != "" && !public {
		list = append(list, Guess{URL: "http://localhost:" + port + "/mcp", Why: "If it listens already, its address may be this."})
	}
	return list
}

// portIn is the port that a command names.
func portIn(command string) string {
	for _, flag := range []string{"--port", "-port", "-p"} {
		_, rest, found := strings.Cut(command, " "+flag)
		if port, _, _ := strings.Cut(strings.TrimLeft(rest, " ="), " "); found {
			if _, err := strconv.ParseUint(port, 10, 16); err == nil {
				return port
			}
		}
	}
	return ""
}

// better are the addresses that may have been meant by one that cannot be used.
func better(typed string, public bool) []Guess {
	var list []Guess
	add := func(raw, why string) {
		if _, failure := wire.CheckURL(raw, public); failure == nil && raw != typed {
			list = append(list, Guess{URL: raw, Why: why})
		}
	}
	if !strings.Contains(typed, "://") && typed != "" {
		if isLocalAddress("http://" + typed) {
			add("http://"+typed, "A server of your own machine usually speaks plain http.")
		}
		add("https://"+typed, "The scheme was missing.")
		if len(list) == 0 && public && isLocalAddress("http://"+typed) {
			return runLocally("http://" + typed)
		}
		return list
	}
	if rest, ok := strings.CutPrefix(typed, "http://"); ok {
		add("https://"+rest, "The same address, encrypted.")
	}
	before, _, hasFragment := strings.Cut(typed, "#")
	if hasFragment {
		add(before, "Without the fragment, which is never sent.")
	}
	if scheme, rest, _ := strings.Cut(typed, "://"); strings.Contains(rest, "@") {
		_, host, _ := strings.Cut(rest, "@")
		add(scheme+"://"+host, "Without the user name; give a password as a header instead.")
	}
	return list
}

// isLocalAddress reports whether an address leads to the user's own machine or
// network by its spelling alone.
func isLocalAddress(raw string) bool {
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}

// runLocally says how to reach a server that only its own machine can reach.
func runLocally(raw string) []Guess {
	return []Guess{{
		Why:     "Run the playground on the same machine; it takes this address there. It opens at http://127.0.0.1:2322/servers?url=" + url.QueryEscape(raw),
		Command: "go run github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground@latest",
	}}
}

// Guesses are what might help after connecting to t failed.
func Guesses(t Target, c Connection, public bool) []Guess {
	if c.Status != ConnectFailed || len(c.Trips) == 0 {
		return nil
	}
	last := c.Trips[len(c.Trips)-1]
	u, err := url.Parse(t.URL)
	if err != nil {
		return nil
	}
	switch c.Class {
	case Redirect:
		return redirected(u, last.Head.Get("Location"), public)
	case HTTP404, HTTP405, ContentType, NotJSON, HTTPStatus:
		return otherPaths(u)
	case wire.TLS:
		noTLS := strings.Contains(c.Detail, "does not speak TLS") || strings.Contains(c.Detail, "closed the connection during the TLS handshake")
		if noTLS && !public {
			return []Guess{{URL: withScheme(u, "http"), Why: "The same address without encryption; what is listening there may not know any."}}
		}
	case wire.NotHTTP, HTTP4xx:
		if u.Scheme == "http" && expectsTLS(last) {
			return []Guess{{URL: withScheme(u, "https"), Why: "It wants to be spoken to with encryption."}}
		}
	case wire.BlockedAddress:
		return runLocally(t.URL)
	}
	return nil
}

// expectsTLS reports whether what came looks like a TLS server that was spoken
// to in plain text: an alert record, or the sentence that web servers send.
func expectsTLS(r Round) bool {
	body := strings.ToLower(string(r.Response.Body))
	return strings.HasPrefix(string(r.Response.Head), "\x15\x03") ||
		strings.Contains(body, "http request to an https server") || strings.Contains(body, "plain http request was sent to https port")
}

func withScheme(u *url.URL, scheme string) string {
	other := *u
	other.Scheme = scheme
	return other.String()
}

func redirected(u *url.URL, location string, public bool) []Guess {
	to, err := u.Parse(location)
	if err != nil || location == "" {
		return nil
	}
	to.Fragment = ""
	if _, failure := wire.CheckURL(to.String(), public); failure != nil {
		return []Guess{{Why: "It points to " + to.String() + ", which cannot be used from here: " + failure.Detail + "."}}
	}
	why := "This is where it points."
	switch {
	case to.Host != u.Host:
		why = "It points to another host. What you gave as a token or header is not sent there."
	case to.Path == u.Path+"/" || to.Path+"/" == u.Path:
		why = "The same address, but for the slash at its end."
	case to.Scheme != u.Scheme:
		why = "The same address by " + to.Scheme + "."
	}
	return []Guess{{URL: to.String(), Why: why}}
}

// otherPaths are where MCP endpoints usually are.
func otherPaths(u *url.URL) []Guess {
	var list []Guess
	seen := map[string]bool{u.Path: true}
	add := func(p, why string) {
		if !seen[p] {
			seen[p] = true
			other := *u
			other.Path, other.RawPath = p, ""
			list = append(list, Guess{URL: other.String(), Why: why})
		}
	}
	if dir, last := path.Split(strings.TrimSuffix(u.Path, "/")); last == "sse" {
		add(dir+"mcp", "/sse is where the old HTTP+SSE transport was; the current one is often beside it.")
	}
	if !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/mcp") {
		add(strings.TrimSuffix(u.Path, "/")+"/mcp", "MCP endpoints often end in /mcp.")
	}
	add("/mcp", "At the root of the host.")
	add("/", "The host itself.")
	return list[:min(len(list), 2)]
}
