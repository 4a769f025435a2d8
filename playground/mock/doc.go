// Package mock serves a recording again. A Recording is made of the Exchanges of a Session;
// Find takes a request of a client and returns what was recorded in its place, or a Miss,
// and Reply is what a client gets of it.
//
// # Contract
//
// Requests match by method and meaning: white space, the order of members and the notation
// of numbers do not count, nor does what Ignored names. A retry matches by its state and its
// answers. Requests that mean the same are answered in the order in which they were recorded.
// A value that is masked in the recording matches any text of its length.
//
// The body of a Reply is the recorded one, but for the ids of the protocol: the id of the
// request, the progress token, and the id of the subscription. Of the head it has the status
// and the fields whose names begin with Mcp-. A body that is neither JSON nor an event stream
// is not in a Reply, so that a crafted recording cannot be a page of who serves it.
//
// A client also asks what no call has recorded: what the server is and offers. A Recording
// makes these answers of the calls that it has, and Made says which.
//
// The package is pure. A Recording does not change after New and may be used from several
// goroutines; what has been answered before is counted by the caller.
package mock
