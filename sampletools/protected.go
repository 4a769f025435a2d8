package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// Scopes of the protected sample.
const (
	readNotes  = "notes:read"
	writeNotes = "notes:write"
)

// protected serves notes to users who have signed in.
func protected(c Config) scenario {
	const path = "/mcp/protected"
	g := &guard{resource: c.BaseURL + path, path: path, title: "Protected notes", basic: readNotes,
		scopes: []string{readNotes, writeNotes}}
	g.server = authserver.New(authserver.Config{
		BaseURL: c.BaseURL, Path: "/samples/authorization", Resource: g.resource,
		Scopes: []authserver.Scope{
			{Name: readNotes, Meaning: "list your notes and send them to others"},
			{Name: writeNotes, Meaning: "delete your notes"},
		},
		Users: []authserver.User{{Subject: "alice", Name: "Alice"}, {Subject: "bob", Name: "Bob"}},
		Keys:  c.Keys, Memory: newBook(c, "protected"), Now: c.Now, Rand: c.Rand,
		Log: c.Log, Caller: serve.CallerOf, Refused: func() { c.Refuse(refusedTicket) },
	})
	return scenario{
		Sample: Sample{
			Slug:    "protected",
			Title:   "Protected notes",
			Summary: "Notes that require a sign-in. The sample has an authorization server of its own.",
			Teaches: "A protected server answers 401 until a request has an access token for it. " +
				"The user of the token is the principal of the call. " +
				"The server rejects a requestState of one user with the token of another. " +
				"A new token of the same user continues the call.",
			Try: []string{
				"Call without a token: the server answers 401 and says where its metadata is.",
				"Start send_note as Alice, sign out, and sign in as Bob to answer: the state is rejected.",
				"Sign in with access tokens that expire in a minute and without staying signed in. " +
					"Wait before you answer, and sign in again: the call continues with the same state.",
				"Call delete_note with the scope notes:read alone. " +
					"The server answers 403 and names the scope that is missing.",
				"Check it. " +
					"Among the experiments are a made-up token, an expired one, and one for another server.",
			},
			Replay: "The same retry succeeds until the state expires, with any valid token of the user. " +
				"Codes and refresh tokens count once, for which the authorization server has a memory. " +
				"It is lost when the program restarts.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Send a note",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"send_note","arguments":{"note":"shopping"}}`),
			},
		},
		guard: g,
		scopes: map[string]string{
			"list_notes": readNotes, "send_note": readNotes, "delete_note": writeNotes,
		},
		tools: []serve.Tool{
			{
				Name: "list_notes", Title: "List notes",
				Description: "Lists your notes. Needs the scope " +
					readNotes + ".",
				Input: `{"type":"object"}`, Run: listNotes,
			},
			{
				Name: "send_note", Title: "Send note",
				Description: "Sends one of your notes after a question. Nothing is really sent. " +
					"Needs the scope " + readNotes + ".",
				Input: noteInput, Run: sendNote,
			},
			{
				Name: "delete_note", Title: "Delete note",
				Description: "Deletes one of your notes after a question. Nothing is really deleted. " +
					"Needs the scope " + writeNotes + ".",
				Input: noteInput, Run: deleteNote,
			},
		},
	}
}

const noteInput = `{"type":"object","properties":{
	"note":{"type":"string","description":"Name of the note, such as shopping"}},"required":["note"]}`

// note is a note of a user. The sample stores no others.
type note struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// notes returns the notes of a principal.
func notes(principal string) []note {
	switch principal {
	case "alice":
		return []note{{"shopping", "Bread, coffee, a bell for the bike"}, {"talk", "Begin with the question"}}
	case "bob":
		return []note{{"shopping", "Tea"}, {"garden", "Water the tomatoes"}}
	}
	return nil
}

// noteOf returns the note that a call names.
func noteOf(t *serve.Turn) (note, error) {
	args, err := serve.Arguments[struct {
		Note string `json:"note"`
	}](t)
	if err != nil {
		return note{}, err
	}
	var names []string
	for _, n := range notes(t.Principal) {
		if n.Name == args.Note {
			return n, nil
		}
		names = append(names, n.Name)
	}
	return note{}, serve.ToolErrorf("%s has no note with this name. The notes are: %s.",
		personName(t.Principal), strings.Join(names, ", "))
}

func listNotes(_ context.Context, t *serve.Turn) (serve.Result, error) {
	lines := []string{"Notes of " + personName(t.Principal) + ":"}
	for _, n := range notes(t.Principal) {
		lines = append(lines, n.Name+": "+n.Text)
	}
	return serve.Text("%s", strings.Join(lines, "\n")), nil
}

// sendNote asks whom to send a note to. The state carries the text as it was
// when the user was asked, so it belongs to that user alone.
func sendNote(_ context.Context, t *serve.Turn) (serve.Result, error) {
	var n note
	if ok, err := t.LoadWork(&n); err != nil {
		return nil, err
	} else if !ok {
		if n, err = noteOf(t); err != nil {
			return nil, err
		}
		if err := t.SaveWork(n); err != nil {
			return nil, err
		}
	}
	a, err := t.AskOne(serve.Form("send", fmt.Sprintf("Send the note “%s” of %s to whom?", n.Name,
		personName(t.Principal)), `{"type":"object","properties":{"to":{"type":"string","title":"To",`+
		`"enum":["Carol","Dave"],"default":"Carol"}},"required":["to"]}`))
	if err != nil {
		return nil, err
	}
	if !a.Accepted() {
		return serve.Refused(a, "The note was not sent: you declined.",
			"The note was not sent: you dismissed the question."), nil
	}
	return serve.Text("%s sent “%s” to %s.", personName(t.Principal), n.Text, a.Text("to")), nil
}

// deleteNote asks before it deletes.
func deleteNote(_ context.Context, t *serve.Turn) (serve.Result, error) {
	n, err := noteOf(t)
	if err != nil {
		return nil, err
	}
	a, err := t.AskOne(serve.Form("delete", fmt.Sprintf("Delete the note “%s”?", n.Name),
		`{"type":"object","properties":{"delete":{"type":"boolean","title":"Delete it","default":true}},`+
			`"required":["delete"]}`))
	if err != nil {
		return nil, err
	}
	if !a.Accepted() || !a.Bool("delete") {
		return serve.Text("The note “%s” was kept.", n.Name), nil
	}
	return serve.Text("%s deleted the note “%s”. "+
		"The sample stores nothing, so it is back in the next call.",
		personName(t.Principal), n.Name), nil
}
