package text

import "bytes"

// mask is the shortest run of stars that stands for a secret.
var mask = []byte("********")

// HasMask reports whether a value is masked in part. What was masked cannot be
// compared: different values of one length have the same mask.
func HasMask(value []byte) bool { return bytes.Contains(value, mask) }
