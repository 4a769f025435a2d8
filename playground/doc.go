// Package playground holds the vocabulary and the pure decisions of MRTR
// Playground. An Exchange is an append-only log of Events. Rounds, Outcomes,
// status and the next request are functions of that log.
//
// Fold reads the log, and Next builds the request that follows from it. Neither
// does I/O, reads a clock or creates an id: those are arguments. What a remote
// server does wrong is an Outcome with a Class, never an error. Errors report
// decisions that the log does not allow, such as answering a Round that is not
// open.
package playground
