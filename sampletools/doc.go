// Package sampletools serves the sample MCP servers that lessons, demos and any
// other MCP client can talk to. Each is a real Streamable HTTP endpoint under
// /mcp/{sample}, served by instances behind a small load balancer (package
// cluster). The instances share nothing but the keys that seal a requestState
// (package seal).
//
// A sample is a scenario: its description for users ([Sample]), and the scripts
// of its tools, which package serve runs. Adding one takes its file, a line in the
// catalog and a line in the table of scenarios_test.go.
//
// # Not an example of a server
//
// To learn how to write a server that asks for input, read the listings of the
// lesson Build your own (playground/lesson/listings), which use an SDK as its authors
// intend. The samples do not: package serve is a framework over the SDK. The reason
// is fidelity: the samples have to follow the specification to the byte, also where
// the SDK does not, to put a malformed answer back to the user, to resume on any
// instance, and to serve the same script to clients of both eras.
//
// The package never imports the client side of the project: a client and a
// server that share structs would hide mistakes that both make.
package sampletools
