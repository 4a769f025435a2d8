package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

var errAct = errors.New("the flow has no such place")

// Act returns the text of a flow after a button of its form was pressed:
//
//	add form        a step of that kind, at the end
//	remove PATH     a step, a field, an argument or a result
//	up PATH         a step or a result changes its place with the one before
//	down PATH       or with the one after
//	field PATH      another field of a form; PATH is arguments for an argument
//	result          another result, before the last, with a condition
//
// It also returns the path of the added or moved item, or form.
func Act(source, do string) (changed, focus string, err error) {
	root, problems := document.Parse([]byte(source))
	if len(problems) > 0 {
		return source, "", fmt.Errorf("change flow: %s", problems[0])
	}
	verb, object, _ := strings.Cut(do, " ")
	path := strings.Split(object, "/")
	var edits []document.Edit
	switch verb {
	case "add":
		edits = addStep(root, flow.StepKind(object))
	case "remove":
		if root.At(path...) != nil {
			edits = []document.Edit{{Op: document.Remove, Path: path}}
		}
	case "up", "down":
		edits = moveItem(root, path, verb)
	case "field":
		edits = addField(root, path)
	case "result":
		edits = addResult(root)
	}
	if len(edits) == 0 {
		return source, "", errAct
	}
	out, err := document.Apply([]byte(source), edits...)
	return string(out), focusOf(edits[0]), err
}

// focusOf returns the path of the item that an edit added or moved, or form.
func focusOf(e document.Edit) string {
	path := strings.Join(e.Path, "/")
	switch {
	case e.Op == document.Move:
		return path + "/" + strconv.Itoa(e.To)
	case e.Op == document.Insert && e.Name != "":
		return path + "/" + e.Name
	case e.Op == document.Insert:
		return path + "/" + strconv.Itoa(e.Index)
	}
	return "form"
}

// fresh is the text of a new step of each kind; %s is its key.
var fresh = map[flow.StepKind]string{
	flow.Form: `{"form":%s,"message":"What should the user answer?",
		"fields":{"answer":{"type":"string","required":true}}}`,
	flow.URL: `{"url":%s,"message":"Open this page to go on.",
		"page":{"title":"One more step","text":"Confirm it here.","button":"Confirm"}}`,
	flow.Sampling: `{"sampling":%s,"prompt":"What should the model answer?"}`,
	flow.Roots:    `{"roots":%s}`,
	flow.Shed:     `{"shed":%s}`,
	flow.Progress: `{"progress":"Working","seconds":1}`,
	flow.End:      `{"end":"Nothing was done.","when":"false"}`,
}

func addStep(root *document.Node, kind flow.StepKind) []document.Edit {
	value, ok := fresh[kind]
	if !ok {
		return nil
	}
	if strings.Contains(value, "%s") {
		value = fmt.Sprintf(value, strconv.Quote(freeKey(root, kind)))
	}
	n := 0
	if steps := root.Get("steps"); steps.KindOf() == document.List {
		n = len(steps.Items)
	}
	return []document.Edit{
		{Op: document.Insert, Path: []string{"steps"}, Index: n, Value: json.RawMessage(value)},
	}
}

// freeKey returns a key that no step has: question1, question2 and so on.
func freeKey(root *document.Node, kind flow.StepKind) string {
	taken := map[string]bool{}
	if steps := root.Get("steps"); steps.KindOf() == document.List {
		for _, s := range steps.Items {
			for _, k := range flow.Kinds() {
				taken[s.Get(string(k)).Str()] = true
			}
		}
	}
	word := "question"
	if kind == flow.Shed {
		word = "part"
	}
	for i := 1; ; i++ {
		if key := word + strconv.Itoa(i); !taken[key] {
			return key
		}
	}
}

func moveItem(root *document.Node, path []string, verb string) []document.Edit {
	i, err := strconv.Atoi(path[len(path)-1])
	list := root.At(path[:len(path)-1]...)
	if err != nil || list.KindOf() != document.List {
		return nil
	}
	to := i - 1
	if verb == "down" {
		to = i + 1
	}
	if i < 0 || to < 0 || i >= len(list.Items) || to >= len(list.Items) {
		return nil
	}
	return []document.Edit{{Op: document.Move, Path: path[:len(path)-1], Index: i, To: to}}
}

func addField(root *document.Node, path []string) []document.Edit {
	at := root.At(path...)
	if k := at.KindOf(); k == document.List || k == document.Text || len(path) == 0 ||
		path[0] != "arguments" &&
			root.At(path[:len(path)-1]...).KindOf() != document.Map {
		return nil
	}
	name := "field"
	for i := 1; at.Has(name); i++ {
		name = "field" + strconv.Itoa(i)
	}
	return []document.Edit{
		{Op: document.Insert, Path: path, Name: name, Value: json.RawMessage(`{"type":"string"}`)},
	}
}

// addResult adds a result with a condition before the last, and makes a list of a
// single one.
func addResult(root *document.Node) []document.Edit {
	fresh := json.RawMessage(`{"when":"false","text":"Another result."}`)
	result := root.Get("result")
	if result.KindOf() == document.List {
		return []document.Edit{
			{
				Op:    document.Insert,
				Path:  []string{"result"},
				Index: max(len(result.Items)-1, 0),
				Value: fresh,
			},
		}
	}
	last := result.JSON()
	if result.KindOf() != document.Map {
		last = []byte(`{"text":` + string(textJSON(result.Str())) + `}`)
	}
	return []document.Edit{{Op: document.Set, Path: []string{"result"},
		Value: json.RawMessage("[" + string(fresh) + "," + string(last) + "]")}}
}

func textJSON(s string) []byte {
	b, _ := json.Marshal(s) // a text always encodes
	return b
}
