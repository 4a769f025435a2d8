package seal

// DerivedKey is a secret that follows from one of the signing keys.
type DerivedKey struct {
	ID     string // of the signing key, as states show it
	Secret []byte // 32 bytes
}

// Derive returns a secret for every signing key, that of the primary key first.
// The same label results in the same secrets in every process with these keys.
// A secret shows nothing about the keys or about secrets of other labels.
func (k *Keys) Derive(label string) []DerivedKey {
	var list []DerivedKey
	for _, one := range k.current(true).signing { // another process may have rotated the keys
		// no signed state has this text: states begin with the prefix
		list = append(list, DerivedKey{one.idText(), one.mac("derived key: " + label)})
	}
	return list
}
