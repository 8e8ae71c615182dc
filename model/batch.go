package model

// BatchEntry is a document among the others of a job, for the rules whose contexts begin with
// /batch. It has what a job keeps of each document; the invoice itself is not at hand there.
type BatchEntry struct {
	Group
	BatchColumns
	Others      []BatchDocument  `json:"others,omitempty" term:"Other documents with the same seller and number, the first hundred of the job" card:"0..n"`
	OthersFound Number           `json:"othersFound,omitzero" term:"How many others there are" card:"1..1"`
	Preceding   []BatchReference `json:"preceding,omitempty" term:"Preceding invoices that the document names" card:"0..n"`
}

// BatchColumns are what a job keeps of a document.
type BatchColumns struct {
	File      Text   `json:"file,omitzero" term:"Name in the job" card:"1..1"`
	Seller    Text   `json:"seller,omitzero" term:"What identifies the seller: VAT, tax or legal identifier, electronic address or name, the first that is there" card:"0..1"`
	Number    Text   `json:"number,omitzero" term:"Invoice number (BT-1)" card:"0..1"`
	IssueDate Date   `json:"issueDate,omitzero" term:"Issue date (BT-2)" card:"0..1"`
	TypeCode  Text   `json:"typeCode,omitzero" term:"Invoice type code (BT-3)" card:"0..1"`
	Currency  Text   `json:"currency,omitzero" term:"Invoice currency code (BT-5)" card:"0..1"`
	Amount    Number `json:"amount,omitzero" term:"Invoice total amount with VAT (BT-112)" card:"0..1"`
}

// BatchDocument is another document of the job.
type BatchDocument struct {
	Group
	BatchColumns
}

// BatchReference is a preceding invoice that a document names, with the documents of the job
// that are it.
type BatchReference struct {
	Group
	Number Text            `json:"number,omitzero" term:"Preceding Invoice reference (BT-25)" card:"1..1"`
	Found  []BatchDocument `json:"found,omitempty" term:"Documents of the job with the same seller and this number, the first hundred" card:"0..n"`
}

// BatchType describes a document among the others of a job.
func BatchType() *Type { return TypeOf[BatchEntry]() }
