package server

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// StdioCommand is the class of a command that was given in place of an address.
const StdioCommand playground.Class = "stdio_command"

// Address reads what somebody typed as the address of a server. On a failure
// the guesses say what may have been meant.
func Address(typed string, public bool) (*url.URL, *wire.Failure, []Suggestion) {
	typed = strings.TrimSpace(typed)
	if found := webAddressIn(typed); isCommand(typed) || found != "" && found != typed {
		return nil, notAnAddress(typed), textSuggestions(typed, found, public)
	}
	u, failure := wire.CheckURL(typed, public)
	if failure == nil {
		return u, nil, nil
	}
	if public && isLocalAddress(typed) {
		return nil, &wire.Failure{Class: wire.BlockedAddress, Detail: "this is an address of your own machine or network, which this site cannot reach"}, runLocally(typed)
	}
	return nil, failure, corrections(typed, public)
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

func textSuggestions(typed, found string, public bool) []Suggestion {
	if _, failure := wire.CheckURL(found, public); failure == nil {
		return []Suggestion{{URL: found, Why: "This address stands in what you pasted."}}
	}
	list := []Suggestion{{Why: "Many servers can listen on a port instead; look for an option like --transport http or --port in its manual, start it, and give the address that it prints."}}
	if port := portIn(typed); port != "" && !public {
		list = append(list, Suggestion{URL: "http://localhost:" + port + "/mcp", Why: "If it listens already, its address may be this."})
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

// corrections are the addresses that may have been meant by one that cannot be used.
func corrections(typed string, public bool) []Suggestion {
	var list []Suggestion
	add := func(raw, why string) {
		if _, failure := wire.CheckURL(raw, public); failure == nil && raw != typed {
			list = append(list, Suggestion{URL: raw, Why: why})
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
func runLocally(raw string) []Suggestion {
	return []Suggestion{{
		Why:     "Run the playground on the same machine; it takes this address there. It opens at http://127.0.0.1:2322/servers?url=" + url.QueryEscape(raw),
		Command: "go run github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground@latest",
	}}
}
