// Package views has a package for each subject that pages show, as web has one
// for each that they are about, over a kit of what subjects share: the layout,
// the controls of a form, JSON, drawings, standings, sentences, paths and
// selections. It is empty itself, but for the storybook, which holds every state
// of every page.
//
// All rooms keep one contract. A component takes a small typed view model, which
// a pure function in the Go file beside it returns. Anything that can fail has
// failed before rendering. A room does no I/O, knows no HTTP and decides nothing:
// the content of a page was decided by the packages of playground. It sees no
// more of another room than that room's page needs, so that a word changes one
// room. Foreign text is made visible (playground/text) where the model is made,
// and templ escapes it. What is not escaped is a picture, a lesson, or what
// prose made of escaped text.
package views
