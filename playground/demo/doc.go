// Package demo holds the stories that are told to an audience, and what follows
// from telling one: a Stage.
//
// A Story is data: sentences, and what each step does to a real Exchange or to
// the instances behind its balancer. The instances are data in the URL of the next
// request, so a Stage remembers nothing but the Marks it has reached; everything
// else is a function of those and of the logs of its lanes. The package sends
// nothing, stores nothing, and knows no page.
//
// Words: a Stage is a Story under way; a Mark is one step that it has reached; a
// lane is one Exchange of it, the story's own or the same story before MRTR.
package demo
