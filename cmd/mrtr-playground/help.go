package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const serveHelp = `MRTR Playground: see, learn and test MCP's multi round-trip requests.

usage: mrtr-playground [serve] [flags]         serve the pages
       mrtr-playground call [flags] URL [TOOL] make one call from the terminal
       mrtr-playground check URL -tool TOOL    test a server
       mrtr-playground test DIR                make calls again, as expected
       mrtr-playground client -- COMMAND ARGS  test a client
       mrtr-playground gateway URL             test a gateway or proxy
       mrtr-playground flow COMMAND FILE       run, check or export a flow
       mrtr-playground mock FILE               serve a recording again
       mrtr-playground mcp                     serve a coding agent over stdio
       mrtr-playground health | version        is serve ready, and which one
       mrtr-playground keys rotate | retire    change the keys
       mrtr-playground claim                   open local work in a team program
       mrtr-playground backup | restore FILE   copy the data, and get it back
       mrtr-playground help [COMMAND]          also on auth, baseline, limits,
                                               team or values

flags of serve, with their environment variables and defaults:
{flags}

Without -base-url, -trusted-network and -public, it is for one person on this
machine; else each browser has its own workspace, and "help team" has more.
Once ready, serve prints "listening on http://HOST:PORT" to standard output.
Logs go to standard error. Exit codes: 0 success, 1 failure, 2 usage error.
`

// helpTexts are the texts of help, by command and topic.
var helpTexts = map[string]string{
	"serve": serveHelp, "call": callHelp, "check": checkHelp, "test": testHelp, "client": clientHelp,
	"gateway": gatewayHelp, "flow": flowHelp, "mock": mockHelp,
	"health": healthHelp, "mcp": mcpHelp, "keys": keysHelp, "claim": claimHelp, "backup": backupHelp,
	"restore": restoreHelp, "version": versionHelp, "auth": signInHelp, "team": teamHelp,
	"values": valuesHelp, "baseline": baselineHelp,
}

// helpVerbs are the words that follow a command, whose help is that of the command.
var helpVerbs = map[string][]string{"flow": {"run", "check", "export"}, "keys": {"rotate", "retire"}}

// printHelp prints the help of a command or topic, by default that of serve,
// which lists the commands.
func printHelp(args []string, stdout io.Writer) error {
	words, err := readFlags(newFlags("help"), args, nil, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	topic := "serve"
	switch {
	case len(words) == 0:
	case len(words) == 1, len(words) == 2 && slices.Contains(helpVerbs[words[0]], words[1]):
		topic = words[0]
	default:
		return &usageError{fmt.Sprintf("help takes one command or topic, got %q", words)}
	}
	if topic == "limits" {
		return printLimits(stdout)
	}
	text := helpOf(topic)
	if text == "" {
		return &usageError{fmt.Sprintf("no help on %q; help lists the commands and topics", topic)}
	}
	_, err = io.WriteString(stdout, text)
	return err
}

// flagsHere is the line of a help text in place of which the flags stand.
const flagsHere = "{flags}\n"

// helpOf returns the help of a command, such as "flow run", or of a topic; "" if there is
// none.
func helpOf(topic string) string {
	topic, _, _ = strings.Cut(topic, " ")
	if topic == "help" {
		topic = "serve" // which lists the commands
	}
	return strings.Replace(helpTexts[topic], flagsHere, listFlags(topic), 1)
}

// columns has the help texts in which the words about flags do not begin two columns after
// the longest flag. A flag that reaches the column stands on a line of its own.
var columns = map[string]int{"call": 21, "check": 21, "test": 21, "client": 21, "gateway": 21, "auth": 21}

// helpWidth is the width of a terminal, in columns.
const helpWidth = 80

// listFlags returns the lines about flags of a help text.
func listFlags(topic string) string {
	var rows []flagRow
	column := 0
	for _, r := range flagTable {
		if r.under == topic || r.under == "" && slices.Contains(r.in, topic) {
			rows = append(rows, r)
			column = max(column, len("  "+r.label()+"  "))
		}
	}
	column = cmp.Or(columns[topic], column)
	var b strings.Builder
	for _, r := range rows {
		line := "  " + r.label()
		if len(line) >= column {
			b.WriteString(line + "\n")
			line = ""
		}
		line += strings.Repeat(" ", column-len(line)-1) // one more before each word
		for _, word := range r.pieces() {
			if len(line)+1+len(word) > helpWidth {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", column-1)
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// label returns how the flag is written, such as "-addr HOST:PORT".
func (r flagRow) label() string {
	if r.isSwitch() {
		return "-" + r.name
	}
	return "-" + r.name + " " + r.value
}

// sentence returns the help text of the flag before its default.
func (r flagRow) sentence() string {
	if r.kind == once {
		return r.help
	}
	return r.help + "; may be repeated"
}

// usual returns the help text of the default.
func (r flagRow) usual() string { return cmp.Or(r.words, r.def) }

// pieces returns the help text of the flag, in pieces that lines do not break:
// words, and the variable with the default.
func (r flagRow) pieces() []string {
	variable := r.env
	if variable != "" && r.kind == repeatedCommand {
		variable += ", one a line"
	}
	known := slices.DeleteFunc([]string{variable, r.usual()}, func(s string) bool { return s == "" })
	if len(known) == 0 {
		return strings.Fields(r.sentence())
	}
	mark, more, _ := strings.Cut(r.more, " ")
	list := append(strings.Fields(r.sentence()), "("+strings.Join(known, ", ")+")"+mark)
	return append(list, strings.Fields(more)...)
}
