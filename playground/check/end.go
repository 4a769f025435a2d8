package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Causes to end a check, whose report shows their words.
var (
	ErrStopped = errors.New("its user stopped it")
	ErrClosing = errors.New("the program was ended or restarted")

	errInterrupted = errors.New("it was interrupted")
	errNoRoom      = errors.New("there is no room left to store more")
	errTaken       = errors.New("another process took it over")
	errRightOnly   = errors.New(
		"only the correct call was made, because its user has not confirmed that the server may be tested")
)

// LimitError is the cause if a check takes too long.
type LimitError struct{ Limit time.Duration }

func (e *LimitError) Error() string {
	return "it took longer than its limit of " + text.Duration(e.Limit)
}

// causeOf returns why a check ended with err.
func causeOf(ctx context.Context, err error) error {
	var misshapen *question.ShapeError
	var gone *GoneError
	var unasked *question.UnaskedError
	switch cause := context.Cause(ctx); {
	case errors.As(err, &misshapen):
		return misshapen
	case errors.As(err, &gone):
		return gone
	case errors.As(err, &unasked):
		return unasked
	case errors.Is(err, errRightOnly):
		return err
	case cause == nil && errors.Is(err, playground.ErrFull):
		return errNoRoom
	case cause == nil:
		return fmt.Errorf("an error ended it: %w", err)
	case cause == context.Canceled:
		return errInterrupted
	default:
		return cause
	}
}

// noteEnd records why the check ended early.
func (c *checker) noteEnd(ctx context.Context, err error) error {
	cause := causeOf(ctx, err)
	if errors.Is(cause, errTaken) {
		return nil
	}
	words := cause.Error()
	return c.note(ctx, playground.Note{Check: strings.ToUpper(words[:1]) + words[1:] + "."})
}

// noteUnused records which answers of the plan no call of the check had a use for.
func (c *checker) noteUnused(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errTaken) {
		return nil
	}
	words := question.UnusedNote(question.Unused(c.plan.Answers, c.exchanges...))
	if words == "" {
		return nil
	}
	return c.note(ctx, playground.Note{Unused: words})
}

// note records a note in the log of the exchange that was made last.
func (c *checker) note(ctx context.Context, n playground.Note) error {
	last := len(c.exchanges) - 1
	if last < 0 {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer stop()
	x, err := c.cfg.Runner.Note(ctx, c.exchanges[last], n)
	if err != nil {
		return fmt.Errorf("record a note of the check: %w", err)
	}
	c.exchanges[last] = x
	return nil
}
