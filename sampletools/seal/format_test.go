package seal

import (
	"encoding/json"
	"strings"
	"testing"
)

// The keyset files of Tink, whose library wrote this one.
const written = `{
	"sealing": {"primaryKeyId": 2740715122, "key": [
		{"keyData": {"typeUrl": "type.googleapis.com/google.crypto.tink.AesGcmKey",
			"value": "GiDoDZMtjjnYKou+90u3m8lHdCnBWrGL7jum9e34rkHd7A==", "keyMaterialType": "SYMMETRIC"},
			"status": "ENABLED", "keyId": 2740715122, "outputPrefixType": "TINK"}]},
	"signing": {"primaryKeyId": 2308034378, "key": [
		{"keyData": {"typeUrl": "type.googleapis.com/google.crypto.tink.HmacKey",
			"value": "EgQIAxAgGiBMxQIutjIuBesHtozHF0tMvPwxrU7M68NPTrQldqyjxA==",
			"keyMaterialType": "SYMMETRIC"},
			"status": "ENABLED", "keyId": 2308034378, "outputPrefixType": "TINK"}]}}`

func TestParseKeys(t *testing.T) {
	sets, err := parseKeys([]byte(written), "test")
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&Keys{sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	space := strings.NewReplacer(" ", "", "\n", "", "\t", "")
	if got := string(again); got != space.Replace(written) {
		t.Errorf("written again:\n%s\nwant:\n%s", got, space.Replace(written))
	}
}

func TestParseKeys_PrimaryIsFirst(t *testing.T) {
	older := Generate()
	sets := older.Rotate()
	var file keysJSON
	text, err := json.Marshal(sets)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, set := range []keysetJSON{file.Sealing, file.Signing} {
		set.Keys[0], set.Keys[1] = set.Keys[1], set.Keys[0] // as Tink writes a rotated set
	}
	if text, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	read, err := parseKeys(text, "test")
	if err != nil {
		t.Fatal(err)
	}
	if read.sealing[0] != sets.sets.sealing[0] || read.signing[0] != sets.sets.signing[0] {
		t.Error("the first key is not the primary one")
	}
}

func TestParseKeys_Refuses(t *testing.T) {
	for old, replaced := range map[string]string{
		"AesGcmKey":                "AesEaxKey",
		"EgQIAxAg":                 "EgQIAxAQ", // a shorter tag
		"GiDoDZ":                   "GhDoDZ",   // a shorter key
		`"primaryKeyId": 23`:       `"primaryKeyId": 24`,
		`"status": "ENABLED"`:      `"status": "DISABLED"`,
		`"outputPrefixType": "TI`:  `"outputPrefixType": "RAW`,
		`{"primaryKeyId": 2308034`: `[{"primaryKeyId": 2308034`,
	} {
		text := strings.ReplaceAll(written, old, replaced)
		_, err := parseKeys([]byte(text), "test")
		if text == written || err == nil || strings.Contains(err.Error(), "GiDo") {
			t.Errorf("%s for %s: %v", replaced, old, err)
		}
	}
}
