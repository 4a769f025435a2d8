// Package gateway judges what stands between an MCP client and a server: a
// gateway or a proxy. It compares what the two ends recorded, request by
// request. It is pure: package trial makes the calls, and package upstream
// records them at the server.
//
// # Contract
//
// End to end must hold. The upstream gets its own state, keys, arguments,
// answers and declared capabilities back exactly; the client sees the same
// questions, results, errors, progress and cancellation. A gateway is a server
// and a client, so what it replaces and maps back is no fault: ids, names with a
// prefix, keys, a wrapped state. It is in the group Named, which nothing counts.
// So is JSON that was written again and means the same.
//
// A Line passes only if something was compared for it. One fault is one Line: a
// value that a re-encoding changes is counted by the line about such values,
// wherever it is, and a fault that shows only in the call that was made for a
// line is counted by that line.
//
// # Design
//
// Every call has a mark of its own in its arguments, because a gateway may map
// every other thing that names a request. With the mark, a request at the
// upstream belongs to the newest request that the client had sent by then: both
// ends have the same clock. Of a task it is the id that the upstream made. A call
// at an upstream of the user has no mark, and overlaps no other call in time.
//
// Lists are no requests of one client: a gateway reads them when it likes. What the
// upstream gave, whenever, is compared with what the client got, by name.
//
// The lines are one table, with one function each. A function counts what it
// compared and what it found, and knows no other line.
package gateway
