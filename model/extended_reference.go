package model

// A ReferencedFile is where a document that Factur-X EXTENDED refers to can be found,
// or the document itself. It is part of every such reference.
type ReferencedFile struct {
	Name               Text   `json:"name,omitzero" term:"Name of the document" card:"0..1"`
	ExternalLocation   Text   `json:"externalLocation,omitzero" term:"External document location" card:"0..1"`
	Attachment         Binary `json:"attachment,omitzero" term:"Attached document" card:"0..1"`
	AttachmentMimeCode Text   `json:"attachmentMimeCode,omitzero" term:"Attached document MIME code" type:"code" card:"0..1"`
	AttachmentFileName Text   `json:"attachmentFileName,omitzero" term:"Attached document file name" card:"0..1"`
}

// Reference is a reference of Factur-X EXTENDED to another document, or to a line of it.
type Reference struct {
	Group
	Identifier        Text `json:"identifier,omitzero" term:"Identifier of the document" type:"reference" card:"0..1"`
	LineIdentifier    Text `json:"lineIdentifier,omitzero" term:"Line of the document" type:"identifier" card:"0..1"`
	TypeCode          Text `json:"typeCode,omitzero" term:"Document type code" type:"code" card:"0..1"`
	ReferenceTypeCode Text `json:"referenceTypeCode,omitzero" term:"Reference type code" type:"code" card:"0..1"`
	IssueDate         Date `json:"documentDate,omitzero" term:"Issue date of the document" card:"0..1"`
	ReferencedFile
}

// ReferenceDetails are what Factur-X EXTENDED adds to a reference of EN 16931, which
// has the identifier of the document.
type ReferenceDetails struct {
	Group
	LineIdentifier    Text `json:"lineIdentifier,omitzero" term:"Line of the document" type:"identifier" card:"0..1"`
	TypeCode          Text `json:"typeCode,omitzero" term:"Document type code" type:"code" card:"0..1"`
	ReferenceTypeCode Text `json:"referenceTypeCode,omitzero" term:"Reference type code" type:"code" card:"0..1"`
	IssueDate         Date `json:"documentDate,omitzero" term:"Issue date of the document" card:"0..1"`
	ReferencedFile
}

// PrecedingInvoiceDetails are what Factur-X EXTENDED adds to a preceding invoice
// reference (BG-3), which has the issue date.
type PrecedingInvoiceDetails struct {
	Group
	LineIdentifier    Text `json:"lineIdentifier,omitzero" term:"Line of the preceding invoice" type:"identifier" card:"0..1"`
	TypeCode          Text `json:"typeCode,omitzero" bt:"BT-X-555" term:"Preceding invoice type code" type:"code" card:"0..1"`
	ReferenceTypeCode Text `json:"referenceTypeCode,omitzero" term:"Preceding invoice reference type code" type:"code" card:"0..1"`
	ReferencedFile
}

// LineOrder is the purchase order of a line, whose line EN 16931 has as BT-132.
type LineOrder struct {
	Group
	Identifier        Text `json:"identifier,omitzero" bt:"BT-X-21" term:"Purchase order reference of the line" type:"reference" card:"0..1"`
	TypeCode          Text `json:"typeCode,omitzero" term:"Purchase order type code" type:"code" card:"0..1"`
	ReferenceTypeCode Text `json:"referenceTypeCode,omitzero" term:"Purchase order reference type code" type:"code" card:"0..1"`
	IssueDate         Date `json:"documentDate,omitzero" bt:"BT-X-22" term:"Purchase order issue date" card:"0..1"`
	ReferencedFile
}

// TenderDetails are what Factur-X EXTENDED adds to the tender or lot reference (BT-17).
type TenderDetails struct {
	Group
	LineIdentifier    Text `json:"lineIdentifier,omitzero" term:"Line of the tender" type:"identifier" card:"0..1"`
	ReferenceTypeCode Text `json:"referenceTypeCode,omitzero" term:"Tender reference type code" type:"code" card:"0..1"`
	IssueDate         Date `json:"documentDate,omitzero" bt:"BT-X-556" term:"Tender issue date" card:"0..1"`
	ReferencedFile
}

// ObjectDetails are what Factur-X EXTENDED adds to an invoiced object (BT-18, BT-128).
type ObjectDetails struct {
	Group
	LineIdentifier Text `json:"lineIdentifier,omitzero" term:"Line of the object's document" type:"identifier" card:"0..1"`
	IssueDate      Date `json:"documentDate,omitzero" term:"Issue date of the object's document" card:"0..1"`
	ReferencedFile
}

// DocumentReferences are the references of the invoice as a whole.
type DocumentReferences struct {
	Group
	SalesOrder             *ReferenceDetails `json:"salesOrder,omitempty" term:"Details of the sales order" card:"0..1"`
	PurchaseOrder          *ReferenceDetails `json:"purchaseOrder,omitempty" term:"Details of the purchase order" card:"0..1"`
	Quotation              *Reference        `json:"quotation,omitempty" bt:"BG-X-61" term:"Quotation" card:"0..1"`
	Contract               *ReferenceDetails `json:"contract,omitempty" term:"Details of the contract" card:"0..1"`
	TenderOrLot            *TenderDetails    `json:"tenderOrLot,omitempty" term:"Details of the tender or lot" card:"0..1"`
	Additional             []Reference       `json:"additional,omitempty" term:"Additional document" card:"0..n"`
	UltimateCustomerOrders []Reference       `json:"ultimateCustomerOrders,omitempty" bt:"BG-X-23" term:"Order of the ultimate customer" card:"0..n"`
	DespatchAdvice         *ReferenceDetails `json:"despatchAdvice,omitempty" term:"Details of the despatch advice" card:"0..1"`
	ReceivingAdvice        *ReferenceDetails `json:"receivingAdvice,omitempty" term:"Details of the receiving advice" card:"0..1"`
	DeliveryNote           *Reference        `json:"deliveryNote,omitempty" bt:"BT-X-202" term:"Delivery note" card:"0..1"`
}

// LineReferences are the references of a line.
type LineReferences struct {
	Group
	SalesOrder             *Reference  `json:"salesOrder,omitempty" bt:"BG-X-81" term:"Sales order of the line" card:"0..1"`
	PurchaseOrder          *LineOrder  `json:"purchaseOrder,omitempty" term:"Purchase order of the line" card:"0..1"`
	Quotation              *Reference  `json:"quotation,omitempty" bt:"BG-X-47" term:"Quotation of the line" card:"0..1"`
	Contract               *Reference  `json:"contract,omitempty" bt:"BG-X-2" term:"Contract of the line" card:"0..1"`
	Additional             []Reference `json:"additional,omitempty" bt:"BG-X-3" term:"Additional document of the line" card:"0..n"`
	UltimateCustomerOrders []Reference `json:"ultimateCustomerOrders,omitempty" bt:"BG-X-5" term:"Order of the ultimate customer of the line" card:"0..n"`
	DespatchAdvice         *Reference  `json:"despatchAdvice,omitempty" bt:"BG-X-13" term:"Despatch advice of the line" card:"0..1"`
	ReceivingAdvice        *Reference  `json:"receivingAdvice,omitempty" bt:"BG-X-82" term:"Receiving advice of the line" card:"0..1"`
	DeliveryNote           *Reference  `json:"deliveryNote,omitempty" bt:"BG-X-83" term:"Delivery note of the line" card:"0..1"`
	PrecedingInvoice       *Reference  `json:"precedingInvoice,omitempty" bt:"BG-X-48" term:"Preceding invoice of the line" card:"0..1"`
	Objects                []Reference `json:"objects,omitempty" term:"Further object of the line" card:"0..n"`
}
