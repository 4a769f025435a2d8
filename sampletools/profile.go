package sampletools

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// profile has one form with every kind of field that client/elicitation allows.
func profile() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "profile",
			Title:   "Profile",
			Summary: "One form with every kind of field.",
			Teaches: "Strings with formats and lengths, numbers with limits, and booleans. " +
				"Single and multiple choice, with and without titles. Some fields have defaults.",
			Try: []string{
				"Send the form as it is: the defaults are sent.",
				"Send an age of 12.5: the server asks again and says why.",
				"Choose four languages, one too many.",
				"Call book_trip: its arguments are objects, lists and alternatives.",
			},
			Replay:    "The same retry gives the same result again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Fill in the profile",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"create_profile","arguments":{}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "create_profile", Title: "Create profile",
			Description: "Asks for a profile and returns it as structured content.",
			Input:       `{"type":"object"}`,
			Output:      `{"type":"object"}`,
			Run:         createProfile,
		}, {
			Name: "book_trip", Title: "Book a trip",
			Description: "Takes arguments nested five levels deep. " +
				"Asks nothing, and returns them as they arrived.",
			Input: tripSchema,
			Run:   bookTrip,
		}},
	}
}

// tripSchema has every kind of nested argument: objects, lists of values and of
// objects, a map, a value that may be null, alternatives and a reference.
const tripSchema = `{"type":"object","properties":{
	"title":{"type":"string","title":"Title"},
	"traveler":{"type":"object","title":"Traveler","properties":{
		"name":{"type":"string","title":"Name"},
		"age":{"type":"integer","title":"Age","minimum":0},
		"home":{"$ref":"#/$defs/place","title":"Home"}},"required":["name"]},
	"tags":{"type":"array","title":"Tags","items":{"type":"string"},"maxItems":5},
	"legs":{"type":"array","title":"Legs","items":{"type":"object","properties":{
		"to":{"type":"string","title":"To"},
		"nights":{"type":"integer","title":"Nights","minimum":1},
		"hotel":{"type":"object","title":"Hotel","properties":{
			"name":{"type":"string","title":"Name"},
			"room":{"type":"object","title":"Room","properties":{
				"beds":{"type":"integer","default":2},
				"view":{"type":"object","properties":{"of":{"type":"string","examples":["the sea"]}}}},
				"required":["beds"]}}}},
		"required":["to"]}},
	"budget":{"type":"object","title":"Budget by currency","additionalProperties":{"type":"number"}},
	"remark":{"type":["string","null"],"title":"Remark"},
	"payment":{"title":"Payment","oneOf":[
		{"title":"Card","type":"object","properties":{"kind":{"const":"card"},
			"last4":{"type":"string","title":"Last four digits","pattern":"^[0-9]{4}$"}},
			"required":["kind","last4"]},
		{"title":"Invoice","type":"object","properties":{"kind":{"const":"invoice"},
			"address":{"$ref":"#/$defs/place","title":"Address"}},"required":["kind","address"]}]}},
	"required":["title","traveler"],
	"$defs":{"place":{"type":"object","properties":{"street":{"type":"string","title":"Street"},
		"city":{"type":"string","title":"City"}},"required":["city"]}}}`

func bookTrip(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[map[string]json.RawMessage](t)
	if err != nil {
		return nil, err
	}
	var title string
	if json.Unmarshal(args["title"], &title) != nil || title == "" {
		return nil, serve.ToolErrorf("The trip has no title.")
	}
	return serve.Text("Booked %q with %s.", title, t.Arguments), nil
}

// profileSchema uses every feature of the allowed subset. "enumNames" is the
// legacy way to title choices, which some servers still send.
const profileSchema = `{"type":"object","properties":{
	"name":{"type":"string","title":"Name","description":"What people call you","minLength":2,
		"maxLength":40,"default":"Ada"},
	"email":{"type":"string","title":"E-mail","format":"email","default":"ada@example.com"},
	"website":{"type":"string","title":"Website","format":"uri"},
	"birthday":{"type":"string","title":"Birthday","format":"date"},
	"nextMeeting":{"type":"string","title":"Next meeting","format":"date-time"},
	"age":{"type":"integer","title":"Age","minimum":18,"maximum":120,"default":36},
	"rating":{"type":"number","title":"Rating","description":"0 to 5, decimals allowed","minimum":0,
		"maximum":5,"default":4.5},
	"newsletter":{"type":"boolean","title":"Newsletter","default":false},
	"terms":{"type":"boolean","title":"I agree to the terms"},
	"plan":{"type":"string","title":"Plan","enum":["free","team","company"],"default":"free"},
	"theme":{"type":"string","title":"Theme","oneOf":[{"const":"l","title":"Light"},{"const":"d",
		"title":"Dark"},{"const":"s","title":"Same as the system"}],"default":"s"},
	"size":{"type":"string","title":"T-shirt","enum":["s","m","l"],"enumNames":["Small","Medium","Large"]},
	"languages":{"type":"array","title":"Languages","minItems":1,"maxItems":3,"items":{"type":"string",
		"enum":["Go","TypeScript","Python","Rust"]},"default":["Go"]},
	"topics":{"type":"array","title":"Topics","items":{"anyOf":[{"const":"mrtr",
		"title":"Multi round-trip requests"},{"const":"tasks","title":"Tasks"},{"const":"auth",
		"title":"Authorization"}]}}},
	"required":["name","email","terms","languages"]}`

func createProfile(_ context.Context, t *serve.Turn) (serve.Result, error) {
	a, err := t.AskOne(serve.Form("profile", "Please fill in your profile.", profileSchema))
	if err != nil {
		return nil, err
	}
	if !a.Accepted() {
		// A tool with an outputSchema has structured content in every result but an error.
		return serve.ResultOf(serve.Refused(a, "No profile was created: it was declined.",
			"No profile was created: the form was dismissed.").WithStructured(struct{}{}))
	}
	names := slices.Sorted(maps.Keys(a.Content))
	return serve.ResultOf(serve.Text("Profile of %s created with %d fields: %s.", a.Text("name"), len(names),
		strings.Join(names, ", ")).WithStructured(a.Content))
}
