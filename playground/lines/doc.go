// Package lines talks to the servers that are commands of this machine, over
// standard input and output, one message a line.
//
// # Contract
//
// A command is named where the program is started and nowhere else: a URL
// (wire.CommandURL) leads to a command that was added, or to none. So nothing
// that arrives over HTTP can choose the command to start. Only the program
// itself imports the package, and a test holds that.
//
// Add must not be called once the Servers are in use. All other methods may be
// called from several goroutines, and so may the Callers. Two requests of one
// process never have the same id at the same time: the second one waits,
// because a response could not be attributed. The package records nothing:
// lines that belong to a request are parts of its response, and the others are
// kept in memory, as standard error is, within limits.
//
// # Design
//
// All requests of the current revision share one process of a command, as one
// HTTP server serves all requests. It is started when it is first needed, and
// again when it has ended; a session of an earlier revision has a process of
// its own, because its state is that of the process. A playground.Channel
// attributes each line. Requests are written one after another, each as a
// whole: after a part of a line the command could not tell where the next one
// begins, so that ends the process. The id of a request is known to the Channel
// before its line is written, so no response can come too early.
package lines
