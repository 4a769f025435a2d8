// Package serve runs MCP servers that ask: on the official SDK, for clients of
// 2026-07-28 and of earlier revisions, with the answers of the SDK that would
// break the specification replaced. The samples and the playground's own server
// are served by it.
//
// A server is a [Service]: its tools, prompts and resources, each with a
// [Script]. A script is a function that runs from the top in every round, asks
// its questions, and returns where an answer is missing (see [Turn.Ask]). So it
// must not act before it has the answers: the action would be repeated in every
// round. It never knows of which revision its client is. Scripts of several
// calls run at the same time.
//
// A [Host] runs the instances of a service: it checks every message before the
// SDK sees it, hides unusual ids from it (front.go), cuts the answers and the
// requestState out of a retry, seals and binds the states (package seal), and
// runs the scripts in the SDK's place. Work that outlives its call is a [Job],
// a task for clients that know tasks.
//
// A client comes over HTTP ([Host.Serve]) or sends lines ([Host.ServeLines]). Both meet
// the same checks: a line is handed on as the request that the SDK takes, and is
// judged by its message alone.
//
// The package knows no sample, and nothing of the client side of the project.
package serve
