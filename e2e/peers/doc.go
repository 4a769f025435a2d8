// Package peers provides conforming servers of 2026-07-28 in different styles, for
// tests of the judges of servers. Each keeps every MUST of the specification,
// so a violation found in one of them is a false one.
//
// The servers differ in what they are free to choose: how they protect the
// requestState, how strictly they decode it, their reaction to a decline,
// whether they need a state at all, and whether the work continues as a task.
// They share the part that has no choice: messages, headers and errors (see
// serve.go). Nothing here comes from an SDK or from the samples.
package peers
