package model

// Container describes the PDF that contains an invoice, for the rules whose contexts
// begin with /container. It is not part of the invoice.
//
// A property that a PDF has or does not have, such as encryption, is a Text: it is
// present if the PDF has the property, and then describes it.
type Container struct {
	Group
	Header          *FileHeader         `json:"header,omitempty" term:"First line of the file" card:"1..1"`
	BytesAfterEnd   Number              `json:"bytesAfterEnd,omitzero" term:"Bytes after the last end-of-file marker and its line end; absent in a file without a marker" card:"0..1"`
	Encryption      Text                `json:"encryption,omitzero" term:"Encryption, named by its handler; absent in a PDF that is not encrypted" card:"0..1"`
	Claim           *ArchivalClaim      `json:"claim,omitempty" term:"Part and level of PDF/A that the metadata claim" card:"0..1"`
	MetadataProblem Text                `json:"metadataProblem,omitzero" term:"Why the XMP metadata cannot be read; absent where they can" card:"0..1"`
	Metadata        *HybridMetadata     `json:"metadata,omitempty" term:"What the XMP metadata say of the invoice" card:"0..1"`
	InvoiceFile     *ContainerFile      `json:"invoiceFile,omitempty" term:"Attachment that is the invoice" card:"1..1"`
	OtherFiles      []ContainerFile     `json:"otherFiles,omitempty" term:"Other attachments" card:"0..n"`
	Actions         []ContainerAction   `json:"actions,omitempty" term:"Actions that the PDF would carry out" card:"0..n"`
	Fonts           []ContainerFont     `json:"fonts,omitempty" term:"Fonts that text is shown in" card:"0..n"`
	DeviceColour    Text                `json:"deviceColour,omitzero" term:"Where a colour is first used that depends on the device; absent where none is" card:"0..1"`
	OutputIntents   []OutputIntent      `json:"outputIntents,omitempty" term:"Output intents" card:"0..n"`
	Printed         *PrintedText        `json:"printed,omitempty" term:"What the pages show; absent where no text can be read" card:"0..1"`
	Expected        *ContainerOfProfile `json:"expected,omitempty" term:"What the invoice's profile lays down about its PDF" card:"0..1"`
}

// FileHeader is the line that a PDF begins with.
type FileHeader struct {
	Group
	Offset  Number `json:"offset,omitzero" term:"Bytes before the header" card:"1..1"`
	Version Text   `json:"version,omitzero" term:"Version of PDF, such as 1.7, with whatever else the line has" card:"0..1"`
}

// ArchivalClaim is the part and level of PDF/A.
type ArchivalClaim struct {
	Group
	Part        Text `json:"part,omitzero" term:"Part of ISO 19005" card:"0..1"`
	Conformance Text `json:"conformance,omitzero" term:"Conformance level A, B or U; F in PDF/A-4" card:"0..1"`
}

// HybridMetadata are the properties that Factur-X and ZUGFeRD add to the XMP metadata.
type HybridMetadata struct {
	Group
	Namespace        Text `json:"namespace,omitzero" term:"Namespace of the properties" card:"1..1"`
	DocumentType     Text `json:"documentType,omitzero" term:"Kind of the attached document" card:"0..1"`
	DocumentFileName Text `json:"documentFileName,omitzero" term:"Name of the attached document" card:"0..1"`
	Version          Text `json:"version,omitzero" term:"Version of the attached document's schema" card:"0..1"`
	ConformanceLevel Text `json:"conformanceLevel,omitzero" term:"Profile of the attached document" card:"0..1"`
	// PDF/A requires an extension schema that declares all properties except its own.
	Schema     Text               `json:"schema,omitzero" term:"Name of the extension schema for the namespace; absent where none is declared" card:"0..1"`
	Undeclared []MetadataProperty `json:"undeclared,omitempty" term:"Properties that the extension schema does not declare" card:"0..n"`
}

// MetadataProperty is a property of the XMP metadata.
type MetadataProperty struct {
	Group
	Name Text `json:"name,omitzero" term:"Name" card:"1..1"`
}

// ContainerFile is a file that is attached to the PDF.
type ContainerFile struct {
	Group
	Name         Text `json:"name,omitzero" term:"File name" card:"0..1"`
	Kind         Text `json:"kind,omitzero" term:"cii, ubl or zugferd1 for an invoice, by content" card:"0..1"`
	MIME         Text `json:"mimeType,omitzero" term:"MIME type as declared" card:"0..1"`
	Relationship Text `json:"relationship,omitzero" term:"Relationship to the document (AFRelationship)" card:"0..1"`
	Description  Text `json:"description,omitzero" term:"Description" card:"0..1"`
	Modified     Text `json:"modified,omitzero" term:"Date of the last change (ModDate)" card:"0..1"`
	Problem      Text `json:"problem,omitzero" term:"Why the content cannot be read; absent where it can" card:"0..1"`

	Size           Number `json:"size,omitzero" term:"Bytes" card:"0..1"`
	StatedSize     Number `json:"statedSize,omitzero" term:"Bytes as declared" card:"0..1"`
	CheckSum       Text   `json:"checkSum,omitzero" term:"MD5 of the content, where one is declared" card:"0..1"`
	StatedCheckSum Text   `json:"statedCheckSum,omitzero" term:"MD5 as declared" card:"0..1"`

	NameTreeKey Text `json:"nameTreeKey,omitzero" term:"Key among the embedded files; absent where it is not among them" card:"0..1"`
	Associated  Text `json:"associated,omitzero" term:"What it is associated with, document or page; absent for nothing" card:"0..1"`
}

// ContainerAction is an action that a viewer would carry out for the PDF.
type ContainerAction struct {
	Group
	Type  Text `json:"type,omitzero" term:"Type, such as JavaScript or Launch" card:"1..1"`
	Name  Text `json:"name,omitzero" term:"Which, of the named actions" card:"0..1"`
	Place Text `json:"place,omitzero" term:"What carries it out" card:"1..1"`
}

// ContainerFont is a font that text is shown in.
type ContainerFont struct {
	Group
	Name     Text `json:"name,omitzero" term:"Name" card:"0..1"`
	Page     Text `json:"page,omitzero" term:"First page that shows text in it" card:"1..1"`
	Embedded Text `json:"embedded,omitzero" term:"true where the PDF has the font program; absent where it has not" card:"0..1"`
}

// OutputIntent is the device that the colours are intended for.
type OutputIntent struct {
	Group
	Subtype Text `json:"subtype,omitzero" term:"Subtype, GTS_PDFA1 for PDF/A" card:"0..1"`
	Profile Text `json:"profile,omitzero" term:"Identifier of the output condition; absent without an ICC profile" card:"0..1"`
}

// PrintedText is the text that a person can read on the pages.
type PrintedText struct {
	Group
	AmountDue Text `json:"amountDue,omitzero" term:"Amount due for payment (BT-115) as it is printed; absent where it is not found" card:"0..1"`
}

// ContainerOfProfile is what a profile requires of the PDF.
type ContainerOfProfile struct {
	Group
	FileName         Text                   `json:"fileName,omitzero" term:"Name of the invoice" card:"1..1"`
	ConformanceLevel Text                   `json:"conformanceLevel,omitzero" term:"Name of the profile in the metadata" card:"1..1"`
	Version          Text                   `json:"version,omitzero" term:"Version in the metadata" card:"1..1"`
	Relationship     Text                   `json:"relationship,omitzero" term:"Relationship of the invoice to the document" card:"1..1"`
	Accepted         []AcceptedRelationship `json:"accepted,omitempty" term:"Relationships that are tolerated" card:"0..n"`
}

// AcceptedRelationship is a relationship that is tolerated instead.
type AcceptedRelationship struct {
	Group
	Relationship Text `json:"relationship,omitzero" term:"Relationship to the document" card:"1..1"`
}
