package agent

import (
	"context"
	"testing"
	"testing/synctest"
)

// TestRightAnswers_AskedAgainWithoutTime: that nothing was found is known only if there was
// time to look everywhere.
func TestRightAnswers_AskedAgainWithoutTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r rightAnswers
		asked := 0
		slow := func(ctx context.Context) *rightAnswer {
			asked++
			<-ctx.Done()
			return nil
		}
		none := func(context.Context) *rightAnswer {
			asked++
			return nil
		}
		for _, show := range []func(context.Context) *rightAnswer{slow, none, none} {
			r.get(t.Context(), "rule S1", show)
		}
		if asked != 2 {
			t.Errorf("%d times, want 2", asked)
		}
	})
}

// TestRightAnswers_OneHoldsUpNoOther: while one is made, others are.
func TestRightAnswers_OneHoldsUpNoOther(t *testing.T) {
	var r rightAnswers
	made := make(chan *rightAnswer)
	r.get(t.Context(), "rule S1", func(context.Context) *rightAnswer {
		go func() {
			made <- r.get(t.Context(), "rule S2", func(context.Context) *rightAnswer {
				return &rightAnswer{}
			})
		}()
		if <-made == nil {
			t.Error("no answer")
		}
		return nil
	})
}
