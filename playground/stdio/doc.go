// Package stdio starts commands: MCP servers that speak over standard input and
// output, one message a line, and clients under test. It is the only package of
// the program that starts a process, and a test holds that.
//
// No shell runs a command; Words splits its text. The package never returns its
// environment, and knows no message: it passes on the exact bytes of the lines.
// Lines, the kept part of standard error and every wait are bounded.
//
// A command has a process group of its own, unless it is Shared, and its child
// processes end with it, on Unix except those that leave the group. On Windows
// the group is a job object, which no process leaves, and a command has no
// window. A server and its group also end when this program is killed: on Unix
// by a guard, on Windows because the last handle of the job is closed.
// Otherwise it would run on without a client.
//
// One goroutine writes to a Process and one reads from it, at the same time.
package stdio
