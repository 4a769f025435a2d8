package web

import (
	"errors"
	"io"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
)

// Uploaded returns the file of a form, or the body itself for programs.
func Uploaded(r *http.Request) ([]byte, error) {
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		return io.ReadAll(r.Body)
	}
	if err != nil {
		return nil, badUpload()
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, badUpload()
		}
		if err != nil {
			return nil, uploadError(err)
		}
		if part.FormName() == "file" {
			data, err := io.ReadAll(part)
			return data, uploadError(err)
		}
	}
}

// UploadedOrPasted returns the file of a form or, if none was chosen, the text of its field.
func UploadedOrPasted(r *http.Request, field string) ([]byte, error) {
	parts, err := r.MultipartReader()
	if errors.Is(err, http.ErrNotMultipart) {
		return io.ReadAll(r.Body)
	}
	if err != nil {
		return nil, badUpload()
	}
	var pasted []byte
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return pasted, nil
		}
		if err != nil {
			return nil, uploadError(err)
		}
		name := part.FormName()
		if name != "file" && name != field {
			continue
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, uploadError(err)
		}
		if name == "file" && len(data) > 0 {
			return data, nil
		}
		if name == field {
			pasted = data
		}
	}
}

func uploadError(err error) error {
	var tooBig *http.MaxBytesError
	if err == nil || errors.As(err, &tooBig) {
		return err
	}
	return badUpload()
}

func badUpload() error {
	return app.Refuse(http.StatusBadRequest, "bad_upload", "No file came with this form.",
		"Go back, choose a file and try again.")
}
