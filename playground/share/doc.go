// Package share decides what of a Session becomes public. Take leaves out what
// the user wants left out, finds what looks like a secret, masks it and returns
// the snapshot; the same call makes the preview, so that what was looked at is
// what is published.
//
// Its words: a piece is one stretch of recorded bytes; a view is text decoded
// out of a piece (a JSON string, something in Base64) that knows which bytes it
// came from; a mark is a stretch of a piece that belongs to a Finding.
//
// It promises that a masked value stands nowhere in the snapshot, in clear or
// in an encoding that it knows, that masking changes no length and breaks no
// JSON, and that taking a snapshot of a snapshot changes nothing. It refuses to
// promise that everything secret is found: people must look at the preview.
package share
