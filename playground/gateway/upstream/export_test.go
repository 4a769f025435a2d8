package upstream

// SetMax sets the largest record, in bytes.
func (u *Upstream) SetMax(n int) { u.max = n }
