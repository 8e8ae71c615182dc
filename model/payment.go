package model

// Payment is BG-16. The standard has one payment means type per invoice, but both
// syntaxes allow several. The terms that repeat with it are in Means.
type Payment struct {
	Group
	RemittanceInformation Text           `json:"remittanceInformation,omitzero" bt:"BT-83" term:"Remittance information" card:"0..1"`
	Means                 []PaymentMeans `json:"means,omitempty" card:"1..n"`
	DirectDebit           *DirectDebit   `json:"directDebit,omitempty" bt:"BG-19" term:"Direct debit" card:"0..1"`
}

// PaymentMeans is one way to pay.
type PaymentMeans struct {
	Group
	TypeCode        Text             `json:"typeCode,omitzero" bt:"BT-81" term:"Payment means type code" type:"code" card:"1..1"`
	Text            Text             `json:"text,omitzero" bt:"BT-82" term:"Payment means text" card:"0..1"`
	CreditTransfers []CreditTransfer `json:"creditTransfers,omitempty" bt:"BG-17" term:"Credit transfer" card:"0..n"`
	Card            *PaymentCard     `json:"paymentCard,omitempty" bt:"BG-18" term:"Payment card information" card:"0..1"`
}

// CreditTransfer is BG-17.
type CreditTransfer struct {
	Group
	AccountIdentifier         Text `json:"accountIdentifier,omitzero" bt:"BT-84" term:"Payment account identifier" type:"identifier" card:"1..1"`
	AccountSchemeID           Text `json:"accountSchemeId,omitzero" bt:"BT-84-1" term:"Payment account identifier scheme identifier" type:"identifier" card:"0..1"`
	AccountName               Text `json:"accountName,omitzero" bt:"BT-85" term:"Payment account name" card:"0..1"`
	ServiceProviderIdentifier Text `json:"serviceProviderIdentifier,omitzero" bt:"BT-86" term:"Payment service provider identifier" type:"identifier" card:"0..1"`
}

// PaymentCard is BG-18.
type PaymentCard struct {
	Group
	PrimaryAccountNumber Text `json:"primaryAccountNumber,omitzero" bt:"BT-87" term:"Payment card primary account number" card:"1..1"`
	HolderName           Text `json:"holderName,omitzero" bt:"BT-88" term:"Payment card holder name" card:"0..1"`
}

// DirectDebit is BG-19.
type DirectDebit struct {
	Group
	MandateReference                 Text `json:"mandateReference,omitzero" bt:"BT-89" term:"Mandate reference identifier" type:"identifier" card:"0..1"`
	CreditorIdentifier               Text `json:"creditorIdentifier,omitzero" bt:"BT-90" term:"Bank assigned creditor identifier" type:"identifier" card:"0..1"`
	DebitedAccountIdentifier         Text `json:"debitedAccountIdentifier,omitzero" bt:"BT-91" term:"Debited account identifier" type:"identifier" card:"0..1"`
	DebitedAccountName               Text `json:"debitedAccountName,omitzero" bt:"BT-216" term:"Debited account name" card:"0..1" ext:"EXTENDED"`
	DebitedServiceProviderIdentifier Text `json:"debitedServiceProviderIdentifier,omitzero" bt:"BT-215" term:"Payment service provider identifier of the debited account" type:"identifier" card:"0..1" ext:"EXTENDED"`
}

// ThirdPartyPayment is BG-DEX-09 of the XRechnung extension.
type ThirdPartyPayment struct {
	Group
	Type        Text   `json:"type,omitzero" bt:"BT-DEX-001" term:"Third party payment type" card:"1..1"`
	Amount      Amount `json:"amount,omitzero" bt:"BT-DEX-002" term:"Third party payment amount" card:"1..1"`
	Description Text   `json:"description,omitzero" bt:"BT-DEX-003" term:"Third party payment description" card:"1..1"`
}
