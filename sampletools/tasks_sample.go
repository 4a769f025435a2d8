package sampletools

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// tasksSample has work that continues after its call has been answered.
func tasksSample(c Config) scenario {
	w := taskScripts{wait: c.Wait}
	return scenario{
		Sample: Sample{
			Slug:    "tasks",
			Title:   "Tasks",
			Summary: "A report that asks midway, and a long build that can be cancelled.",
			Teaches: "Questions before the work starts are rounds of the call. " +
				"Questions during the work belong to the task. " +
				"Neither keys nor requestState carry over from one to the other.",
			Try: []string{
				"Start the report, answer, and follow the task until it asks again.",
				"Cancel the build halfway.",
				"Send subscriptions/listen with the task's id in notifications.taskIds, to any instance. " +
					"Every change of its status follows.",
				"Get the task as demo-bob when demo-alice started it: for Bob it does not exist.",
				"Do not declare the extension: the call is rejected with -32021, which names it.",
			},
			Replay: "The same retry starts another task. " +
				"Tasks are kept for ten minutes, in memory that all instances share.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1,b:v1",
			Start: Start{
				Label:  "Write a report",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"report","arguments":{"topic":"sales"}}`),
			},
		},
		extensions: []string{tasks.Extension},
		runner:     newRunner(c, "tasks"),
		tools: []serve.Tool{{
			Name: "report", Title: "Report",
			Description: "Asks for the period in the call. " +
				"Then writes the report as a task, which asks for the tone.",
			Input: `{"type":"object","properties":{"topic":{"type":"string","minLength":1,` +
				`"maxLength":60,"description":"What the report is about"}},"required":["topic"]}`,
			Run: w.report,
		}, {
			Name: "build", Title: "Build",
			Description: "A long build. Asks nothing.",
			Input: `{"type":"object","properties":{"seconds":{"type":"number","minimum":0,` +
				`"maximum":60,"description":"How long it takes (default 8)"}}}`,
			Run: w.build,
		}},
	}
}

// newRunner returns a runner whose tasks all instances of a sample share.
func newRunner(c Config, sample string) *tasks.Runner {
	return serve.NewRunner(serve.RunnerConfig{
		Table: c.Table, Pool: sample, Limit: c.Limits.Tasks, Shared: c.Shared,
		Now: c.Now, Rand: c.Rand, Log: c.Log,
	})
}

// taskScripts has the parts that the scripts need from the program.
type taskScripts struct {
	wait func(context.Context, time.Duration) error
}

// report asks twice: in the call, where waiting costs the server nothing, and
// then on the task.
func (w taskScripts) report(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Topic string `json:"topic"`
	}](t)
	if err != nil {
		return nil, err
	}
	if args.Topic == "" {
		return nil, serve.ToolErrorf("topic is required.")
	}
	period, err := t.AskOne(serve.Form("period", fmt.Sprintf("Which period should the report on %s cover?",
		args.Topic),
		`{"type":"object","properties":{"period":{"type":"string","enum":["week","month","year"]}},`+
			`"required":["period"]}`))
	if err != nil {
		return nil, err
	}
	if !period.Accepted() {
		return serve.Refused(period, "No report: the period was declined.",
			"No report: the question was dismissed."), nil
	}
	return nil, &serve.Job{
		Required: true,
		Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
			return w.writeReport(ctx, d, args.Topic, period.Text("period"))
		},
	}
}

// writeReport is the job of report.
func (w taskScripts) writeReport(ctx context.Context, d serve.JobClient, topic,
	period string) (*serve.ToolResult, error) {
	if err := w.runStage(ctx, d, "collecting figures", 2*time.Second); err != nil {
		return nil, err
	}
	answers, err := d.Ask(ctx, serve.Form("tone", "The figures are in. Which tone should the report have?",
		`{"type":"object","properties":{"tone":{"type":"string","enum":["plain","cheerful"]}},`+
			`"required":["tone"]}`))
	if err != nil {
		return nil, err
	}
	tone := answers["tone"]
	if !tone.Accepted() {
		return serve.Refused(tone, "The report was not written: the tone was declined.",
			"The report was not written: the question was dismissed."), nil
	}
	if err := w.runStage(ctx, d, "writing", 2*time.Second); err != nil {
		return nil, err
	}
	return serve.Text("A %s report on %s over the last %s: everything went up.", tone.Text("tone"),
		topic, period), nil
}

func (w taskScripts) build(_ context.Context, t *serve.Turn) (serve.Result, error) {
	args, err := serve.Arguments[struct {
		Seconds *float64 `json:"seconds"`
	}](t)
	if err != nil {
		return nil, err
	}
	seconds := 8.0
	if args.Seconds != nil {
		seconds = *args.Seconds
	}
	if seconds < 0 || seconds > 60 {
		return nil, serve.ToolErrorf("seconds must be from 0 to 60.")
	}
	step := time.Duration(seconds / 4 * float64(time.Second))
	return nil, &serve.Job{
		Required: true,
		Run: func(ctx context.Context, d serve.JobClient) (*serve.ToolResult, error) {
			for _, stage := range []string{"fetching", "compiling", "testing", "packing"} {
				if err := w.runStage(ctx, d, stage, step); err != nil {
					return nil, err
				}
			}
			return serve.Text("Build finished in %v seconds.", seconds), nil
		},
	}
}

// runStage sets the task's status message and waits.
func (w taskScripts) runStage(
	ctx context.Context, d serve.JobClient, stage string, takes time.Duration,
) error {
	if err := d.SetStatus(ctx, stage); err != nil {
		return err
	}
	return w.wait(ctx, takes)
}
