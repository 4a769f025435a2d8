package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// azureDevOps is the example that the MRTR proposal works through (SEP-2322,
// real-world example): the tracker's rules ask for further values, one question
// at a time.
func azureDevOps() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "azure-devops",
			Title:   "Azure DevOps",
			Summary: "Resolve a bug; the tracker's rules ask for what is missing.",
			Teaches: "The first question has no requestState: the client sends the arguments again. " +
				"The second carries the first answer in the state, so any instance can finish the call.",
			Try: []string{
				"Answer Duplicate and watch the state appear.",
				"Answer Fixed: the call completes in two rounds.",
				"Close task 4310 or remove user story 4400: each type has its own rules.",
				"Decline once and cancel once: the result texts differ.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Resolve bug 4522",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"update_work_item","arguments":{"workItemId":4522,` +
					`"fields":{"System.State":"Resolved"}}}`),
				Answers: json.RawMessage(`{"resolution":{"resolution":"Duplicate"},` +
					`"duplicate_of":{"duplicateOfId":4301}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "update_work_item", Title: "Update work item",
			Description: "Sets fields of a work item. The project's rules may ask for more. " +
				"Nothing is stored: the next call finds the item unchanged.",
			Input: `{"type":"object","properties":{
				"workItemId":{"type":"integer","description":"ID of the work item, for example 4522"},
				"fields":{"type":"object",
					"description":"Values by field name: {\"System.State\": \"Resolved\"}",
					"additionalProperties":{"type":"string"}}},
				"required":["workItemId","fields"]}`,
			Run: updateWorkItem,
		}, {
			Name: "list_work_items", Title: "List work items",
			Description: "Lists the work items and the states they can go to. Asks nothing.",
			Input:       `{"type":"object"}`,
			Run:         listWorkItems,
		}},
	}
}

// Fields of a work item, by reference name.
const (
	fieldState = "System.State"
	fieldTitle = "System.Title"
)

// change is a work item and the fields that the call sets.
type change struct {
	item   workItem
	fields map[string]string
	detail string // what the answers add to the final sentence
	effect string
}

// updateWorkItem asks one question per rule that applies. An answer can make
// further rules apply.
func updateWorkItem(_ context.Context, t *serve.Turn) (serve.Result, error) {
	c, err := readChange(t)
	if err != nil {
		return nil, err
	}
	for _, r := range workRules {
		if !r.applies(c) {
			continue
		}
		a, err := t.AskOne(r.question(c.item))
		if err != nil {
			return nil, err
		}
		if !a.Accepted() {
			return c.unchanged(r, a), nil
		}
		if err := r.apply(&c, a); err != nil {
			return nil, err
		}
	}
	return serve.Text("%s", c.sentence()), nil
}

// readChange validates the arguments before the first question, so that an
// invalid call asks nothing.
func readChange(t *serve.Turn) (change, error) {
	args, err := serve.Arguments[struct {
		WorkItemID *float64          `json:"workItemId"`
		Fields     map[string]string `json:"fields"`
	}](t)
	if err != nil {
		return change{}, err
	}
	if args.WorkItemID == nil || len(args.Fields) == 0 {
		return change{}, serve.ToolErrorf("workItemId and at least one field are required.")
	}
	item, ok := findWorkItem(*args.WorkItemID)
	if !ok {
		return change{}, serve.ToolErrorf("Work item #%v does not exist. "+
			"Use list_work_items to see those that do.", *args.WorkItemID)
	}
	for name := range args.Fields {
		if name != fieldState && name != fieldTitle {
			return change{}, serve.ToolErrorf("Field %q cannot be set. Set %s or %s.", name,
				fieldState, fieldTitle)
		}
	}
	c := change{item: item, fields: args.Fields}
	if state, ok := c.fields[fieldState]; ok && !item.canGo(state) {
		return change{}, serve.ToolErrorf("%s cannot go from %s to %q. It can go to %s.", item, item.State,
			state, strings.Join(item.next(), " or "))
	}
	return c, nil
}

// unchanged returns the result of a question that was not accepted.
func (c change) unchanged(r workRule, a serve.Answer) serve.Result {
	return serve.Refused(a,
		fmt.Sprintf("%s was not changed: %s is required, but the question was declined.", c.item,
			r.requirement),
		fmt.Sprintf("%s was not changed: the question was dismissed. Call again when you know more.", c.item))
}

// sentence returns the text of the final result.
func (c change) sentence() string {
	state, ok := c.fields[fieldState]
	if !ok {
		return fmt.Sprintf("%s updated.", c.item)
	}
	return fmt.Sprintf("%s %s%s. State set to %s%s.", c.item, strings.ToLower(verb(state)), c.detail,
		state, c.effect)
}

// verb returns the state as a past participle for the final sentence.
func verb(state string) string {
	if state == "Active" {
		return "activated"
	}
	return state
}

func listWorkItems(context.Context, *serve.Turn) (serve.Result, error) {
	var b strings.Builder
	for _, w := range workItems {
		fmt.Fprintf(&b, "%s: %s (%s; can go to %s)\n", w, w.Title, w.State, strings.Join(w.next(), ", "))
	}
	return serve.Text("%s", strings.TrimSpace(b.String())), nil
}
