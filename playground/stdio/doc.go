// Package stdio starts commands: MCP servers that speak over standard input and
// output, one message a line, and clients under test. It is the only package of the
// program that starts a process.
//
// No shell runs a command; Words splits its text. On Unix a command has a process
// group of its own, unless it is Shared, and its child processes end with it. A
// server also ends when this program is killed: on Linux by a signal, elsewhere if
// it ends at the end of its standard input. The package never returns its
// environment, and knows nothing of what the lines say: it passes on their exact
// bytes. Lines, and what is kept of standard error, are bounded, and so is every
// wait.
package stdio
