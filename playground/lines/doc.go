// Package lines talks to the servers that are commands of this machine, over standard
// input and output, one message a line. A command is named where the program is started
// and nowhere else: a URL (wire.CommandURL) leads to a command that was added, or to
// none.
//
// All requests of the current revision share one process of a command. It is started
// when it is first needed, and again when it has ended; a session of an earlier revision
// has a process of its own. The package records nothing: lines that belong to a request
// are parts of its response, and the others are kept in memory, as standard error is.
package lines
