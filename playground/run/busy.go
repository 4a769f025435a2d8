package run

// Busy reports whether anything is held for a log: a request under way, a task
// that is polled for, or the call of an older server, which stays open while
// its user thinks.
func (r *Runner) Busy(id string) bool { return r.job(id) != nil }
