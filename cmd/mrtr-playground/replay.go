package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// replay makes the calls of a recording again, with the recorded answers, and
// prints the differences.
func replay(ctx context.Context, o callOptions, stdout, stderr io.Writer) error {
	data, err := os.ReadFile(o.replay)
	if err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	session, err := export.Import(data, o.limits.pages.Session)
	if err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	report := replayReport{Same: true, Differences: []difference{}}
	for i, x := range session.Exchanges {
		r, err := newReplay(o, x, i+1, stderr)
		if err != nil {
			return err
		}
		differences, err := r.run(ctx)
		r.close()
		if err != nil {
			return err
		}
		report.Differences = append(report.Differences, differences...)
		if !o.json {
			r.print(stdout, differences)
		}
	}
	report.Same = len(report.Differences) == 0
	if o.json {
		if err := verdict.WriteJSON(stdout, report); err != nil {
			return err
		}
	}
	if !report.Same {
		return errQuiet
	}
	return nil
}

// replayReport is the output of -json. Its fields are stable.
type replayReport struct {
	Same        bool         `json:"same"`
	Differences []difference `json:"differences"`
}

// difference is one difference from the recording. Path is a JSON Pointer into
// the response, or a property of the Round itself.
type difference struct {
	Exchange int    `json:"exchange"`
	Round    int    `json:"round"`
	Path     string `json:"path"`
	Was      string `json:"was"`
	Is       string `json:"is"`
}

// replayed is one exchange that is made again.
type replayed struct {
	*caller
	n        int
	recorded playground.Transcript
	masked   bool
}

func newReplay(o callOptions, x playground.Exchange, n int, stderr io.Writer) (*replayed, error) {
	if o.url == "" {
		o.url = x.Target.URL
	}
	o.capabilities, o.method = x.Target.Capabilities, x.Call.Method
	c, err := newCaller(o, stderr)
	if err != nil {
		return nil, err
	}
	r := &replayed{caller: c, n: n, recorded: x.Fold(), masked: len(share.Masks(x)) > 0}
	header := append([]wire.Field(nil), x.Target.Header...)
	r.x.Target.Header, r.x.Call = append(header, o.header...), x.Call
	if last := r.recorded.Last(); last != nil && last.Legacy {
		r.x.Target.Era = playground.Legacy
	}
	return r, nil
}

// run makes the call again, as far as the server asks the same questions.
func (r *replayed) run(ctx context.Context) ([]difference, error) {
	if _, failure := wire.CheckURL(r.x.Target.URL, reachOf(r.public)); failure != nil && r.stdio == nil {
		return nil, &usageError{failure.Detail}
	}
	x, err := r.finish(ctx, drive.Driver{Runner: r.runner, Decide: r.decide}, playground.MaxRounds)
	if err != nil && !drive.IsUnanswered(err) {
		return nil, err
	}
	return r.compare(x.Fold()), nil
}

// errRecordEnds ends a replay where the recording ended.
var errRecordEnds = errors.New("the recording ends here")

// decide answers a Round as the recording did. A question that is not in the
// recording gets a placeholder answer and is reported as a difference.
func (r *replayed) decide(last playground.Round) (playground.Decision, error) {
	recorded := r.recorded.Round(last.N + 1)
	if recorded == nil {
		return playground.Decision{}, errRecordEnds
	}
	d, err := question.Reply(last, func(f question.Form) (playground.Answer, error) {
		for _, a := range recorded.Decision.Answers {
			if a.Key == f.Key {
				return a, nil
			}
		}
		return f.Placeholder()
	})
	d.Instance = recorded.Decision.Instance
	return d, err
}

// compare returns the differences between the recorded Rounds and f.
func (r *replayed) compare(f playground.Transcript) []difference {
	var list []difference
	for i := range max(len(f.Rounds), len(r.recorded.Rounds)) {
		switch {
		case i >= len(f.Rounds):
			list = append(
				list,
				difference{r.n, r.recorded.Rounds[i].N, "round", string(r.recorded.Rounds[i].Kind), "none"},
			)
		case i >= len(r.recorded.Rounds):
			list = append(list, difference{r.n, f.Rounds[i].N, "round", "none", string(f.Rounds[i].Kind)})
		default:
			list = append(list, r.rounds(r.recorded.Rounds[i], f.Rounds[i])...)
		}
	}
	return list
}

func (r *replayed) rounds(was, is playground.Round) []difference {
	var list []difference
	add := func(path, before, after string) {
		if before != after {
			list = append(list, difference{r.n, is.N, path, before, after})
		}
	}
	add("outcome", string(was.Kind), string(is.Kind))
	add("class", string(was.Class), string(is.Class))
	add("status", fmt.Sprint(was.Head.Status), fmt.Sprint(is.Head.Status))
	for _, c := range jsontree.Diff(answerOf(was), answerOf(is)) {
		if !isFresh(c.Path) {
			add(jsontree.Pointer(c.Path...), string(c.Before.Raw()), string(c.After.Raw()))
		}
	}
	return list
}

// answerOf is the response among the messages of a Round; nil when none came.
func answerOf(r playground.Round) *jsontree.Node {
	for _, m := range r.AllMessages() {
		if m.Node != nil && m.IsResponse() {
			return m.Node
		}
	}
	return nil
}

// isFresh reports whether a value differs in every response without meaning:
// states, metadata, ids and times of tasks.
func isFresh(path []string) bool {
	for _, name := range path {
		switch name {
		case "requestState", "_meta", "taskId", "createdAt", "lastUpdatedAt":
			return true
		}
	}
	return false
}

func (r *replayed) print(w io.Writer, differences []difference) {
	fmt.Fprintf(
		w, "exchange %d  %s at %s\n", r.n, text.Visible(r.x.Call.Method, 80),
		text.Visible(r.x.Target.URL, 300),
	)
	if r.masked {
		fmt.Fprintln(w, "  the recording has masked values; add secret headers with -header")
	}
	if len(differences) == 0 {
		fmt.Fprintf(w, "  same, %d rounds\n", len(r.recorded.Rounds))
	}
	for _, d := range differences {
		fmt.Fprintf(
			w, "  round %d  %s\n    was %s\n    is  %s\n", d.Round, text.Visible(d.Path, 200),
			text.Visible(d.Was, 300), text.Visible(d.Is, 300),
		)
	}
}
