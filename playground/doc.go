// Package playground holds the words and the pure decisions of MRTR
// Playground: an Exchange is an append-only log of Events, and everything
// anybody sees of it (Rounds, Outcomes, status, the next request) is a
// function of that log.
//
// Fold reads the log, Next builds the request that follows from it. Neither
// does I/O, reads a clock or makes up an id: those are arguments. What a remote
// server does wrong is content here (an Outcome with a Class), never an error;
// errors are our own refusals, such as answering a Round that is not open.
package playground
