package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/check"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
)

// whichTool are the properties of an input schema that name a tool of a server.
const whichTool = `"url":{"type":"string","minLength":1,"maxLength":2048,"description":"URL of the MCP ` +
	`endpoint, or the command of a server that the playground was started with"},
	"tool":{"type":"string","minLength":1,"maxLength":200,"description":"Name of the tool to call"},`

// checkInput is the input schema of check_server.
const checkInput = `{"type":"object","properties":{
	` + whichTool + `
	"arguments":{"type":"object","description":"Arguments of the call; made up from its schema if absent. ` +
	`Leave them and answers out for ` + exercise.Tool +
	` of the prompt build: its requirements are judged then"},
	"answers":{"type":"object","description":"Answers to the questions of the tool, by key: the content ` +
	`of a form, or a whole answer; others are made up"}},
	"required":["url","tool"]}`

// toolArgs are the arguments of check_server and of call_tool.
type toolArgs struct {
	URL       string                     `json:"url"`
	Tool      string                     `json:"tool"`
	Arguments json.RawMessage            `json:"arguments"`
	Answers   map[string]json.RawMessage `json:"answers"`
}

func (s *Pages) checkServer() serve.Tool {
	yes := true
	return serve.Tool{
		Name: "check_server", Title: "Check a server",
		Description: "Calls a tool of an MCP server, first correctly and then with one deliberate error " +
			"at a time, and judges what the server does against the specification. It first asks the " +
			"user whether the server may be tested; else it makes only the correct call. A check takes " +
			"seconds to minutes.",
		Input: checkInput, Output: boardOutput,
		Annotations: &mcp.ToolAnnotations{OpenWorldHint: &yes},
		Run:         s.check,
	}
}

// check asks whether the server may be tested, and goes on as a job.
func (s *Pages) check(ctx context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := read[toolArgs](t, checkInput)
	if err != nil {
		return nil, err
	}
	workspace := s.workspaceOf(t)
	v, err := s.visit(ctx, t, workspace)
	if err != nil {
		return nil, err
	}
	target, err := s.target(v, args.URL)
	if err != nil {
		return nil, err
	}
	note, err := s.askConsent(v, t, target, args.Tool)
	if err != nil {
		return nil, err
	}
	return nil, &serve.Job{Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
		v, err := s.visit(ctx, t, workspace)
		if err != nil {
			return nil, err
		}
		r, err := s.runCheck(v, d, target, args, note)
		return r, s.inWords(err)
	}}
}

// Why only the correct call is made.
const (
	noteCannotAsk = "Only the correct call was made: this client cannot be asked whether the server may be " +
		"tested, because it does not declare form elicitation. The experiments, which send invalid " +
		"requests, were left out. The page of the server and the command mrtr-playground check make them."
	noteNotMine = "Only the correct call was made: it was not confirmed that the server may be tested. " +
		"The experiments, which send invalid requests, were left out."
	noteNoExercise = "The requirements of the exercise were not judged: leave arguments and answers out."
)

// askConsent asks whether a server may be tested, once it has been seen to have the tool:
// to connect is a correct request. An agent can answer that itself, so no limit depends
// on it. The note says why only the correct call is made; it is empty if the server may
// be tested. The error is a serve.ToolError if the user refuses to answer.
func (s *Pages) askConsent(v visit, t *serve.Turn, target playground.Target, tool string) (
	note string, err error) {
	if app.IsTestable(target) {
		return "", nil
	}
	q := serve.Form("mine", fmt.Sprintf("MRTR Playground is asked to test the server %s. A check "+
		"sends it invalid requests. Is the server yours, or does its owner allow tests?",
		placeOf(target)),
		`{"type":"object","properties":{"mine":{"type":"boolean","title":"The server may be tested",`+
			`"description":"If not, only the correct call is made"}},"required":["mine"]}`)
	if !t.CanAsk(q) {
		return noteCannotAsk, nil
	}
	var asked string
	known, err := t.LoadWork(&asked)
	if err != nil {
		return "", err
	}
	if !known || asked != target.URL {
		delete(t.Responses, q.Key) // an answer to a question that was not asked
		if _, _, err := s.find(v, target, tool); err != nil {
			return "", s.inWords(err)
		}
	}
	if err := t.SaveWork(target.URL); err != nil {
		return "", err
	}
	a, err := t.AskOne(q)
	switch {
	case err != nil:
		return "", err
	case a.Action == "decline":
		return "", serve.ToolErrorf("No call was made: the user declined. If the question is accepted " +
			"with mine false, only the correct call is made.")
	case a.Action == "cancel":
		return "", serve.ToolErrorf("No call was made: the question was dismissed. It may be asked again.")
	case !a.Bool("mine"):
		return noteNotMine, nil
	}
	return "", nil
}

// runCheck makes a check and returns its board. A note says why only the correct call is
// made.
func (s *Pages) runCheck(v visit, d serve.JobClient, t playground.Target, args toolArgs,
	note string) (*serve.ToolResult, error) {
	c, tool, err := s.find(v, t, args.Tool)
	if err != nil {
		return nil, err
	}
	plan := planOf(t, c, tool, args)
	plan.RightOnly = note != ""
	session, err := s.App.BeginCheck(v.Visit, plan)
	if err != nil {
		return nil, err
	}
	if err := s.follow(v, d, session); err != nil {
		s.App.Checker.Stop(session)
		return nil, err
	}
	if err := s.App.WaitOwnTurn(v.Visit); err != nil {
		return nil, err
	}
	defer v.EndTurn()
	n, err := s.Store.Session(v.Context(), v.Workspace(), session)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(question.Misshapen(n.Exchanges[0], args.Answers),
		question.Unasked(n.Exchanges[0], args.Answers, nil)); err != nil {
		return nil, serve.ToolErrorf("Nothing was judged: %v.", err)
	}
	k, err := s.keep(v, n, paths.Check(n.Exchanges[0].Target.ID, session))
	if err != nil {
		return nil, err
	}
	report := lab.NewReport(n.Exchanges, c, false)
	var list []exercise.Requirement
	if args.Tool == exercise.Tool && plan.Others != nil && note == "" {
		list = exercise.Judge(report, n.Exchanges)
	}
	b := s.board(report, list, note, k)
	if args.Tool == exercise.Tool && plan.Others == nil {
		b.Note = sentences(b.Note, noteNoExercise)
	}
	b.conclude()
	return structured(b), nil
}

// planOf returns the plan of a check.
func planOf(t playground.Target, c server.Connection, tool server.Tool, args toolArgs) check.Plan {
	var others []lab.Variation
	if args.Tool == exercise.Tool && args.Arguments == nil && args.Answers == nil {
		args.Arguments, args.Answers, others = exercise.Arguments(), exercise.Answers(), exercise.Others()
	}
	if args.Arguments == nil {
		args.Arguments = question.PlaceholderArguments(tool.InputSchema)
	}
	if c.Era == playground.Legacy {
		t.Era = playground.Legacy
	}
	return check.Plan{
		Target: t, Call: server.ToolCall(tool, args.Arguments), Answers: args.Answers,
		Others: others,
		Other:  server.SecondTool(c, args.Tool, t.Sample != ""), MaxWait: app.MaxExpiryWait,
	}
}

// follow waits for the end of a check and reports how many calls it has made.
func (s *Pages) follow(v visit, d serve.JobClient, session string) error {
	made := 0
	for {
		watching, stop := context.WithCancel(v.Context())
		changed, running := s.App.Checker.Watch(watching, session)
		rows, err := s.Store.ExchangeRows(v.Context(), v.Workspace(), session)
		if err == nil && len(rows) > made {
			made = len(rows)
			err = d.Report(v.Context(), made, 0, text.Plural(made, "call")+" made")
		}
		if running && err == nil {
			select {
			case <-changed:
			case <-v.Context().Done():
			}
		}
		stop()
		if err = cmp.Or(err, v.Context().Err()); err != nil || !running {
			return err
		}
	}
}
