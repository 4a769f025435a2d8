package prose

import "github.com/mrtr-playground/mrtr-playground/playground/doctor"

// Sentence describes a failure: the event, and the remedy. Those of a server are the
// doctor's.
type Sentence = doctor.Sentence

// SentenceCode returns the sentence for a request that the playground refuses.
func SentenceCode(code, what, try string) Sentence { return Sentence{Code: code, What: what, Try: try} }
