// Package clienttest is the MCP server that tests clients. Each of its tools,
// prompts and resources puts one requirement on clients to the test, works
// without arguments, and gives one deliberate deviation, which Scenarios describes.
// It does not judge: the recording of the client's requests does.
//
// The server is written by hand on net/http, because it must be able to send
// any bytes. It answers a faulty request as if it were right where it can, so
// that one fault of a client does not hide another. What it needs to go on is
// in the keys, states and task ids that it hands out; each has a mark that no
// other call has, so that a request with one altered item still belongs to its
// call by another. Only the progress of tasks and the visits of canary
// addresses are kept, in Notes.
//
// Several calls of one client may be in progress at once, also at different
// processes, so a scenario must not need the order of their requests. The
// handlers may be called from several goroutines.
package clienttest
