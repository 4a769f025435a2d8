// Package demo holds the stories that a presenter shows to an audience.
//
// A Story is read from a document, YAML or JSON: the three of the program are
// files, and users write their own, proposed from a call, a board or a flow. It
// is data: texts, and the effect of each step on a real Exchange or on the
// instances behind its load balancer. The package sends nothing, stores
// nothing, and knows no page.
//
// The instances are data in the URL of the next request. So a Stage stores only
// the Marks that it has reached, and everything else is a function of those and
// of the logs of its lanes: a stage survives a restart, and every replica shows
// the same step. A Stage of a user's story keeps the text that it began with;
// otherwise an edit during a talk would move the Marks to other steps.
//
// A recorded story sends nothing: its steps show Rounds of calls that were made
// before.
//
// Words: a Stage is a running Story; a Mark is a step that it has reached; a
// lane is one of its Exchanges, either the story's own or the same story before
// MRTR.
package demo
