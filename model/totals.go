package model

// Totals is BG-22.
type Totals struct {
	Group
	SumOfLineNetAmounts                Amount `json:"sumOfLineNetAmounts,omitzero" bt:"BT-106" term:"Sum of invoice line net amount" card:"1..1"`
	SumOfAllowances                    Amount `json:"sumOfAllowances,omitzero" bt:"BT-107" term:"Sum of allowances on document level" card:"0..1"`
	SumOfCharges                       Amount `json:"sumOfCharges,omitzero" bt:"BT-108" term:"Sum of charges on document level" card:"0..1"`
	TotalAmountWithoutVat              Amount `json:"totalAmountWithoutVat,omitzero" bt:"BT-109" term:"Invoice total amount without VAT" card:"1..1"`
	TaxTotalAmount                     Amount `json:"taxTotalAmount,omitzero" bt:"BT-110" term:"Invoice total VAT amount" card:"0..1"`
	TaxTotalAmountInAccountingCurrency Amount `json:"taxTotalAmountInAccountingCurrency,omitzero" bt:"BT-111" term:"Invoice total VAT amount in accounting currency" card:"0..1"`
	TotalAmountWithVat                 Amount `json:"totalAmountWithVat,omitzero" bt:"BT-112" term:"Invoice total amount with VAT" card:"1..1"`
	PaidAmount                         Amount `json:"paidAmount,omitzero" bt:"BT-113" term:"Paid amount" card:"0..1"`
	RoundingAmount                     Amount `json:"roundingAmount,omitzero" bt:"BT-114" term:"Rounding amount" card:"0..1"`
	AmountDueForPayment                Amount `json:"amountDueForPayment,omitzero" bt:"BT-115" term:"Amount due for payment" card:"1..1"`
}

// VatBreakdown is BG-23.
type VatBreakdown struct {
	Group
	TaxableAmount             Amount `json:"taxableAmount,omitzero" bt:"BT-116" term:"VAT category taxable amount" card:"1..1"`
	TaxAmount                 Amount `json:"taxAmount,omitzero" bt:"BT-117" term:"VAT category tax amount" card:"1..1"`
	CategoryCode              Text   `json:"categoryCode,omitzero" bt:"BT-118" term:"VAT category code" type:"code" card:"1..1"`
	Rate                      Number `json:"rate,omitzero" bt:"BT-119" term:"VAT category rate" type:"percentage" card:"0..1"`
	ExemptionReasonText       Text   `json:"exemptionReasonText,omitzero" bt:"BT-120" term:"VAT exemption reason text" card:"0..1"`
	ExemptionReasonCode       Text   `json:"exemptionReasonCode,omitzero" bt:"BT-121" term:"VAT exemption reason code" type:"code" card:"0..1"`
	LineTotalBaseAmount       Amount `json:"lineTotalBaseAmount,omitzero" bt:"BT-X-262" term:"Line amounts within the taxable amount" card:"0..1" ext:"EXTENDED"`
	AllowanceChargeBaseAmount Amount `json:"allowanceChargeBaseAmount,omitzero" bt:"BT-X-263" term:"Allowances and charges within the taxable amount" card:"0..1" ext:"EXTENDED"`
}

// DocumentAllowance is BG-20.
type DocumentAllowance struct {
	Group
	Amount               Amount        `json:"amount,omitzero" bt:"BT-92" term:"Document level allowance amount" card:"1..1"`
	BaseAmount           Amount        `json:"baseAmount,omitzero" bt:"BT-93" term:"Document level allowance base amount" card:"0..1"`
	Percentage           Number        `json:"percentage,omitzero" bt:"BT-94" term:"Document level allowance percentage" type:"percentage" card:"0..1"`
	Vat                  *AllowanceVat `json:"vat,omitempty" card:"1..1"`
	Reason               Text          `json:"reason,omitzero" bt:"BT-97" term:"Document level allowance reason" card:"0..1"`
	ReasonCode           Text          `json:"reasonCode,omitzero" bt:"BT-98" term:"Document level allowance reason code" type:"code" card:"0..1"`
	Sequence             Number        `json:"sequence,omitzero" bt:"BT-X-265" term:"Document level allowance calculation sequence" type:"number" card:"0..1" ext:"EXTENDED"`
	BaseQuantity         Number        `json:"baseQuantity,omitzero" bt:"BT-X-266" term:"Document level allowance base quantity" type:"quantity" card:"0..1" ext:"EXTENDED"`
	BaseQuantityUnitCode Text          `json:"baseQuantityUnitCode,omitzero" bt:"BT-X-267" term:"Document level allowance base quantity unit of measure code" type:"code" card:"0..1" ext:"EXTENDED"`
}

// AllowanceVat is the VAT category of a document level allowance.
type AllowanceVat struct {
	Group
	CategoryCode Text        `json:"categoryCode,omitzero" bt:"BT-95" term:"Document level allowance VAT category code" type:"code" card:"1..1"`
	Rate         Number      `json:"rate,omitzero" bt:"BT-96" term:"Document level allowance VAT rate" type:"percentage" card:"0..1"`
	Details      *TaxDetails `json:"details,omitempty" term:"Further details of the VAT of the allowance" card:"0..1" ext:"EXTENDED"`
}

// DocumentCharge is BG-21.
type DocumentCharge struct {
	Group
	Amount               Amount     `json:"amount,omitzero" bt:"BT-99" term:"Document level charge amount" card:"1..1"`
	BaseAmount           Amount     `json:"baseAmount,omitzero" bt:"BT-100" term:"Document level charge base amount" card:"0..1"`
	Percentage           Number     `json:"percentage,omitzero" bt:"BT-101" term:"Document level charge percentage" type:"percentage" card:"0..1"`
	Vat                  *ChargeVat `json:"vat,omitempty" card:"1..1"`
	Reason               Text       `json:"reason,omitzero" bt:"BT-104" term:"Document level charge reason" card:"0..1"`
	ReasonCode           Text       `json:"reasonCode,omitzero" bt:"BT-105" term:"Document level charge reason code" type:"code" card:"0..1"`
	Sequence             Number     `json:"sequence,omitzero" bt:"BT-X-268" term:"Document level charge calculation sequence" type:"number" card:"0..1" ext:"EXTENDED"`
	BaseQuantity         Number     `json:"baseQuantity,omitzero" bt:"BT-X-269" term:"Document level charge base quantity" type:"quantity" card:"0..1" ext:"EXTENDED"`
	BaseQuantityUnitCode Text       `json:"baseQuantityUnitCode,omitzero" bt:"BT-X-270" term:"Document level charge base quantity unit of measure code" type:"code" card:"0..1" ext:"EXTENDED"`
}

// ChargeVat is the VAT category of a document level charge.
type ChargeVat struct {
	Group
	CategoryCode Text        `json:"categoryCode,omitzero" bt:"BT-102" term:"Document level charge VAT category code" type:"code" card:"1..1"`
	Rate         Number      `json:"rate,omitzero" bt:"BT-103" term:"Document level charge VAT rate" type:"percentage" card:"0..1"`
	Details      *TaxDetails `json:"details,omitempty" term:"Further details of the VAT of the charge" card:"0..1" ext:"EXTENDED"`
}
