package inspect

import (
	"crypto/md5" //nolint:gosec // the checksum that ISO 32000 defines
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"einvoice/formats/pdf"
	"einvoice/model"
	"einvoice/model/problem"
)

// files describes the invoice and the other attached files.
func (i *inspector) files(invoice *pdf.Attachment) {
	for _, a := range i.container.Attachments {
		if a == invoice {
			file := describeFile(a)
			i.out.InvoiceFile = &file
		} else {
			i.out.OtherFiles = append(i.out.OtherFiles, describeFile(a))
		}
	}
}

func describeFile(a *pdf.Attachment) model.ContainerFile {
	f := model.ContainerFile{
		Name: optional(a.Name), MIME: optional(a.MIME), Relationship: optional(a.Relationship), Description: optional(a.Description),
	}
	if !a.Modified.IsZero() {
		f.Modified = model.NewText(a.Modified.Format(time.RFC3339))
	}
	if a.Places&pdf.InNameTree != 0 {
		f.NameTreeKey = model.NewText(a.Key)
	}
	switch {
	case a.Places&pdf.InDocumentAF != 0:
		f.Associated = model.NewText("document")
	case a.Places&pdf.InPageAF != 0:
		f.Associated = model.NewText("page")
	}
	if a.Size >= 0 {
		f.StatedSize = model.NewNumber(strconv.Itoa(a.Size))
	}
	data, err := a.Data()
	if err != nil {
		f.Problem = model.NewText(messageOf(err))
		return f
	}
	f.Kind = optional(string(a.Kind()))
	f.Size = model.NewNumber(strconv.Itoa(len(data)))
	if len(a.CheckSum) > 0 {
		sum := md5.Sum(data) //nolint:gosec // see the import
		f.CheckSum, f.StatedCheckSum = model.NewText(hex.EncodeToString(sum[:])), model.NewText(statedCheckSum(a.CheckSum))
	}
	return f
}

// statedCheckSum is a declared checksum in hexadecimal. Some programs store the
// digits instead of the bytes.
func statedCheckSum(sum []byte) string {
	if _, err := hex.DecodeString(string(sum)); err == nil && len(sum) == 2*md5.Size {
		return strings.ToLower(string(sum))
	}
	return hex.EncodeToString(sum)
}

func messageOf(err error) string {
	if e, ok := errors.AsType[*problem.Error](err); ok {
		return e.Message
	}
	return err.Error()
}
