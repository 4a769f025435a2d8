// Package lesson holds the lessons, the glossary, the quiz and Spot the fault,
// as Markdown that is embedded, read and rendered once by [New].
//
// A Lesson is a page of fewer than 300 words with one live exchange, one
// thing to try and one Question whose every answer is explained. Claims about
// bytes and outcomes are written in expect blocks ([Script]), which the tests
// execute against the samples: a lesson with a false claim fails the build. The
// messages on a page are complete, or have a member "…" where something is
// omitted.
//
// Of one complete program per language in listings, each lesson shows the lines
// that carry its idea (Lesson.Lines); the last two show complete listings. The tests
// run the programs for which they have the toolchain.
//
// The exchanges of Spot the fault ([Item]) are recordings of the samples. Tests
// run their scripts again and compare the marked answers with the rules.
//
// The package rejects incomplete texts. A lesson without a question, a link to
// a lesson that does not exist or an unknown key is an error of New, and the
// program does not start. The package reads only its own files. It knows
// neither the samples nor the rules: a lesson names them, and the pages look
// them up.
//
// A Book does not change after New and may be read from several goroutines.
package lesson
