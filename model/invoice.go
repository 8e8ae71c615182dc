package model

// Invoice is the invoice as a whole. The fields are in the order of the standard.
type Invoice struct {
	Group
	Number                    Text       `json:"number,omitzero" bt:"BT-1" term:"Invoice number" type:"identifier" card:"1..1"`
	IssueDate                 Date       `json:"issueDate,omitzero" bt:"BT-2" term:"Invoice issue date" card:"1..1"`
	TypeCode                  Text       `json:"typeCode,omitzero" bt:"BT-3" term:"Invoice type code" type:"code" card:"1..1"`
	CurrencyCode              Text       `json:"currencyCode,omitzero" bt:"BT-5" term:"Invoice currency code" type:"code" card:"1..1"`
	VatAccountingCurrencyCode Text       `json:"vatAccountingCurrencyCode,omitzero" bt:"BT-6" term:"VAT accounting currency code" type:"code" card:"0..1"`
	VatPointDate              Date       `json:"vatPointDate,omitzero" bt:"BT-7" term:"Value added tax point date" card:"0..1"`
	VatPointDateCode          Text       `json:"vatPointDateCode,omitzero" bt:"BT-8" term:"Value added tax point date code" type:"code" card:"0..1"`
	PaymentDueDate            Date       `json:"paymentDueDate,omitzero" bt:"BT-9" term:"Payment due date" card:"0..1"`
	BuyerReference            Text       `json:"buyerReference,omitzero" bt:"BT-10" term:"Buyer reference" card:"0..1"`
	ProjectReference          Text       `json:"projectReference,omitzero" bt:"BT-11" term:"Project reference" type:"reference" card:"0..1"`
	ProjectName               Text       `json:"projectName,omitzero" bt:"BT-11-0" term:"Project name" card:"0..1"`
	ContractReference         Text       `json:"contractReference,omitzero" bt:"BT-12" term:"Contract reference" type:"reference" card:"0..1"`
	PurchaseOrderReference    Text       `json:"purchaseOrderReference,omitzero" bt:"BT-13" term:"Purchase order reference" type:"reference" card:"0..1"`
	SalesOrderReference       Text       `json:"salesOrderReference,omitzero" bt:"BT-14" term:"Sales order reference" type:"reference" card:"0..1"`
	ReceivingAdviceReference  Text       `json:"receivingAdviceReference,omitzero" bt:"BT-15" term:"Receiving advice reference" type:"reference" card:"0..1"`
	DespatchAdviceReference   Text       `json:"despatchAdviceReference,omitzero" bt:"BT-16" term:"Despatch advice reference" type:"reference" card:"0..1"`
	TenderOrLotReference      Text       `json:"tenderOrLotReference,omitzero" bt:"BT-17" term:"Tender or lot reference" type:"reference" card:"0..1"`
	InvoicedObject            *ObjectRef `json:"invoicedObject,omitempty" card:"0..1"`
	BuyerAccountingReference  Text       `json:"buyerAccountingReference,omitzero" bt:"BT-19" term:"Buyer accounting reference" card:"0..1"`
	PaymentTerms              Text       `json:"paymentTerms,omitzero" bt:"BT-20" term:"Payment terms" card:"0..1"`

	Notes               []Note              `json:"notes,omitempty" bt:"BG-1" term:"Invoice note" card:"0..n"`
	BusinessProcessType Text                `json:"businessProcessType,omitzero" bt:"BT-23" term:"Business process type" card:"0..1"`
	SpecificationID     Text                `json:"specificationId,omitzero" bt:"BT-24" term:"Specification identifier" type:"identifier" card:"1..1"`
	PrecedingInvoices   []PrecedingInvoice  `json:"precedingInvoices,omitempty" bt:"BG-3" term:"Preceding invoice reference" card:"0..n"`
	Seller              *Seller             `json:"seller,omitempty" bt:"BG-4" term:"Seller" card:"1..1"`
	Buyer               *Buyer              `json:"buyer,omitempty" bt:"BG-7" term:"Buyer" card:"1..1"`
	Payee               *Payee              `json:"payee,omitempty" bt:"BG-10" term:"Payee" card:"0..1"`
	TaxRepresentative   *TaxRepresentative  `json:"sellerTaxRepresentative,omitempty" bt:"BG-11" term:"Seller tax representative party" card:"0..1"`
	Delivery            *Delivery           `json:"delivery,omitempty" bt:"BG-13" term:"Delivery information" card:"0..1"`
	InvoicingPeriod     *InvoicingPeriod    `json:"invoicingPeriod,omitempty" bt:"BG-14" term:"Invoicing period" card:"0..1"`
	Payment             *Payment            `json:"paymentInstructions,omitempty" bt:"BG-16" term:"Payment instructions" card:"0..1"`
	Allowances          []DocumentAllowance `json:"allowances,omitempty" bt:"BG-20" term:"Document level allowances" card:"0..n"`
	Charges             []DocumentCharge    `json:"charges,omitempty" bt:"BG-21" term:"Document level charges" card:"0..n"`
	Totals              *Totals             `json:"totals,omitempty" bt:"BG-22" term:"Document totals" card:"1..1"`
	ThirdPartyPayments  []ThirdPartyPayment `json:"thirdPartyPayments,omitempty" bt:"BG-DEX-09" term:"Third party payment" card:"0..n"`
	VatBreakdowns       []VatBreakdown      `json:"vatBreakdowns,omitempty" bt:"BG-23" term:"VAT breakdown" card:"1..n"`
	SupportingDocuments []SupportingDoc     `json:"supportingDocuments,omitempty" bt:"BG-24" term:"Additional supporting documents" card:"0..n"`
	Lines               []Line              `json:"lines,omitempty" bt:"BG-25" term:"Invoice line" card:"1..n"`

	// Terms of Factur-X EXTENDED.
	TestIndicator                    Text                     `json:"testIndicator,omitzero" bt:"BT-X-1" term:"Test indicator, true or false" type:"indicator" card:"0..1" ext:"EXTENDED"`
	DocumentName                     Text                     `json:"documentName,omitzero" bt:"BT-X-2" term:"Document name" card:"0..1" ext:"EXTENDED"`
	CopyIndicator                    Text                     `json:"copyIndicator,omitzero" bt:"BT-X-3" term:"Copy indicator, true or false" type:"indicator" card:"0..1" ext:"EXTENDED"`
	LanguageCode                     Text                     `json:"languageCode,omitzero" bt:"BT-X-4" term:"Invoice language code" type:"code" card:"0..1" ext:"EXTENDED"`
	EffectivePeriod                  *EffectivePeriod         `json:"effectivePeriod,omitempty" term:"Period in which the invoice takes effect" card:"0..1" ext:"EXTENDED"`
	SellerReference                  Text                     `json:"sellerReference,omitzero" bt:"BT-X-204" term:"Reference of the invoice issuer" card:"0..1" ext:"EXTENDED"`
	References                       *DocumentReferences      `json:"references,omitempty" term:"Further references" card:"0..1" ext:"EXTENDED"`
	SalesAgent                       *Party                   `json:"salesAgent,omitempty" bt:"BG-X-49" term:"Sales agent of the seller" card:"0..1" ext:"EXTENDED"`
	BuyerTaxRepresentative           *Party                   `json:"buyerTaxRepresentative,omitempty" bt:"BG-X-54" term:"Buyer tax representative" card:"0..1" ext:"EXTENDED"`
	ProductEndUser                   *Party                   `json:"productEndUser,omitempty" bt:"BG-X-18" term:"End user of the products" card:"0..1" ext:"EXTENDED"`
	BuyerAgent                       *Party                   `json:"buyerAgent,omitempty" bt:"BG-X-62" term:"Agent of the buyer" card:"0..1" ext:"EXTENDED"`
	DeliveryTerms                    *DeliveryTerms           `json:"deliveryTerms,omitempty" bt:"BG-X-22" term:"Delivery terms" card:"0..1" ext:"EXTENDED"`
	TransportModes                   []TransportMode          `json:"transportModes,omitempty" bt:"BG-X-24" term:"Transport mode" card:"0..n" ext:"EXTENDED"`
	UltimateShipTo                   *Party                   `json:"ultimateShipTo,omitempty" bt:"BG-X-27" term:"Ultimate recipient of the goods" card:"0..1" ext:"EXTENDED"`
	ShipFrom                         *Party                   `json:"shipFrom,omitempty" bt:"BG-X-30" term:"Sender of the goods" card:"0..1" ext:"EXTENDED"`
	Invoicer                         *Party                   `json:"invoicer,omitempty" bt:"BG-X-33" term:"Invoicer" card:"0..1" ext:"EXTENDED"`
	Invoicee                         *Party                   `json:"invoicee,omitempty" bt:"BG-X-36" term:"Invoicee" card:"0..1" ext:"EXTENDED"`
	Payer                            *Party                   `json:"payer,omitempty" bt:"BG-X-73" term:"Payer" card:"0..1" ext:"EXTENDED"`
	TaxCurrencyExchange              *CurrencyExchange        `json:"taxCurrencyExchange,omitempty" bt:"BG-X-41" term:"Currency exchange of the VAT" card:"0..1" ext:"EXTENDED"`
	LogisticsServiceCharges          []LogisticsServiceCharge `json:"logisticsServiceCharges,omitempty" bt:"BG-X-42" term:"Logistics service charge" card:"0..n" ext:"EXTENDED"`
	PaymentTermsDetails              *PaymentTermsDetails     `json:"paymentTermsDetails,omitempty" term:"Details of the payment terms" card:"0..1" ext:"EXTENDED"`
	FurtherPaymentTerms              []FurtherPaymentTerms    `json:"furtherPaymentTerms,omitempty" term:"Further payment terms" card:"0..n" ext:"EXTENDED"`
	BuyerAccountingReferenceTypeCode Text                     `json:"buyerAccountingReferenceTypeCode,omitzero" bt:"BT-X-290" term:"Buyer accounting reference type code" type:"code" card:"0..1" ext:"EXTENDED"`
	FurtherBuyerAccountingReferences []AccountingReference    `json:"furtherBuyerAccountingReferences,omitempty" term:"Further buyer accounting reference" card:"0..n" ext:"EXTENDED"`
	FinancialAdjustments             []FinancialAdjustment    `json:"financialAdjustments,omitempty" bt:"BG-34" term:"Amount that is collected for a third party" card:"0..n" ext:"EXTENDED"`
	AdvancePayments                  []AdvancePayment         `json:"advancePayments,omitempty" bt:"BG-X-45" term:"Advance payment" card:"0..n" ext:"EXTENDED"`
}

// ObjectRef is the invoiced object of the whole invoice.
type ObjectRef struct {
	Group
	Identifier Text           `json:"identifier,omitzero" bt:"BT-18" term:"Invoiced object identifier" type:"identifier" card:"0..1"`
	SchemeID   Text           `json:"schemeId,omitzero" bt:"BT-18-1" term:"Invoiced object identifier scheme identifier" type:"identifier" card:"0..1"`
	Details    *ObjectDetails `json:"details,omitempty" term:"Details of the invoiced object" card:"0..1" ext:"EXTENDED"`
}

// Note is BG-1.
type Note struct {
	Group
	SubjectCode Text `json:"subjectCode,omitzero" bt:"BT-21" term:"Invoice note subject code" type:"code" card:"0..1"`
	Text        Text `json:"text,omitzero" bt:"BT-22" term:"Invoice note" card:"1..1"`
	ContentCode Text `json:"contentCode,omitzero" bt:"BT-X-5" term:"Invoice note as a code" type:"code" card:"0..1" ext:"EXTENDED"`
}

// PrecedingInvoice is BG-3.
type PrecedingInvoice struct {
	Group
	Reference Text                     `json:"reference,omitzero" bt:"BT-25" term:"Preceding invoice reference" type:"reference" card:"1..1"`
	IssueDate Date                     `json:"issueDate,omitzero" bt:"BT-26" term:"Preceding invoice issue date" card:"0..1"`
	Details   *PrecedingInvoiceDetails `json:"details,omitempty" term:"Details of the preceding invoice" card:"0..1" ext:"EXTENDED"`
}

// Delivery is BG-13. The invoicing period (BG-14), which the standard places inside it,
// is a field of Invoice here, because an invoice can have either without the other.
type Delivery struct {
	Group
	PartyName          Text              `json:"partyName,omitzero" bt:"BT-70" term:"Deliver to party name" card:"0..1"`
	LocationIdentifier *DeliveryLocation `json:"locationIdentifier,omitempty" card:"0..1"`
	ActualDate         Date              `json:"actualDeliveryDate,omitzero" bt:"BT-72" term:"Actual delivery date" card:"0..1"`
	Address            *DeliverToAddress `json:"address,omitempty" bt:"BG-15" term:"Deliver to address" card:"0..1"`
	FurtherIdentifiers []PartyIdentifier `json:"furtherIdentifiers,omitempty" term:"Further deliver to location identifier" card:"0..n" ext:"EXTENDED"`
	Details            *DeliveryParty    `json:"details,omitempty" term:"Details of the deliver to party" card:"0..1" ext:"EXTENDED"`
}

// DeliveryLocation identifies the location that goods or services are delivered to.
type DeliveryLocation struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-71" term:"Deliver to location identifier" type:"identifier" card:"0..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-71-1" term:"Deliver to location identifier scheme identifier" type:"identifier" card:"0..1"`
}

// InvoicingPeriod is BG-14.
type InvoicingPeriod struct {
	Group
	StartDate    Date `json:"startDate,omitzero" bt:"BT-73" term:"Invoicing period start date" card:"0..1"`
	EndDate      Date `json:"endDate,omitzero" bt:"BT-74" term:"Invoicing period end date" card:"0..1"`
	Description  Text `json:"description,omitzero" bt:"BT-X-264" term:"Invoicing period description" card:"0..1" ext:"EXTENDED"`
	CompleteDate Date `json:"completeDate,omitzero" term:"Invoicing period completion date" card:"0..1" ext:"EXTENDED"`
}

// SupportingDoc is BG-24.
type SupportingDoc struct {
	Group
	Reference          Text   `json:"reference,omitzero" bt:"BT-122" term:"Supporting document reference" type:"reference" card:"1..1"`
	Description        Text   `json:"description,omitzero" bt:"BT-123" term:"Supporting document description" card:"0..1"`
	ExternalLocation   Text   `json:"externalLocation,omitzero" bt:"BT-124" term:"External document location" card:"0..1"`
	Attachment         Binary `json:"attachment,omitzero" bt:"BT-125" term:"Attached document" card:"0..1"`
	AttachmentMimeCode Text   `json:"attachmentMimeCode,omitzero" bt:"BT-125-1" term:"Attached document MIME code" type:"code" card:"0..1"`
	AttachmentFileName Text   `json:"attachmentFileName,omitzero" bt:"BT-125-2" term:"Attached document file name" card:"0..1"`
	LineIdentifier     Text   `json:"lineIdentifier,omitzero" term:"Line of the supporting document" type:"identifier" card:"0..1" ext:"EXTENDED"`
	ReferenceTypeCode  Text   `json:"referenceTypeCode,omitzero" term:"Supporting document reference type code" type:"code" card:"0..1" ext:"EXTENDED"`
	IssueDate          Date   `json:"documentDate,omitzero" bt:"BT-X-149" term:"Supporting document issue date" card:"0..1" ext:"EXTENDED"`
}
