// Package playground holds the vocabulary and the pure decisions of MRTR
// Playground. An Exchange is an append-only log of Events. Rounds, Outcomes,
// status and the next request are functions of that log: Fold reads it, and
// Next builds the request that follows from a decision. Neither does I/O, reads
// a clock or creates an id: those are arguments.
//
// So every process that has the log can continue it, also after a crash, and
// the request in a preview is the request that is sent.
//
// # Contract
//
// Events are numbered from 1 without gaps. Recorded bytes are those of the
// connection, never encoded again; only the values of secrets are masked before
// they are stored. An Event never changes after it was appended, except a
// repeated one while it is the newest of its log. A Branch reads the Rounds of
// its parent in place and a Reader continues from a prefix that it has read, so
// both would be wrong after a change of an earlier Event.
//
// Fold accepts every sequence of Events, because a log may come from a file of
// a stranger. A fault of a remote server is an Outcome with a Class, never an
// error. An error reports a decision that the log does not allow, such as an
// answer to a Round that is not open; nothing may be sent or stored after it.
//
// Next answers the keys of the last result only, repeats its requestState byte
// for byte, and gives every Round a new id. A request that breaks these rules
// on purpose goes through Try of package run, and its Decision says that it is
// Changed.
//
// The functions may be called from several goroutines. A Reader and a Channel
// belong to one goroutine at a time.
package playground
