package seal

// Rotate returns keys with a new primary. States of the old keys still open.
func (k *Keys) Rotate() *Keys {
	sets := k.current(false)
	return &Keys{sets: &keysets{newKeyset(sets.sealing), newKeyset(sets.signing)}}
}

// Retire returns keys with the primary alone. States of the other keys are
// refused.
func (k *Keys) Retire() *Keys {
	sets := k.current(false)
	return &Keys{sets: &keysets{sets.sealing[:1], sets.signing[:1]}}
}
