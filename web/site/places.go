package site

import (
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// Places returns how full the pools are that visitors share.
func (s *Site) Places() []usage.Places {
	running, checks := s.app.Checker.Running()
	calls := s.app.Outbound.Count()
	return []usage.Places{
		{Pool: "calls", Used: calls, Limit: s.app.Limits.CallsInAll},
		{Pool: "checks", Used: len(running), Limit: checks},
		app.PlacesOf("event_streams", s.app.Streams), app.PlacesOf("followers", s.app.Followers),
		app.PlacesOf("reads", s.app.Reads),
	}
}
