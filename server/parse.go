package server

import (
	"context"
	"net/http"

	"einvoice/server/admission"
	"einvoice/server/option"
	"einvoice/server/publishing"
)

// postParse is POST /v1/parse/json.
func (s *Server) postParse(x *exchange) error {
	return s.withBody(x, func(v *admission.Visit) error {
		x.pictures = true
		up, err := s.readUpload(x, v, takeDetails, takeAccept, s.takeLanguage(x))
		if err != nil {
			return err
		}
		details, err := up.Flag(option.Details)
		if err != nil {
			return err
		}
		least, err := up.Least()
		if err != nil {
			return err
		}
		var body []byte
		err = s.inTurn(x, readCost, func(ctx context.Context, book *publishing.Book) error {
			if err := s.reservePDF(x, up.data); err != nil {
				return err
			}
			file, err := book.Service.Reader.File(ctx, up.data)
			if err != nil {
				return err
			}
			if err := file.Translate(x.words); err != nil {
				return err
			}
			x.tellLanguage()
			if least > 0 {
				file.Decide(least)
			}
			body, err = file.JSON(details || least > 0)
			return err
		})
		if err != nil {
			return err
		}
		x.outcome = "parsed"
		x.made("parse", "json", nil, true)
		return x.send(http.StatusOK, "application/json", body)
	})
}
