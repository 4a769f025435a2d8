package sampletools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// workItem is an item of the tracker. The list never changes: bug 4522 is
// active in every call.
type workItem struct {
	ID    int
	Type  string
	Title string
	State string
}

var workItems = []workItem{
	{4522, "Bug", "Checkout button does nothing in Safari", "Active"},
	{4301, "Bug", "Click handler lost after navigation", "Active"},
	{4188, "Bug", "Typo on the landing page", "Closed"},
	{4310, "Task", "Upgrade the payment library", "Active"},
	{4400, "User Story", "Pay with a saved card", "Active"},
	{4401, "User Story", "Pay with any saved method", "New"},
}

// String returns the item's type and number: "Bug #4522".
func (w workItem) String() string { return fmt.Sprintf("%s #%d", w.Type, w.ID) }

func findWorkItem(id float64) (workItem, bool) {
	i := slices.IndexFunc(workItems, func(w workItem) bool { return float64(w.ID) == id })
	if i < 0 {
		return workItem{}, false
	}
	return workItems[i], true
}

// similarItem returns another item of the same type.
func similarItem(w workItem) workItem {
	i := slices.IndexFunc(workItems, func(o workItem) bool { return o.Type == w.Type && o.ID != w.ID })
	return workItems[i] // every type that a rule links has at least two items
}

// next returns the states that the item can go to.
func (w workItem) next() []string {
	return transitions[w.Type+"/"+w.State]
}

// transitions lists the states that an item can go to, by its type and state.
var transitions = map[string][]string{
	"Bug/Active":        {"Resolved"},
	"Bug/Closed":        {"Active"},
	"Task/Active":       {"Closed"},
	"User Story/New":    {"Active", "Removed"},
	"User Story/Active": {"Closed", "Removed"},
}

func (w workItem) canGo(state string) bool { return slices.Contains(w.next(), state) }

// workRule is a custom rule of the project: when a field of an item of this
// type gets this value, another value is required.
type workRule struct {
	itemType     string
	field, value string
	requirement  string // the requirement, in words

	key, message string // the question; %s in message is replaced by the item
	schema       string

	property string // name of the answer's property
	detail   string // what the answer adds to the final sentence
	effect   string
	target   string // field that the answer sets, so that other rules can test it
	link     bool   // the answer is the ID of another item of the same type
}

var workRules = []workRule{{
	itemType: "Bug", field: fieldState, value: "Resolved", requirement: "a resolution",
	key: "resolution", message: "Resolving %s requires a resolution. How was this bug resolved?",
	schema: `{"type":"object","properties":{"resolution":{"type":"string","enum":["Fixed",` +
		`"Won't Fix","Duplicate","By Design"],"description":"Resolution type for this bug"}},` +
		`"required":["resolution"]}`,
	property: "resolution", detail: " as %v", target: "Resolution",
}, {
	itemType: "Bug", field: "Resolution", value: "Duplicate", requirement: "the original",
	key: "duplicate_of", message: "Since this is a duplicate, which work item is the original?",
	schema: `{"type":"object","properties":{"duplicateOfId":{"type":"number",` +
		`"description":"Work item ID of the original bug"}},"required":["duplicateOfId"]}`,
	property: "duplicateOfId", detail: " of Bug #%v", effect: " and duplicate link created", link: true,
}, {
	itemType: "Task", field: fieldState, value: "Closed", requirement: "the time spent",
	key: "completed_work", message: "Closing %s requires the completed work. How many hours did it take?",
	schema: `{"type":"object","properties":{"hours":{"type":"number","minimum":0,` +
		`"maximum":1000,"description":"Completed work in hours"}},"required":["hours"]}`,
	property: "hours", detail: " after %v hours of work",
}, {
	itemType: "User Story", field: fieldState, value: "Closed", requirement: "a sign-off",
	key: "sign_off", message: "Closing %s requires a sign-off. Who accepted it?",
	schema: `{"type":"object","properties":{"acceptedBy":{"type":"string","minLength":1,` +
		`"maxLength":80,"description":"Name of the product owner"}},"required":["acceptedBy"]}`,
	property: "acceptedBy", detail: ", accepted by %v",
}, {
	itemType: "User Story", field: fieldState, value: "Removed", requirement: "a reason",
	key: "reason", message: "Removing %s requires a reason. Why is it being removed?",
	schema: `{"type":"object","properties":{"reason":{"type":"string","enum":["Out of scope",` +
		`"Superseded"],"description":"Reason for removing this story"}},"required":["reason"]}`,
	property: "reason", detail: " as %v", target: "Reason",
}, {
	itemType: "User Story", field: "Reason", value: "Superseded", requirement: "the successor",
	key: "superseded_by", message: "Which work item replaces it?",
	schema: `{"type":"object","properties":{"successorId":{"type":"number","description":"Work ` +
		`item ID of the successor"}},"required":["successorId"]}`,
	property: "successorId", detail: " by User Story #%v", effect: " and successor link created", link: true,
}}

// applies reports whether the rule requires an answer for this change.
func (r workRule) applies(c change) bool {
	return r.itemType == c.item.Type && c.fields[r.field] == r.value
}

// plainNumber formats a number without an exponent: 99999999, not
// 9.9999999e+07.
func plainNumber(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func (r workRule) question(w workItem) serve.Question {
	return serve.Form(r.key, strings.ReplaceAll(r.message, "%s", w.String()), r.schema)
}

// apply adds the answer to the change.
func (r workRule) apply(c *change, a serve.Answer) error {
	value := a.Content[r.property]
	if r.link {
		other, ok := findWorkItem(a.Number(r.property))
		if !ok || other.Type != c.item.Type || other.ID == c.item.ID {
			return serve.ToolErrorf("%s was not changed: #%s is not another %s. There is #%d, for example.",
				c.item, plainNumber(value), c.item.Type, similarItem(c.item).ID)
		}
	}
	if r.target != "" {
		c.fields[r.target] = a.Text(r.property)
	}
	c.detail += fmt.Sprintf(r.detail, plainNumber(value))
	c.effect += r.effect
	return nil
}
