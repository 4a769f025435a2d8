package server

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/launch"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// stdioCommand is the class of a command that was entered instead of a URL.
const stdioCommand playground.Class = "stdio_command"

// Address returns the URL that the user entered for a server. If it cannot be
// used, Address returns the failure and suggestions instead, within the
// reach. p is the program that a command can be given to.
func Address(typed string, reach wire.Reach, p launch.Program) (*url.URL, *wire.Failure, []Suggestion) {
	typed = strings.TrimSpace(typed)
	if found := webAddressIn(typed); isCommand(typed) || found != "" && found != typed {
		return nil, notAnAddress(typed), textSuggestions(typed, found, reach, p)
	}
	u, failure := wire.CheckURL(typed, reach)
	if failure == nil {
		return u, nil, nil
	}
	if isOutOfReach(typed, reach) {
		return nil, &wire.Failure{
			Class:  wire.BlockedAddress,
			Detail: "this address is on your own machine or network, which this site cannot reach",
		}, runLocally(typed)
	}
	return nil, failure, corrections(typed, reach)
}

// notAnAddress returns why the text is not a URL.
func notAnAddress(typed string) *wire.Failure {
	if isCommand(typed) {
		return &wire.Failure{Class: stdioCommand,
			Detail: "a server on standard input can only be reached by the program that starts it"}
	}
	return &wire.Failure{Class: wire.BadURL, Detail: "the text contains more than a URL"}
}

// commands are the programs that usually start stdio servers.
var commands = []string{
	"npx", "npm", "pnpm", "bunx", "bun", "deno", "node", "uvx", "uv", "pipx", "python", "python3",
	"docker", "podman",
	"go", "cargo", "dotnet", "java", "ruby", "php",
}

// isCommand reports whether the text begins like a command or is the
// configuration of one.
func isCommand(typed string) bool {
	first, rest, _ := strings.Cut(typed, " ")
	if strings.HasPrefix(typed, "{") {
		return strings.Contains(typed, `"command"`)
	}
	return rest != "" && slices.Contains(commands, first) || strings.HasPrefix(first, "./") ||
		strings.HasPrefix(first, "/") && !strings.HasPrefix(first, "//")
}

// aroundURLs are characters that no URL contains, and that stand around one in a text.
const aroundURLs = " \t\r\n\"`<>"

// webAddressIn returns the first http or https URL in a text, such as a configuration file, a
// command line or a sentence, or "" if there is none. A text without white space, quotes and
// angle brackets is one URL or none: any other character may stand in it.
func webAddressIn(typed string) string {
	if !strings.ContainsAny(typed, aroundURLs) && !strings.HasPrefix(typed, "'") {
		if strings.HasPrefix(typed, "http://") || strings.HasPrefix(typed, "https://") {
			return typed
		}
		if !strings.ContainsAny(typed, "'([{=") {
			return ""
		}
	}
	at := strings.Index(typed, "http://")
	if secure := strings.Index(typed, "https://"); at < 0 || secure >= 0 && secure < at {
		at = secure
	}
	if at < 0 {
		return ""
	}
	around, found := aroundURLs, typed[at:]
	if at > 0 && typed[at-1] == '\'' {
		around += "'"
	}
	if end := strings.IndexAny(found, around); end >= 0 {
		found = found[:end]
	}
	for found != "" && strings.IndexByte(`.,;:!?'*_)]}\`, found[len(found)-1]) >= 0 {
		last := len(found) - 1
		if bracket := opening[found[last]]; bracket != 0 &&
			strings.Count(found, string(bracket)) >= strings.Count(found, found[last:]) {
			break // the bracket is part of the URL
		}
		found = found[:last]
	}
	return found
}

// opening has the bracket that each closing one belongs to.
var opening = map[byte]byte{')': '(', ']': '[', '}': '{'}

// textSuggestions returns suggestions for a text that is a command or contains
// the URL found.
func textSuggestions(typed, found string, reach wire.Reach, p launch.Program) []Suggestion {
	if _, failure := wire.CheckURL(found, reach); failure == nil {
		return []Suggestion{{URL: found, Why: "The URL in the text you pasted."}}
	}
	var list []Suggestion
	if isCommand(typed) && !reach.Limited && !strings.HasPrefix(typed, "{") {
		list = append(list, Suggestion{
			Why:     "Start the playground with the command of the server. Then it is one of your servers.",
			Command: p.With("stdio", typed).Serve(),
		})
	}
	list = append(list, Suggestion{Why: "Many stdio servers can also listen on a port. " +
		"Look for an option such as --transport http or --port. " +
		"Start the server, and enter the URL that it prints."})
	if port := portIn(typed); port != "" && !reach.Limited {
		list = append(list, Suggestion{URL: "http://localhost:" + port + "/mcp",
			Why: "Use this URL if the server is already listening on that port."})
	}
	return list
}

// portIn returns the port that a command line sets, or "" if it sets none.
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

// corrections returns usable URLs that are similar to one that is not.
func corrections(typed string, reach wire.Reach) []Suggestion {
	var list []Suggestion
	add := func(raw, why string) {
		if _, failure := wire.CheckURL(raw, reach); failure == nil && raw != typed {
			list = append(list, Suggestion{URL: raw, Why: why})
		}
	}
	if !strings.Contains(typed, "://") && typed != "" {
		if isLocalAddress("http://" + typed) {
			add("http://"+typed, "Plain HTTP is usual for a server on your own machine.")
		}
		add("https://"+typed, "The same address over HTTPS.")
		if len(list) == 0 && isOutOfReach("http://"+typed, reach) {
			return runLocally("http://" + typed)
		}
		return list
	}
	if rest, ok := strings.CutPrefix(typed, "http://"); ok {
		add("https://"+rest, "The same address over HTTPS.")
	}
	before, _, hasFragment := strings.Cut(typed, "#")
	if hasFragment {
		add(before, "Without the fragment, which is never sent to a server.")
	}
	if scheme, rest, _ := strings.Cut(typed, "://"); strings.Contains(rest, "@") {
		_, host, _ := strings.Cut(rest, "@")
		add(scheme+"://"+host, "Without the user name. Enter credentials as a header instead.")
	}
	return list
}

// isLocalAddress reports whether the host of a URL is, by its spelling alone,
// on the user's own machine or network.
func isLocalAddress(raw string) bool {
	host := hostOf(raw)
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}

// hostOf returns the host of a URL, which may have no scheme, in lower case.
func hostOf(raw string) string {
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// isOutOfReach reports whether the host of a URL is, by its spelling alone, on the user's own
// machine or network, and no network of a limited reach has it.
func isOutOfReach(raw string, reach wire.Reach) bool {
	if !reach.Limited || !isLocalAddress(raw) {
		return false
	}
	host := hostOf(raw)
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return !reach.Names(ip)
	}
	return len(reach.Networks) == 0
}

// runLocally returns the advice to run the playground where it can reach the
// URL.
func runLocally(raw string) []Suggestion {
	return []Suggestion{{
		Why: "Run the playground on the machine that can reach this address, and enter it there. " +
			"This page is then /test?url=" + url.QueryEscape(raw),
		Command: "go run " + launch.Package + "@latest",
	}}
}
