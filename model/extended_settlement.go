package model

// EffectivePeriod is the period of BT-X-6.
type EffectivePeriod struct {
	Group
	Description  Text `json:"description,omitzero" term:"Period description" card:"0..1"`
	StartDate    Date `json:"startDate,omitzero" term:"Period start date" card:"0..1"`
	EndDate      Date `json:"endDate,omitzero" term:"Period end date" card:"0..1"`
	CompleteDate Date `json:"completeDate,omitzero" bt:"BT-X-6" term:"Contractual due date" card:"0..1"`
}

// DeliveryTerms are BG-X-22 or, of a line, BG-X-87.
type DeliveryTerms struct {
	Group
	TypeCode     Text `json:"typeCode,omitzero" bt:"BT-X-145" term:"Delivery terms code (Incoterms)" type:"code" card:"1..1"`
	CountryCode  Text `json:"countryCode,omitzero" bt:"BT-X-563" term:"Country code of the place of delivery" type:"code" card:"0..1"`
	LocationName Text `json:"locationName,omitzero" bt:"BT-X-564" term:"Place of delivery" card:"0..1"`
}

// TransportMode is BG-X-24.
type TransportMode struct {
	Group
	ModeCode Text `json:"modeCode,omitzero" bt:"BT-X-152" term:"Transport mode code" type:"code" card:"1..1"`
}

// CurrencyExchange is BG-X-41.
type CurrencyExchange struct {
	Group
	SourceCurrencyCode Text   `json:"sourceCurrencyCode,omitzero" bt:"BT-X-258" term:"Source currency code" type:"code" card:"1..1"`
	TargetCurrencyCode Text   `json:"targetCurrencyCode,omitzero" bt:"BT-X-259" term:"Target currency code" type:"code" card:"1..1"`
	Rate               Number `json:"exchangeRate,omitzero" bt:"BT-X-260" term:"Exchange rate" type:"number" card:"1..1"`
	Date               Date   `json:"exchangeDate,omitzero" bt:"BT-X-261" term:"Exchange rate date" card:"0..1"`
}

// LogisticsServiceCharge is BG-X-42: a charge for freight and the like. It is part of
// the sum of charges on document level (BT-108).
type LogisticsServiceCharge struct {
	Group
	Description  Text   `json:"description,omitzero" bt:"BT-X-271" term:"Logistics service charge description" card:"1..1"`
	Amount       Amount `json:"amount,omitzero" bt:"BT-X-272" term:"Logistics service charge amount" card:"1..1"`
	Vat          *Tax   `json:"vat,omitempty" bt:"BT-X-273-00" term:"Logistics service charge VAT" card:"1..1"`
	FurtherTaxes []Tax  `json:"furtherTaxes,omitempty" term:"Further logistics service charge VAT" card:"0..n"`
}

// PaymentTermsDetails are what Factur-X EXTENDED adds to the payment terms.
type PaymentTermsDetails struct {
	Group
	paymentConditions
}

// FurtherPaymentTerms are payment terms after the first, which are BT-20, BT-9 and BT-89
// with PaymentTermsDetails.
type FurtherPaymentTerms struct {
	Group
	Description      Text `json:"description,omitzero" bt:"BT-20" term:"Payment terms" card:"0..1"`
	DueDate          Date `json:"dueDate,omitzero" bt:"BT-9" term:"Payment due date" card:"0..1"`
	MandateReference Text `json:"mandateReference,omitzero" bt:"BT-89" term:"Mandate reference identifier" type:"identifier" card:"0..1"`
	paymentConditions
}

type paymentConditions struct {
	PartialPaymentAmount Amount            `json:"partialPaymentAmount,omitzero" bt:"BT-X-275" term:"Amount of the partial payment" card:"0..1"`
	Penalty              *PaymentCondition `json:"penalty,omitempty" bt:"BG-X-43" term:"Penalty for late payment" card:"0..1"`
	Discount             *PaymentCondition `json:"earlyPaymentDiscount,omitempty" bt:"BG-X-44" term:"Discount for early payment" card:"0..1"`
	Payee                *Party            `json:"payee,omitempty" bt:"BG-X-77" term:"Payee of these payment terms" card:"0..1"`
}

// PaymentCondition is a penalty for late payment (BG-X-43) or a discount for early
// payment (BG-X-44).
type PaymentCondition struct {
	Group
	BaseDate       Date   `json:"baseDate,omitzero" term:"Day that the period begins on" card:"0..1"`
	Period         Number `json:"periodLength,omitzero" term:"Length of the period" type:"quantity" card:"0..1"`
	PeriodUnitCode Text   `json:"periodUnitCode,omitzero" term:"Unit of the period" type:"code" card:"0..1"`
	BaseAmount     Amount `json:"baseAmount,omitzero" term:"Base amount" card:"0..1"`
	Percentage     Number `json:"percentage,omitzero" term:"Percentage" type:"percentage" card:"0..1"`
	Amount         Amount `json:"amount,omitzero" term:"Amount" card:"0..1"`
}

// AccountingReference is a buyer accounting reference after the first, which is BT-19
// or, of a line, BT-133.
type AccountingReference struct {
	Group
	Identifier Text `json:"identifier,omitzero" term:"Buyer accounting reference" card:"1..1"`
	TypeCode   Text `json:"typeCode,omitzero" term:"Buyer accounting reference type code" type:"code" card:"0..1"`
}

// AdvancePayment is BG-X-45.
type AdvancePayment struct {
	Group
	Amount           Amount     `json:"amount,omitzero" bt:"BT-X-291" term:"Advance payment amount" card:"1..1"`
	ReceivedDate     Date       `json:"receivedDate,omitzero" bt:"BT-X-292" term:"Day on which the advance payment was received" card:"0..1"`
	Taxes            []Tax      `json:"taxes,omitempty" bt:"BG-X-46" term:"Advance payment VAT" card:"1..n"`
	PrecedingInvoice *Reference `json:"precedingInvoice,omitempty" bt:"BG-X-85" term:"Invoice of the advance payment" card:"0..1"`
}

// Tax is the VAT of something that has none in EN 16931.
type Tax struct {
	Group
	CategoryCode Text   `json:"categoryCode,omitzero" term:"VAT category code" type:"code" card:"0..1"`
	Rate         Number `json:"rate,omitzero" term:"VAT rate" type:"percentage" card:"0..1"`
	taxDetails
}

// TaxDetails are what Factur-X EXTENDED adds to the VAT of a line, an allowance or a
// charge.
type TaxDetails struct {
	Group
	taxDetails
}

type taxDetails struct {
	TaxAmount                 Amount `json:"taxAmount,omitzero" term:"VAT amount" card:"0..1"`
	TaxableAmount             Amount `json:"taxableAmount,omitzero" term:"Taxable amount" card:"0..1"`
	LineTotalBaseAmount       Amount `json:"lineTotalBaseAmount,omitzero" term:"Line amounts within the taxable amount" card:"0..1"`
	AllowanceChargeBaseAmount Amount `json:"allowanceChargeBaseAmount,omitzero" term:"Allowances and charges within the taxable amount" card:"0..1"`
	ExemptionReasonText       Text   `json:"exemptionReasonText,omitzero" term:"Exemption reason text" card:"0..1"`
	ExemptionReasonCode       Text   `json:"exemptionReasonCode,omitzero" term:"Exemption reason code" type:"code" card:"0..1"`
	VatPointDate              Date   `json:"vatPointDate,omitzero" term:"VAT point date" card:"0..1"`
	VatPointDateCode          Text   `json:"vatPointDateCode,omitzero" term:"VAT point date code" type:"code" card:"0..1"`
}

// FinancialAdjustment is BG-34: an amount that is due beside the invoice because it is
// collected for a third party. The XRechnung extension has ThirdPartyPayment for it.
type FinancialAdjustment struct {
	Group
	Reason Text   `json:"reason,omitzero" bt:"BT-180" term:"Reason for the amount" card:"1..1"`
	Amount Amount `json:"amount,omitzero" bt:"BT-179" term:"Amount for the third party" card:"1..1"`
}
