package run

import (
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// How long to wait before something that the storage refused is tried again:
// twice as long every time.
const (
	firstWait = 100 * time.Millisecond
	lastWait  = 15 * time.Second
)

// persist stores what cannot be had again: an answer. While the storage takes
// nothing, because the disk is full or the file locked, the answer is kept in
// memory and tried again, until the program ends. j is not locked.
func (r *Runner) persist(j *job, events ...playground.Event) error {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		j.mu.Lock()
		err := j.append(r.ctx, r, events...)
		j.mu.Unlock()
		if !isStorageFault(err) {
			return err
		}
		r.cfg.Logger.Warn("an answer waits to be stored", "log", j.id, "err", err)
		if !r.pause(wait) {
			return err
		}
	}
}

// pause waits; false when the program ends meanwhile.
func (r *Runner) pause(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.closing:
		return false
	}
}

// isStorageFault reports whether err is of a kind that passes.
func isStorageFault(err error) bool {
	return errors.Is(err, playground.ErrFull) || errors.Is(err, playground.ErrStorage)
}
