package main

import "time"

// steps says how long the parts of the start took.
type steps struct {
	last time.Time
	list []any // names and durations, as attributes of a log line
}

// done ends a step.
func (s *steps) done(name string) {
	now := time.Now()
	s.list = append(s.list, name, now.Sub(s.last))
	s.last = now
}
