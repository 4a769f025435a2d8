// Package stdio starts commands: MCP servers that speak over standard input and
// output, one message a line, and clients under test. It is the only package of the
// program that starts a process.
//
// No shell runs a command; Words splits its text. On Unix a command has a process
// group of its own, unless it is Shared, and its child processes end with it, but for
// those that leave the group. A server and its group also end when this program is
// killed: on Unix by a guard, elsewhere if they end at the end of their standard
// input. The package never returns its
// environment, and knows nothing of what the lines say: it passes on their exact
// bytes. Lines, and what is kept of standard error, are bounded, and so is every
// wait.
package stdio
