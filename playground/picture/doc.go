// Package picture draws what an Exchange did: a sequence diagram and a
// waterfall of its timings, as SVG, as Mermaid text and as plain sentences.
//
// Of makes a Picture, which is only data: Lanes (who takes part) and Steps
// (arrows, pauses and the place where things stand now). Everything that is
// drawn is laid out first, as boxes and lines without a font at hand, so that a
// test can prove that no label touches another label, an arrow or a lane.
//
// The SVG holds no script, no style and no id that could meet another on the
// page: it names classes, and static/css/picture.css gives them colours.
// Standalone makes the variant that carries its own. Words of a server are
// data: they are cut, escaped, and their control characters made visible.
package picture
