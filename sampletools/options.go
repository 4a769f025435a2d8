package sampletools

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// Lifetimes of a state.
const (
	defaultTTL = time.Hour
	maxTTL     = 24 * time.Hour
)

// parseOptions parses the query of a request to the sample.
func parseOptions(s Sample, q url.Values) (o serve.Options, t cluster.Topology, err error) {
	if o.Mode, err = seal.ParseMode(cmp.Or(q.Get("state"), string(s.Protection))); err != nil {
		return o, t, err
	}
	if o.TTL, err = parseSpan(q, "ttl", cmp.Or(s.Life, defaultTTL), maxTTL); err != nil {
		return o, t, err
	}
	if o.Wait, err = parseSpan(q, "wait", 0, serve.SessionTimeout); err != nil {
		return o, t, err
	}
	instances := cmp.Or(q.Get("instances"), s.Instances)
	if t, err = cluster.Parse(instances, q.Get("next"), s.Versions); err != nil {
		return o, t, err
	}
	if o.Stream, err = parseFlag(q, "stream", s.Stream); err != nil {
		return o, t, err
	}
	sessions, err := parseFlag(q, "sessions", true)
	o.Alone = !sessions
	return o, t, err
}

// parseSpan parses a duration from one second to most. It returns otherwise if
// the parameter is absent.
func parseSpan(q url.Values, name string, otherwise, most time.Duration) (time.Duration, error) {
	text := q.Get(name)
	if text == "" {
		return otherwise, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > most {
		return 0, fmt.Errorf("%s %q: want a time from 1s to %v", name, text, most)
	}
	return d, nil
}

// parseFlag parses a parameter that is 0 or 1. It returns otherwise if the
// parameter is absent.
func parseFlag(q url.Values, name string, otherwise bool) (bool, error) {
	switch text := q.Get(name); text {
	case "":
		return otherwise, nil
	case "0", "1":
		return text == "1", nil
	default:
		return false, fmt.Errorf("%s %q: want 0 or 1", name, text)
	}
}

// urlOptions describes the parameters that the sample accepts to users.
func urlOptions(s scenario) []Option {
	stream := "0"
	if s.Stream {
		stream = "1"
	}
	list := []Option{
		{"instances", nil, s.Instances,
			"The instances behind the load balancer: a to h, each with a version (" +
				strings.Join(s.Versions, ", ") + "), drain or dead."},
		{"next", nil, "", nextMeaning(s.Era)},
	}
	if s.handler != nil {
		return append(list, faultOptions(s.Faults)...)
	}
	if s.Era != Legacy {
		list = append([]Option{
			{"state", []string{"sealed", "signed", "plain"}, string(cmp.Or(s.Protection, seal.Sealed)),
				"How the requestState is protected."},
			{"ttl", nil, lifeText(cmp.Or(s.Life, defaultTTL)),
				"How long a requestState is accepted, from 1s to 24h."},
		}, append(list, Option{"stream", []string{"0", "1"}, stream,
			"1 answers with an SSE stream, 0 with plain JSON."})...)
	}
	if s.Era != Modern {
		list = append(list, Option{"sessions", []string{"1", "0"}, "1",
			"0 gives legacy clients no session, so the server cannot ask them."})
	}
	return append(list, Option{"wait", nil, "5m",
		"How long a legacy call stays open for an answer, from 1s to 10m."})
}

// lifeText returns a duration without needless zeros: 1h, not 1h0m0s.
func lifeText(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// faultOptions describes the parameter that breaks a list or a stream.
func faultOptions(faults []Fault) []Option {
	var names []string
	for _, f := range faults {
		if f.Query != "" {
			names = append(names, f.Name)
		}
	}
	return []Option{{"fault", names, "", "Breaks a list, the first message or a subscription."}}
}

// nextMeaning describes the parameter next, which routes only answers if the
// sample is a legacy server.
func nextMeaning(e Era) string {
	if e == Legacy {
		return "The instance that gets your answers. " +
			"Without it they reach the instance that holds the session."
	}
	return "The instance that gets the next request; without it the load balancer rotates."
}
