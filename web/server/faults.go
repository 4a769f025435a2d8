package server

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	callview "github.com/mrtr-playground/mrtr-playground/views/call"
)

// faultOf returns the rule that a call of a sample breaks on purpose, or false
// for a call of a right server.
func faultOf(k app.KnownServer, name string) (sampletools.Fault, bool) {
	if k.Sample == nil {
		return sampletools.Fault{}, false
	}
	i := slices.IndexFunc(k.Sample.Faults, func(f sampletools.Fault) bool {
		return f.Name == name && f.Query == ""
	})
	if i < 0 {
		return sampletools.Fault{}, false
	}
	return k.Sample.Faults[i], true
}

// describeFault says below a form which rule the call breaks, and fills in the
// values that the call needs to show it.
func describeFault(k app.KnownServer, form *callview.Form) {
	f, ok := faultOf(k, form.Name)
	if !ok {
		return
	}
	form.About = "Breaks no rule, but a client must survive it."
	if f.Rule != "" {
		form.About = fmt.Sprintf("Breaks the rule %s.", f.Rule)
	}
	if f.Capabilities != nil {
		form.About += fmt.Sprintf(" The call declares the capabilities %s.", f.Capabilities)
	}
	form.Level = f.LogLevel
	if f.Arguments != nil {
		fillArguments(form, json.RawMessage(f.Arguments))
	}
}

// declaring returns the server with the capabilities to declare so that a call
// shows its fault.
func declaring(k app.KnownServer, t playground.Target, name string) playground.Target {
	if f, ok := faultOf(k, name); ok && f.Capabilities != nil {
		t.Capabilities = f.Capabilities
	}
	return t
}
