// Package lesson holds what there is to learn: the lessons, the glossary and
// the quiz, as markdown that is embedded, read and rendered once by [New].
//
// A Lesson is a page of fewer than [MaxWords] words with one live exchange, one
// thing to try and one Question whose every answer is explained. What it claims
// about bytes and outcomes stands in expect blocks ([Script]), which its tests
// execute against the samples: a lesson with a broken claim fails the build. The
// messages it shows are whole, or have a member "…" where something is left out.
//
// The package refuses what is not whole. A lesson without a question, a link to
// a lesson that does not exist or an unknown key is an error of New, and the
// program does not start. It does no I/O but reading its own files, and knows
// neither the samples nor the rules: those are named here and looked up by
// whoever shows the pages.
package lesson
