package refusal

import (
	"net/http"
	"slices"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/xmlparse"
	"einvoice/model/problem"
	"einvoice/service/answer"
	"einvoice/service/embed"
	"einvoice/service/validate"
)

// An ErrorCode is one way in which a request can fail, as its errorCode says.
type ErrorCode struct {
	Code   string
	Status int
	Title  string
	// Meaning is what happened and what to do, for the documentation.
	Meaning string
}

// The codes that the service itself gives.
const (
	ValidationFailed = answer.CodeViolations
	RequestInvalid   = problem.CodeRequest
	Option           = problem.CodeOption
	Lossy            = answer.CodeLossy
	Multipart        = "MULTIPART-MALFORMED"
	FileMissing      = "FILE-MISSING"
	FileRepeated     = "FILE-REPEATED"
	BodyIncomplete   = "BODY-INCOMPLETE"
	Query            = "QUERY-INVALID"
	KeyMissing       = "KEY-MISSING"
	KeyInvalid       = "KEY-INVALID"
	KeyForbidden     = "KEY-FORBIDDEN"
	OriginForbidden  = "ORIGIN-FORBIDDEN"
	RouteUnknown     = "ROUTE-UNKNOWN"
	TargetUnknown    = problem.CodeTarget
	RuleUnknown      = engine.CodeRuleUnknown
	RulesetUnknown   = "RULESET-UNKNOWN"
	BulkOff          = "BULK-NOT-SERVED"
	BulkUnknown      = "BULK-JOB-UNKNOWN"
	BulkPart         = "BULK-PART-MISSING"
	BulkFormat       = "BULK-FORMAT-MISSING"
	KeyReused        = "IDEMPOTENCY-KEY-REUSED"
	Method           = "METHOD-NOT-ALLOWED"
	RequestTimeout   = "REQUEST-TIMEOUT"
	BodyTooLarge     = "BODY-TOO-LARGE"
	TooManyParts     = "TOO-MANY-PARTS"
	MediaType        = "MEDIA-TYPE-UNSUPPORTED"
	ContentEncoding  = "CONTENT-ENCODING-UNSUPPORTED"
	SyntaxMismatch   = validate.CodeSyntaxMismatch
	NotEmbeddable    = embed.CodeNotEmbeddable
	NotArchivable    = "PDF-NOT-ARCHIVABLE"
	TooLong          = compose.CodeTooLong
	RateLimited      = "RATE-LIMITED"
	Internal         = answer.CodeInternal
	Overloaded       = "OVERLOADED"
	Timeout          = answer.CodeTimeout
	NotReady         = "NOT-READY"
	NotPublished     = "RULES-NOT-PUBLISHED"
	RulesChanged     = "RULES-CHANGED"
)

// Codes is the registry: every errorCode that a client can meet. The
// OpenAPI document and docs/service.md are held to it by tests.
var Codes = []ErrorCode{
	{ValidationFailed, http.StatusBadRequest, "Validation Failed", "The document was read, and one or more rules of level fatal are violated. `errors.xml`, `findings` and `report` say which."},
	{RequestInvalid, http.StatusBadRequest, "Invalid Request", "The request is not what the endpoint takes, such as JSON that is not well-formed, or members that are not known or not of their type. For create, `mistakes` lists the first 100 and a wrong profile, language or look of `options`, each with its JSON Pointer, and `errors.json` has the same as texts. Other endpoints name the first mistake in the detail."},
	{Option, http.StatusBadRequest, "Invalid Option", "An option is missing, is not known, has a value that it cannot have, or is given twice."},
	{Multipart, http.StatusBadRequest, "Malformed Form", "The multipart body cannot be taken apart: the boundary is missing, or a part is cut off."},
	{FileMissing, http.StatusBadRequest, "File Missing", "The form lacks a part: `file`, or of `/v1/embed/xml` `pdf`, `xml` or the file name of an `attachment`."},
	{FileRepeated, http.StatusBadRequest, "File Repeated", "The form has more than one part of a name that holds a document. Send one invoice a request."},
	{BodyIncomplete, http.StatusBadRequest, "Incomplete Body", "The body ended before its announced length, its chunks are not as HTTP lays them down, or the request announces a length beside chunks."},
	{Query, http.StatusBadRequest, "Invalid Query", "A parameter in the query of a GET request, or of `/v1/bulk`, `/v1/rules` or `/v1/workbench`, is not known, cannot be understood, or is given twice. Some options of jobs have `OPTION-INVALID` instead, as at the other endpoints."},
	{KeyMissing, http.StatusUnauthorized, "Key Missing", "The request has no `Authorization: Bearer <API_KEY>` header."},
	{KeyInvalid, http.StatusUnauthorized, "Key Invalid", "The key is unknown, was revoked or has expired, or the header has another form than `Bearer <API_KEY>`."},
	{KeyForbidden, http.StatusForbidden, "Key Forbidden", "The key is not for this operation (`einvoice keys new --operations`), or would approve what it proposed itself. The detail says which."},
	{OriginForbidden, http.StatusForbidden, "Origin Forbidden", "The server has no keys (`no-auth`), and the request names another host than this machine, or the page of another origin sent it to change something (POST, DELETE). The settings `hosts` and `cors-origins` let others in."},
	{RouteUnknown, http.StatusNotFound, "Not Found", "Nothing is served under this path. `/docs` lists what is."},
	{TargetUnknown, http.StatusNotFound, "Unknown Format", "The endpoint does not know this format. The detail names those that it knows."},
	{RuleUnknown, http.StatusNotFound, "Unknown Rule", "No ruleset that was asked has a rule of this id."},
	{RulesetUnknown, http.StatusNotFound, "Unknown Ruleset", "There is no ruleset of this name and version. `/v1/rulesets` lists them."},
	{BulkOff, http.StatusNotFound, "No Jobs", "The server takes no jobs: its setting `bulk-results` is not set."},
	{BulkUnknown, http.StatusNotFound, "Unknown Job", "There is no job of this id."},
	{BulkPart, http.StatusNotFound, "No Such Part", "The job has no results of this part, or not yet."},
	{BulkFormat, http.StatusNotAcceptable, "Format Not Written", "The results are asked for in a format that this program does not write: Parquet comes from the server of `einvoiced`."},
	{KeyReused, http.StatusUnprocessableEntity, "Idempotency Key Reused", "The `Idempotency-Key` was used before for another request. Take a new one for each request."},
	{Method, http.StatusMethodNotAllowed, "Method Not Allowed", "The path is right and the method is not. The `Allow` header names those that work."},
	{RequestTimeout, http.StatusRequestTimeout, "Request Timeout", "The body did not arrive in time, or more slowly than `least-rate`."},
	{BodyTooLarge, http.StatusRequestEntityTooLarge, "Body Too Large", "The body is larger than the server accepts, or the work on it would take more memory than the server gives one document. The detail states the limit."},
	{TooManyParts, http.StatusRequestEntityTooLarge, "Too Many Parts", "The form has more parts than the server accepts."},
	{MediaType, http.StatusUnsupportedMediaType, "Unsupported Media Type", "The Content-Type is none that the endpoint takes. The detail says what to send."},
	{ContentEncoding, http.StatusUnsupportedMediaType, "Unsupported Content Encoding", "The body has a Content-Encoding that is not known, or is not what it says. Send it as it is, or as gzip, br or zstd."},
	{formats.CodePDF, http.StatusUnprocessableEntity, "PDF Not Accepted", "The document is a PDF, and this endpoint takes XML alone. `/v1/extract/xml` takes the XML out of it, `/v1/validate/en16931` reads it where it is."},
	{pdf.CodeNotPDF, http.StatusUnprocessableEntity, "Not A PDF", "The document is no PDF where one has to be: at `/v1/validate/facturx` and `/zugferd`, which judge the PDF around the invoice (`/v1/validate/cii` takes the XML alone), as the part `pdf` of `/v1/embed/xml`, and at `/v1/parse/json`, which takes pictures too. Or it was sent as a PDF to an endpoint that takes PDFs and XML, and is neither."},
	{pdf.CodeEncrypted, http.StatusUnprocessableEntity, "Encrypted PDF", "The PDF opens only with a password. One that is encrypted and opens without is read."},
	{pdf.CodeDamaged, http.StatusUnprocessableEntity, "Damaged PDF", "The PDF, or the invoice attached to it, cannot be read; it may be cut off. Ask the sender for it again."},
	{pdf.CodeLimit, http.StatusUnprocessableEntity, "PDF Beyond Limits", "Reading the PDF, or one that would be made, costs more than the server allows. Send or take the XML alone."},
	{pdf.CodeNoAttachment, http.StatusUnprocessableEntity, "Nothing Attached", "Nothing is attached to the PDF, so it has no invoice that programs can read."},
	{pdf.CodeNoInvoice, http.StatusUnprocessableEntity, "No Invoice Attached", "No file attached to the PDF is an invoice. The detail names the first five that are attached and counts the others; `/v1/extract/attachments` hands them out."},
	{pdf.CodeSeveralInvoices, http.StatusUnprocessableEntity, "Several Invoices Attached", "More than one file attached to the PDF may be the invoice. The detail names the first five and counts the others; `/v1/extract/attachments` hands them out."},
	{formats.CodeWrapped, http.StatusUnprocessableEntity, "Wrapped Document", "The document is an envelope such as SBDH, with or without an invoice inside. Send the invoice element as a document of its own."},
	{formats.CodeOtherDocument, http.StatusUnprocessableEntity, "Not An Invoice", "The document is a business document of another kind, such as an order, or an invoice of ZUGFeRD 1.0, which is older than EN 16931."},
	{formats.CodeNamespace, http.StatusUnprocessableEntity, "Wrong Namespace", "The root element is that of an invoice, in another namespace."},
	{formats.CodeUnknown, http.StatusUnprocessableEntity, "Not An Invoice", "The document is XML of a kind that is not known here."},
	{xmlparse.CodeEmpty, http.StatusUnprocessableEntity, "Empty Document", "There is no document."},
	{xmlparse.CodeNotXML, http.StatusUnprocessableEntity, "Not XML", "The document is not XML. The detail says what it seems to be."},
	{xmlparse.CodeEncoding, http.StatusUnprocessableEntity, "Wrong Encoding", "The bytes of the document are not the characters that they claim to be. Use UTF-8."},
	{xmlparse.CodeDoctype, http.StatusUnprocessableEntity, "Document Type Declaration", "The document has a DOCTYPE, which is refused for security."},
	{xmlparse.CodeEntity, http.StatusUnprocessableEntity, "Unknown Entity", "The document refers to an entity other than the five of XML."},
	{xmlparse.CodeLimit, http.StatusUnprocessableEntity, "Document Beyond Limits", "The document is nested deeper, or has more elements, attributes or names, than the server reads."},
	{xmlparse.CodeNamespace, http.StatusUnprocessableEntity, "Unbound Prefix", "A namespace prefix is not bound, or bound against the rules."},
	{xmlparse.CodeSyntax, http.StatusUnprocessableEntity, "Not Well-Formed", "The document is not well-formed XML. The detail names line and column."},
	{SyntaxMismatch, http.StatusUnprocessableEntity, "Wrong Syntax", "The document is in the other syntax than the endpoint takes, UBL or CII."},
	{NotEmbeddable, http.StatusUnprocessableEntity, "Not Embeddable", "The XML is in UBL, or declares a profile that no PDF carries. The detail says what to do."},
	{NotArchivable, http.StatusUnprocessableEntity, "Not Archivable", "The PDF cannot be made PDF/A-3. `errors.pdf` says why and on which page."},
	{TooLong, http.StatusUnprocessableEntity, "Too Many Pages", "The invoice would fill more pages than are made. Split it, or take it as XML."},
	{parse.CodeLimit, http.StatusUnprocessableEntity, "Too Much To Read", "There are more pages or pixels than are read (settings `parse-pages`, `parse-pixels`), or too many words. Send the pages of one invoice, with 300 pixels per inch."},
	{parse.CodeNoText, http.StatusUnprocessableEntity, "No Text", "The pages show at most eight words, with those that can be recognised in pictures. Send the PDF that shows the invoice, or a sharp picture of it."},
	{parse.CodeNotInvoice, http.StatusUnprocessableEntity, "Not An Invoice", "The pages show a document of another kind, or lack what an invoice has. The detail says what was missed."},
	{parse.CodeSeveralInvoices, http.StatusUnprocessableEntity, "Several Invoices", "The pages show more than one invoice, and what was asked for takes one (`/v1/parse/json` answers with each). The detail has the page ranges; send each as a PDF of its own."},
	{Lossy, http.StatusUnprocessableEntity, "Lossy Conversion", "`strict` was asked for, and the result would lack something that the document has. `losses` lists it."},
	{RateLimited, http.StatusTooManyRequests, "Too Many Requests", "The key has used up its rate, its processors (`key-work`) or its jobs, or its address has sent too many wrong keys. Wait as long as `Retry-After` says."},
	{Internal, http.StatusInternalServerError, "Internal Error", "A fault of the server. Its log has the details under the request's id."},
	{Overloaded, http.StatusServiceUnavailable, "Overloaded", "The server is at its limit and does not queue more, or gave the place of a body that arrives slowly to another request. Try again after `Retry-After`."},
	{Timeout, http.StatusServiceUnavailable, "Validation Timeout", "The work on the document, such as its validation, took longer than `request-timeout`, and was stopped."},
	{parse.CodeNoOCR, http.StatusServiceUnavailable, "No Text Recognition", "The text of the pages is in pictures, and this service cannot recognise it (setting `ocr`). Send a PDF with text, or install Tesseract."},
	{NotPublished, http.StatusUnprocessableEntity, "Rules Not Published", "A draft of rules does not come into force, or a version is not taken back: the detail says why."},
	{RulesChanged, http.StatusConflict, "Rules Changed", "A draft of rules would undo what was published since it was begun, or a proposal what was published or changed by hand since. The detail says which; take it over and send the newest version as `base`, or have it proposed again."},
	{engine.CodeOverlayConflict, http.StatusBadRequest, "Overlays Contradict", "The overlays of the request contradict each other, or are never applied together. The detail names them; choose one of them."},
	{NotReady, http.StatusServiceUnavailable, "Not Ready", "The server is stopping; another one should be asked."},
	{parse.CodeTimeout, http.StatusGatewayTimeout, "Parse Timeout", "Reading the pages took longer than `request-timeout` and was stopped."},
}

// Named is the entry of a code; nil for one that is not in the registry.
func Named(code string) *ErrorCode {
	if i := slices.IndexFunc(Codes, func(c ErrorCode) bool { return c.Code == code }); i >= 0 {
		return &Codes[i]
	}
	return nil
}

// TypeOf are the semantics that a status has, as the `type` of a problem.
var TypeOf = map[int]string{
	http.StatusBadRequest:            "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1",
	http.StatusUnauthorized:          "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2",
	http.StatusForbidden:             "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.4",
	http.StatusNotFound:              "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5",
	http.StatusMethodNotAllowed:      "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6",
	http.StatusRequestTimeout:        "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9",
	http.StatusConflict:              "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.10",
	http.StatusRequestEntityTooLarge: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14",
	http.StatusUnsupportedMediaType:  "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16",
	http.StatusNotAcceptable:         "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.7",
	http.StatusUnprocessableEntity:   "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.21",
	http.StatusTooManyRequests:       "https://www.rfc-editor.org/rfc/rfc6585#section-4",
	http.StatusInternalServerError:   "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1",
	http.StatusGatewayTimeout:        "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.5",
	http.StatusServiceUnavailable:    "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4",
}
