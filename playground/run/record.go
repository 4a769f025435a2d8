package run

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// answerRecord stores the parts of one answer. An answer that is no stream waits
// for what may follow it, a failure: half an answer must never look like a
// whole one, not even for a moment.
type answerRecord struct {
	r    *Runner
	j    *job
	conn int
	held []playground.Event
	lost bool // some of it could not be stored before the program ended
}

func (c *answerRecord) put(p wire.Part) error {
	e := playground.PartEvent(p, c.conn)
	if p.Kind == wire.Received {
		if head, err := wire.ParseHead(wire.Split(p.Bytes).Head); err != nil || !head.IsStream() {
			c.held = append(c.held, e)
			return nil
		}
	}
	return c.store(append(c.held, e))
}

// end stores what is still held.
func (c *answerRecord) end() {
	if len(c.held) == 0 {
		return
	}
	if err := c.store(c.held); err != nil {
		c.r.cfg.Logger.Error("record answer", "log", c.j.id, "err", err)
	}
}

func (c *answerRecord) store(events []playground.Event) error {
	c.held = nil
	err := c.r.persist(c.j, events...)
	c.lost = c.lost || err != nil
	return err
}

// recorder stores the parts of an answer as they come, for a call that stays
// open.
func (r *Runner) recorder(j *job, conn int) func(wire.Part) error {
	return func(p wire.Part) error { return r.persist(j, playground.PartEvent(p, conn)) }
}
