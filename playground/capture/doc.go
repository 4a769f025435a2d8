// Package capture joins what a foreign client sent into Exchanges and observes the
// client test. It is pure: its input is what a capture recorded.
//
// A Contact is one request of the client with everything that came back. Observe
// reads the contacts of a capture and returns what they show of each scenario of the
// client test, as Ticks. A Tick is about what was observed and nothing else. Two
// requests belong together only if a key, state or task id says so that the test made
// for one call; a JSON-RPC id does not.
//
// The scenarios are data: scenarios.txt names their checks, the requirement of each
// in package spec, and the words for a client that fails. A check with a requirement
// that says MUST fails, one that says SHOULD gives an advisory, and one without a
// requirement is about robust behavior and gives a note.
//
// A Board puts the ticks and the findings of several runs together, for a
// report. A Selection chooses some of them.
package capture
