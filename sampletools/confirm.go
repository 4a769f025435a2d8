package sampletools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// confirm asks before it does something that cannot be undone.
func confirm() scenario {
	return scenario{
		Sample: Sample{
			Slug:    "confirm",
			Title:   "Confirm",
			Summary: "Asks before it deletes 1.2 million records.",
			Teaches: "Accept, decline and cancel are three different answers. " +
				"A server should treat them differently. Small deletions ask nothing.",
			Try: []string{
				"Accept without ticking the box.",
				"Decline once and cancel once: compare the result texts.",
				"Delete from the table drafts: twelve records, no question.",
			},
			Replay:    "The same retry reports the same deletion again. Nothing is stored.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Delete old orders",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"delete_records","arguments":{"table":"orders",` +
					`"before":"2020-01-01"}}`),
			},
		},
		tools: []serve.Tool{{
			Name: "delete_records", Title: "Delete records",
			Description: "Deletes the old records of a table. Nothing is really deleted.",
			Input: `{"type":"object","properties":{
				"table":{"type":"string","enum":["orders","drafts"],"description":"Table to delete from"},
				"before":{"type":"string","format":"date",
					"description":"Delete records older than this date"}},
				"required":["table"]}`,
			Run: deleteRecords,
		}},
	}
}

// confirmFrom is the smallest number of records that requires a confirmation.
const confirmFrom = 1000

func deleteRecords(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Table  string `json:"table"`
		Before string `json:"before"`
	}](t)
	if err != nil {
		return nil, err
	}
	count, ok := map[string]int{"orders": 1200000, "drafts": 12}[args.Table]
	if !ok {
		return nil, serve.ToolErrorf("There is no table %q. The tables are orders and drafts.", args.Table)
	}
	if count < confirmFrom {
		return serve.Text("Deleted %d records from %s.", count, args.Table), nil
	}
	a, err := t.AskOne(confirmQuestion(count, args.Table))
	if err != nil {
		return nil, err
	}
	switch {
	case !a.Accepted():
		return serve.Refused(a,
			"Nothing was deleted: the person said no. Do not try again.",
			"Nothing was deleted: the question was dismissed. It may be asked again later."), nil
	case !a.Bool("confirm"):
		return serve.Text("Nothing was deleted: the form came back, but the box was not ticked."), nil
	}
	return serve.Text("Deleted %s records from %s.", grouped(count), args.Table), nil
}

func confirmQuestion(count int, table string) serve.Question {
	return serve.Form("confirm",
		fmt.Sprintf("This deletes %s records from %s and cannot be undone. Delete them?",
			grouped(count), table),
		`{"type":"object","properties":{
			"confirm":{"type":"boolean","title":"Delete them","description":"Tick to delete",
				"default":false}},
			"required":["confirm"]}`)
}

// grouped formats 1200000 as 1,200,000.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
