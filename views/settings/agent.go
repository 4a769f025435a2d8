// Package settings shows the settings of a browser: roots, certificates, agents
// and shortcuts.
package settings

import (
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Agents is the part of the settings that is about agents.
type Agents struct {
	URL     string // of the MCP server for agents
	Tokened bool   // the results of a token go to the workspace that made it
	Made    string // token that was just made; empty for none
	Tokens  []TokenLine
}

// TokenLine is a token of an agent in the settings.
type TokenLine struct{ ID, Title, Words string }

// NewTokenLines returns the lines of tokens.
func NewTokenLines(tokens []session.AgentToken, now time.Time) []TokenLine {
	var list []TokenLine
	for _, t := range tokens {
		words := "Never used"
		if !t.Used.IsZero() {
			words = "Last used " + t.Used.UTC().Format("2 January 2006, 15:04 UTC")
		}
		words += ", expires in " + text.Plural(int((t.Expires.Sub(now)+24*time.Hour-1)/(24*time.Hour)), "day")
		list = append(list, TokenLine{ID: t.ID, Title: text.Visible(t.Title, 80), Words: words})
	}
	return list
}

// addCommand returns the command that adds the server to Claude Code.
func (a Agents) addCommand() string {
	command := "claude mcp add --transport http mrtr-playground " + a.URL
	if a.Made != "" {
		command += ` --header "Authorization: Bearer ` + a.Made + `"`
	}
	return command
}

// AgentTask is the prompt of the exercise for a coding agent.
const AgentTask = `Use the prompt "build" of mrtr-playground: write the server in an empty folder, ` +
	`start it on a local port, use check_server on it, and mend what it finds until every requirement ` +
	`is met.`
