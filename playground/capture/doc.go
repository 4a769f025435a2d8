// Package capture joins what a foreign client sent into Exchanges. It is pure, and it judges
// nothing: package rules does.
//
// A Contact is one request of the client with everything that came back. Two requests belong
// together only if their bytes say so. Of any server these are the task, or the requestState,
// the keys and the call itself (see Locate): a request that fits no call for sure begins one.
// The client test makes keys, states and task ids that no other call has, so Observe joins
// also a retry with several faults. A JSON-RPC id joins nothing.
//
// Observe passes the joined requests to the rows of package rules whose condition is a scenario.
// NewReport passes the calls, and all that belongs to none, to the other rules. A fault that both
// see is counted once: see Finding.CountedBy.
//
// A Board puts the lines of several runs together, for a report. A Selection chooses some of
// them.
package capture
