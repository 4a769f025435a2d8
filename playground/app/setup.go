package app

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/setup"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// setupRow is the row that the settings of a client are sealed for while their reader
// decides on them. It is no row of the store: nothing is stored before.
const setupRow = "settings of a client"

// SealSetup returns a settings file in a form that only the browser of the visit can send back:
// its secrets are on no page.
func (s *App) SealSetup(v *Visit, f setup.File) (string, error) {
	if _, err := v.Writing(); err != nil {
		return "", err
	}
	vault, err := v.NewVault()
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(f)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(vault.SealAs(setupRow, plain)), nil
}

// OpenSetup returns the settings file that SealSetup sealed.
func (s *App) OpenSetup(v *Visit, sealed string) (setup.File, error) {
	var f setup.File
	data, err := base64.RawURLEncoding.DecodeString(sealed)
	plain, ok := v.Vault().OpenAs(setupRow, data)
	if err != nil || !ok || json.Unmarshal(plain, &f) != nil {
		return f, Refuse(Invalid, "setup_lost", "The settings can't be read any more.",
			"They are encrypted for the browser that opened the file. Import the file again.")
	}
	return f, nil
}

// LookupVariable returns a variable of the environment of this program. Only local mode has
// an environment that is its user's, and the program's own settings are in no mode for
// servers.
func (s *App) LookupVariable(name string) (value string, ok bool) {
	if s.Mode.Shared() || s.LookupEnv == nil || strings.HasPrefix(strings.ToUpper(name), "MRTR_") {
		return "", false
	}
	return s.LookupEnv(name)
}

// SetupChoice is what its reader decided on one server of a settings file.
type SetupChoice struct {
	Literals map[int]bool      // header fields without variables that are sent, by index
	Values   map[string]string // of the variables that are filled in, by the way they are written
}

// FillSetup returns the address and the header fields of a server with what was decided, and
// the names of the header fields that are left out. An address without all of its variables
// is refused.
func FillSetup(of setup.Server, c SetupChoice) (address string, header []wire.Field, left []string,
	err error) {
	address, whole := setup.Fill(of.URL, c.Values)
	if !whole {
		return "", nil, nil, Refuse(Invalid, "setup_address", "The address has a variable without a value.",
			"Tick the variable, or enter its value.")
	}
	for i, h := range of.Header {
		value, whole := setup.Fill(h.Value, c.Values)
		if !whole || len(setup.Variables(h.Value)) == 0 && !c.Literals[i] {
			left = append(left, h.Name)
			continue
		}
		f := wire.Field{Name: h.Name, Value: strings.TrimSpace(value)}
		if err := wire.CheckField(f); err != nil {
			var wrong *wire.FieldError
			if errors.As(err, &wrong) { // without the value
				return "", nil, nil, Refuse(Invalid, "bad_header", "A header field can't be sent.",
					"The field "+wrong.Name+" is not valid.")
			}
			return "", nil, nil, err
		}
		same := func(o wire.Field) bool { return strings.EqualFold(o.Name, f.Name) }
		if !slices.ContainsFunc(header, same) {
			header = append(header, f)
		}
	}
	return address, header, left, nil
}

// AddFromSetup adds a server of a settings file and connects to it, or connects again to the
// server with the same URL. A server that cannot be connected to now, because of a limit, is
// not kept if it is new.
func (s *App) AddFromSetup(
	v *Visit, at Address, header []wire.Field, era playground.Era,
) (playground.Target, error) {
	set := Settings{Header: header, Capabilities: Declared()}
	workspace, err := v.Writing()
	if err != nil {
		return playground.Target{}, err
	}
	known, err := s.SavedTarget(v, workspace, "", playground.Target{URL: at.URL, Header: header})
	if err != nil {
		return playground.Target{}, err
	}
	t, log, err := s.AddServer(v, known, at, set, era)
	if err != nil {
		return t, err
	}
	if t, err = s.TargetWithToken(v, t); err == nil {
		err = s.Runner.Connect(v.Context(), t, log) // its page shows how it goes on
	}
	if err != nil && known == "" {
		return t, errors.Join(err, s.Store.ForgetTarget(v.Context(), workspace, t.ID))
	}
	return t, err
}
