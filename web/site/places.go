package site

import (
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Places returns how full the pools are that visitors share.
func (s *Site) Places() []usage.Places {
	running, checks := s.app.Checker.Running()
	calls := s.app.Outbound.Count()
	return []usage.Places{
		{Pool: "calls", Used: calls, Limit: s.app.Limits.CallsInAll},
		{Pool: "checks", Used: len(running), Limit: checks},
		s.app.Streams.Usage("event_streams"), s.app.Followers.Usage("followers"),
		s.app.Reads.Usage("reads"),
	}
}
