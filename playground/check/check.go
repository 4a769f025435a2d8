// Package check tests a server with one of its own tools: it makes the right
// call once, and then again for every experiment of package lab, each time with
// one deliberate error. All of it is recorded as ordinary Exchanges.
// lab.NewReport judges them, so the report can be made again from a stored or
// shared Session. The package decides no verdict itself.
//
// The calls of one check are made one after the other, so that none disturbs
// another. The results of a check are in its Session, and Jobs only knows which
// checks run in this process: after a crash the calls that were made are there,
// and a report says that the check did not end. The methods of Jobs may be
// called from several goroutines; a Session has at most one running check.
package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Plan describes a check.
type Plan struct {
	Session string // id of the Session of the exchanges
	// The exchange of the right call in a Session of kind exchange, where the
	// others are branches from its start; empty in a Session of kind check.
	Control string
	Peer    string      // who the samples see as their client, see wire.WithPeer; may be empty
	Turn    redact.Turn // in which what servers send is masked; may be nil
	Target  playground.Target
	Call    playground.Call
	// by key, in the form of question.Form.FromJSON; others get placeholders
	Answers map[string]json.RawMessage
	Others  []lab.Variation  // other right calls, to make before the experiments; may be nil
	Person  []wire.Field     // credentials of a second person, also in Target.Secrets; may be empty
	Narrow  []wire.Field     // a token of the user with fewer scopes, like Person; may be empty
	Other   *playground.Call // a call of another tool of the same server; may be nil
	MaxWait time.Duration    // longest wait for a state to expire
	Late    time.Duration    // how long to wait with a state whose expiry is unknown; 0 for not at all
	// Only the right call is made, because nothing says that the server may be sent
	// invalid requests.
	RightOnly bool
	// gives the target states of so short a life that their expiry can be waited
	// for; nil if there is no such target
	ShortLived func(playground.Target) playground.Target
}

// Config has the parts that every check needs.
type Config struct {
	Runner drive.Runner
	// stores a redacted exchange before its first request is sent
	Begin  func(ctx context.Context, x playground.Exchange) error
	Client playground.Client
	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error
	NewID  func() string
	// the processes that share the storage; nil if this is the only one
	Replicas Replicas
	// when the state of a Round expires; zero if unknown
	Expiry func(playground.Target, playground.Round) time.Time
}

// Run makes the right call and every experiment, one after the other, and
// returns the redacted exchanges, the right call first. It returns an error if
// the playground fails or ctx ends, and then the exchanges so far, with the
// reason in the last one; what a server does wrong is in the exchanges.
func Run(ctx context.Context, cfg Config, p Plan) ([]playground.Exchange, error) {
	c := newChecker(cfg, p)
	control, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	err = c.run(ctx, control)
	for i, x := range c.exchanges {
		c.exchanges[i] = redacted(x)
	}
	return c.exchanges, err
}

// redacted returns the exchange, including its log, with secrets masked.
func redacted(x playground.Exchange) playground.Exchange {
	log := make([]playground.Event, len(x.Log))
	for i, e := range x.Log {
		log[i] = e.Redact(x.Target.Secrets)
	}
	x = x.Redacted()
	x.Log, x.Reading = log, new(playground.Reading)
	return x
}

// Expiry returns when the state of a Round expires, or the zero time if that
// cannot be seen without a key.
func Expiry(_ playground.Target, r playground.Round) time.Time {
	return state.Recognise(r.StateText()).Expires
}

// checker runs one check.
type checker struct {
	cfg       Config
	plan      Plan
	answers   map[string]json.RawMessage // of the right call, by key
	exchanges []playground.Exchange
	left      []left          // exchanges whose cancelled task has not ended yet, oldest first
	errors    map[string]bool // of experiments, after which the right call was made again
	patience  time.Duration   // how long a response to an experiment may take; 0 for the limit of the call
	observe   func()          // called after every new event; may be nil
}

// left is an exchange whose task was cancelled and is polled until it ends.
type left struct {
	i    int // index in checker.exchanges
	rest func(context.Context) playground.Exchange
}

// maxLeft is how many cancelled tasks are polled while the check goes on.
const maxLeft = 4

func newChecker(cfg Config, p Plan) *checker { return &checker{cfg: cfg, plan: p} }

// begin stores a new exchange before anything is sent.
func (c *checker) begin(ctx context.Context) (playground.Exchange, error) {
	return c.beginAt(ctx, c.plan.Target)
}

// beginAt is begin for a target.
func (c *checker) beginAt(ctx context.Context, t playground.Target) (playground.Exchange, error) {
	x := playground.Exchange{
		ID: c.cfg.NewID(), Session: c.plan.Session, Target: t, Call: c.plan.Call,
		Created: c.cfg.Now(), Reading: new(playground.Reading),
	}
	if c.plan.Control != "" {
		x.Origin = &playground.Origin{Exchange: c.plan.Control}
	}
	hidden, err := x.RedactWithin(ctx)
	if err == nil {
		err = c.cfg.Begin(ctx, hidden)
	}
	if err != nil {
		return x, fmt.Errorf("begin exchange: %w", err)
	}
	return x, nil
}

// driver returns a driver whose answers are those of the plan, else those of
// the right call, else placeholders.
func (c *checker) driver() drive.Driver {
	return drive.Driver{
		Runner: c.cfg.Runner, Client: c.cfg.Client, Now: c.cfg.Now, Wait: c.cfg.Wait, Expiry: c.cfg.Expiry,
		Most: c.plan.MaxWait, Late: c.plan.Late, Decide: c.replier(),
		Observe: func(playground.Exchange) {
			if c.observe != nil {
				c.observe()
			}
		},
	}
}

// replier returns what decides on the questions of the Rounds of one call. The check opens
// no page of a question in URL mode: it accepts once and, if the server still waits for the
// user of that page, under whatever key, declines, so that the call ends.
func (c *checker) replier() func(playground.Round) (playground.Decision, error) {
	accepted := map[string]int{} // page -> Round in which it was accepted first
	return func(last playground.Round) (playground.Decision, error) {
		return question.Reply(last, func(f question.Form) (playground.Answer, error) {
			_, given := f.Given(c.plan.Answers)
			if f.Kind != question.KindURL || given {
				return c.answer(f)
			}
			page := pageOf(f)
			if round, ok := accepted[page]; ok && round < last.N {
				return f.FromJSON(json.RawMessage(`{"action":"decline"}`))
			}
			accepted[page] = last.N
			return f.Placeholder()
		})
	}
}

// pageOf returns what is the same in each question for one page: servers may give a new key
// and a new query to each.
func pageOf(f question.Form) string {
	address, _, _ := strings.Cut(f.Params.Get("url").Str(), "?")
	return f.Params.Get("message").Str() + "\n" + address
}

func (c *checker) answer(f question.Form) (playground.Answer, error) {
	if value, ok := f.Given(c.plan.Answers); ok {
		return f.FromJSON(value)
	}
	if answer, err := f.Repeat(c.answers); err == nil {
		return answer, nil
	}
	return f.Placeholder()
}

// run makes the right call, which is stored already, and then the experiments.
// The right call is made again before them, to see how two right calls differ,
// and after each error that was not seen before, to see whether the right
// request gets it too. Only the right call is made at a legacy server. It
// returns once the tasks that were left have ended.
func (c *checker) run(ctx context.Context, first playground.Exchange) error {
	err := c.runAll(ctx, first)
	if ended := c.follow(ctx, 0); err == nil {
		err = ended
	}
	switch {
	case question.IsMisshapen(err), errors.As(err, new(*question.UnaskedError)),
		errors.As(err, new(*GoneError)): // the report has it
		return c.noteEnd(ctx, err)
	case err != nil:
		err = errors.Join(err, c.noteEnd(ctx, err))
	}
	return errors.Join(err, c.noteUnused(ctx))
}

func (c *checker) runAll(ctx context.Context, first playground.Exchange) error {
	if err := c.drive(ctx, first); err != nil {
		return err
	}
	control := c.exchanges[0]
	if err := question.Unasked(control, c.plan.Answers, nil); err != nil {
		return err
	}
	if c.plan.RightOnly {
		return c.noteEnd(ctx, errRightOnly)
	}
	if !lab.Answered(control.Fold()) || c.plan.Target.Era == playground.Legacy {
		return nil
	}
	if err := c.explore(ctx, control); err != nil {
		return err
	}
	control = lab.Control(c.exchanges)
	c.answers = control.Fold().Answers()
	if err := c.repeat(ctx, playground.MaxRounds); err != nil {
		return err
	}
	if err := c.vary(ctx); err != nil {
		return err
	}
	for _, e := range lab.Experiments() {
		if err := c.experiment(ctx, control, e); err != nil {
			return fmt.Errorf("experiment %s: %w", e.ID, err)
		}
	}
	return nil
}

// repeat makes the right call again, with the same answers, up to Round n.
func (c *checker) repeat(ctx context.Context, n int) error {
	x, err := c.begin(ctx)
	if err != nil {
		return err
	}
	return c.driveTo(ctx, x, n)
}

// vary makes the other right calls of the plan.
func (c *checker) vary(ctx context.Context) error {
	call, answers := c.plan.Call, c.plan.Answers
	defer func() { c.plan.Call, c.plan.Answers = call, answers }()
	for _, v := range c.plan.Others {
		var err error
		if c.plan.Call, err = v.Of(call); err != nil {
			return err
		}
		c.plan.Answers = v.Answers
		if err := c.repeat(ctx, playground.MaxRounds); err != nil {
			return err
		}
	}
	return nil
}

// calls returns the calls of the plan with other arguments.
func (c *checker) calls() ([]playground.Call, error) {
	var list []playground.Call
	for _, v := range c.plan.Others {
		if v.Arguments == nil {
			continue
		}
		other, err := v.Of(c.plan.Call)
		if err != nil {
			return nil, err
		}
		list = append(list, other)
	}
	return list, nil
}

// drive makes the right call until it ends.
func (c *checker) drive(ctx context.Context, x playground.Exchange) error {
	return c.driveTo(ctx, x, playground.MaxRounds)
}

// driveTo makes the right call until Round n has ended, and leaves it.
func (c *checker) driveTo(ctx context.Context, x playground.Exchange, n int) error {
	x, err := c.driver().To(ctx, x, n)
	if err != nil && !drive.IsUnanswered(err) { // then the call ends here; the record shows why
		c.record(ctx, x)
		return err
	}
	if left := c.leave(ctx, x); left != nil || !question.IsMisshapen(err) {
		return left
	}
	return err
}

// explore makes the right call again with other choices until one receives a
// requestState: some answers end a call, and others lead to further Rounds. A
// task receives none, so a call that has become one is left.
func (c *checker) explore(ctx context.Context, control playground.Exchange) error {
	if lab.HasState(control) {
		return nil
	}
	for _, other := range lab.OtherChoices(control, c.plan.Answers) {
		x, err := c.begin(ctx)
		if err != nil {
			return err
		}
		c.answers = map[string]json.RawMessage{other.Key: other.Value}
		x, err = c.driver().ToTask(ctx, x)
		switch {
		case err != nil && !drive.IsUnanswered(err):
			c.record(ctx, x)
			return err
		case lab.HasState(x):
			return c.drive(ctx, x)
		}
		if err := c.leave(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// experiment runs one experiment: one exchange for each of its places and
// variants. It sends nothing if the call has no place for it or the plan lacks
// the material.
func (c *checker) experiment(ctx context.Context, control playground.Exchange, e lab.Experiment) error {
	control.Target = c.plan.Target // the record of it is masked
	calls, err := c.calls()
	if err != nil {
		return err
	}
	materials := e.Materials(c.plan.Call, lab.Supplies{
		Tool: c.plan.Other, Calls: calls, Person: c.plan.Person, Narrow: c.plan.Narrow,
	})
	places, _ := lab.Places(e, control)
	f := control.Fold()
	for _, from := range places {
		if !c.shortens(e) && !c.driver().CanWait(c.plan.Target, from, e) {
			continue
		}
		for _, m := range materials {
			m.Later = lab.Later(f, from.N)
			lost, err := c.tryAll(ctx, control, from, e, m)
			if err != nil || lost {
				return err
			}
		}
	}
	return nil
}

// tryAll makes all variants of an experiment that the call has a place for, with the same
// material. It stops and returns true once a request was lost twice: another would be,
// too, and each can take as long as the server may.
func (c *checker) tryAll(ctx context.Context, control playground.Exchange, from playground.Round,
	e lab.Experiment, m lab.Material) (lost bool, err error) {
	right := control.Fold().Round(from.N + 1)
	for m.Variant = range e.Variants(from) {
		if m.Variant > 0 && right != nil && !lab.Varies(e, m.Variant, from, *right, control) {
			continue
		}
		lost, err := c.try(ctx, from, e, m)
		if errors.Is(err, drive.ErrTooLate) {
			continue // the state of this call expires too late, or when is unknown
		}
		if err != nil || lost {
			return lost, err
		}
	}
	return false, nil
}

// shortens reports whether an experiment is made with states of a short life.
func (c *checker) shortens(e lab.Experiment) bool {
	return e.When == lab.AfterExpiry && c.plan.ShortLived != nil
}

// try makes one experiment in an exchange of its own, and a second time if the server
// did not respond. It reports whether it did not respond to the second one either.
func (c *checker) try(ctx context.Context, from playground.Round, e lab.Experiment,
	m lab.Material) (lost bool, err error) {
	x, err := c.attempt(ctx, from, e, m)
	if err != nil {
		return false, err
	}
	if lab.Lost(x) {
		return c.tryAgain(ctx, from, e, m, x.Fold().Last().N)
	}
	name, failed := lab.ErrorOf(x)
	if !failed || c.errors[name] {
		return false, nil
	}
	if c.errors == nil {
		c.errors = map[string]bool{}
	}
	c.errors[name] = true
	return false, c.repeat(ctx, x.Fold().Last().N)
}

// attempt makes one experiment in an exchange of its own and returns it.
func (c *checker) attempt(ctx context.Context, from playground.Round, e lab.Experiment,
	m lab.Material) (playground.Exchange, error) {
	t := c.plan.Target
	if c.shortens(e) {
		t = c.plan.ShortLived(t)
	}
	x, err := c.beginAt(ctx, t)
	if err != nil {
		return x, err
	}
	if c.patience > 0 && !e.OfTask() && e.Needs != lab.NeedsTaskCall { // polls may be further apart
		x.Call.Wait = c.patience
	}
	if x, err = c.driver().Try(ctx, x, from.N, e, m); err != nil {
		c.record(ctx, x)
		return x, err
	}
	return x, c.leave(ctx, x)
}

// leave records an exchange that has served its purpose. A task that is still
// working is cancelled and polled in the background, because the response to
// the changed request decides and not the end of the task.
func (c *checker) leave(ctx context.Context, x playground.Exchange) error {
	x, rest, err := c.driver().Leave(ctx, x)
	c.record(ctx, x)
	if err != nil || rest == nil {
		return err
	}
	c.left = append(c.left, left{len(c.exchanges) - 1, rest})
	return c.follow(ctx, maxLeft)
}

// follow waits until at most n cancelled tasks are polled, and records how the
// others ended. The error is that of ctx.
func (c *checker) follow(ctx context.Context, n int) error {
	for len(c.left) > n && ctx.Err() == nil {
		oldest := c.left[0]
		c.left = c.left[1:]
		c.exchanges[oldest.i] = oldest.rest(ctx)
	}
	return ctx.Err()
}

// record adds an exchange to those of the check. If ctx has ended, the running
// rest of the exchange is cancelled.
func (c *checker) record(ctx context.Context, x playground.Exchange) {
	c.exchanges = append(c.exchanges, x)
	if ctx.Err() != nil {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
		defer stop()
		c.driver().GiveUp(ctx, x)
	}
}

// cancelTimeout is how long to wait for the server to confirm a cancellation.
const cancelTimeout = 2 * time.Second
