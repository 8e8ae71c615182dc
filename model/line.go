package model

// Line is BG-25. As a sub invoice line it is BG-DEX-01 of the XRechnung extension.
type Line struct {
	Group
	Identifier                 Text            `json:"identifier,omitzero" bt:"BT-126" term:"Invoice line identifier" type:"identifier" card:"1..1"`
	Note                       Text            `json:"note,omitzero" bt:"BT-127" term:"Invoice line note" card:"0..1"`
	Object                     *LineObject     `json:"object,omitempty" card:"0..1"`
	InvoicedQuantity           Number          `json:"invoicedQuantity,omitzero" bt:"BT-129" term:"Invoiced quantity" type:"quantity" card:"1..1"`
	InvoicedQuantityUnitCode   Text            `json:"invoicedQuantityUnitCode,omitzero" bt:"BT-130" term:"Invoiced quantity unit of measure code" type:"code" card:"1..1"`
	NetAmount                  Amount          `json:"netAmount,omitzero" bt:"BT-131" term:"Invoice line net amount" card:"1..1"`
	PurchaseOrderLineReference Text            `json:"purchaseOrderLineReference,omitzero" bt:"BT-132" term:"Referenced purchase order line reference" type:"reference" card:"0..1"`
	BuyerAccountingReference   Text            `json:"buyerAccountingReference,omitzero" bt:"BT-133" term:"Invoice line buyer accounting reference" card:"0..1"`
	Period                     *LinePeriod     `json:"period,omitempty" bt:"BG-26" term:"Invoice line period" card:"0..1"`
	Allowances                 []LineAllowance `json:"allowances,omitempty" bt:"BG-27" term:"Invoice line allowances" card:"0..n"`
	Charges                    []LineCharge    `json:"charges,omitempty" bt:"BG-28" term:"Invoice line charges" card:"0..n"`
	Price                      *Price          `json:"price,omitempty" bt:"BG-29" term:"Price details" card:"1..1"`
	Vat                        *LineVat        `json:"vat,omitempty" bt:"BG-30" term:"Line VAT information" card:"1..1"`
	Item                       *Item           `json:"item,omitempty" bt:"BG-31" term:"Item information" card:"1..1"`
	SubLines                   []Line          `json:"subLines,omitempty" bt:"BG-DEX-01" term:"Sub invoice line" card:"0..n"`

	// Terms of Factur-X EXTENDED.
	ParentLineIdentifier             Text                  `json:"parentLineIdentifier,omitzero" bt:"BT-X-304" term:"Identifier of the line that this line belongs to" type:"identifier" card:"0..1" ext:"EXTENDED"`
	StatusCode                       Text                  `json:"statusCode,omitzero" bt:"BT-X-7" term:"Invoice line type code" type:"code" card:"0..1" ext:"EXTENDED"`
	StatusReasonCode                 Text                  `json:"statusReasonCode,omitzero" bt:"BT-X-8" term:"Invoice line subtype: DETAIL, GROUP or INFORMATION" type:"code" card:"0..1" ext:"EXTENDED"`
	NoteContentCode                  Text                  `json:"noteContentCode,omitzero" bt:"BT-X-9" term:"Invoice line note as a code" type:"code" card:"0..1" ext:"EXTENDED"`
	NoteSubjectCode                  Text                  `json:"noteSubjectCode,omitzero" bt:"BT-X-10" term:"Invoice line note subject code" type:"code" card:"0..1" ext:"EXTENDED"`
	FurtherNotes                     []LineNote            `json:"furtherNotes,omitempty" term:"Further invoice line note" card:"0..n" ext:"EXTENDED"`
	References                       *LineReferences       `json:"references,omitempty" term:"References of the line" card:"0..1" ext:"EXTENDED"`
	Seller                           *Party                `json:"seller,omitempty" bt:"BG-X-90" term:"Seller of the item" card:"0..1" ext:"EXTENDED"`
	DeliveryTerms                    *DeliveryTerms        `json:"deliveryTerms,omitempty" bt:"BG-X-87" term:"Delivery terms of the line" card:"0..1" ext:"EXTENDED"`
	Delivery                         *LineDelivery         `json:"delivery,omitempty" term:"Delivery of the line" card:"0..1" ext:"EXTENDED"`
	FurtherTaxes                     []Tax                 `json:"furtherTaxes,omitempty" term:"Further tax of the line" card:"0..n" ext:"EXTENDED"`
	Totals                           *LineTotals           `json:"totals,omitempty" term:"Further totals of the line" card:"0..1" ext:"EXTENDED"`
	BuyerAccountingReferenceTypeCode Text                  `json:"buyerAccountingReferenceTypeCode,omitzero" bt:"BT-X-99" term:"Invoice line buyer accounting reference type code" type:"code" card:"0..1" ext:"EXTENDED"`
	FurtherBuyerAccountingReferences []AccountingReference `json:"furtherBuyerAccountingReferences,omitempty" term:"Further buyer accounting reference of the line" card:"0..n" ext:"EXTENDED"`
}

// LineObject is the invoiced object of a line.
type LineObject struct {
	Group
	Identifier Text           `json:"identifier,omitzero" bt:"BT-128" term:"Invoice line object identifier" type:"identifier" card:"0..1"`
	SchemeID   Text           `json:"schemeId,omitzero" bt:"BT-128-1" term:"Invoice line object identifier scheme identifier" type:"identifier" card:"0..1"`
	Details    *ObjectDetails `json:"details,omitempty" term:"Details of the invoice line object" card:"0..1" ext:"EXTENDED"`
}

// LinePeriod is BG-26.
type LinePeriod struct {
	Group
	StartDate    Date `json:"startDate,omitzero" bt:"BT-134" term:"Invoice line period start date" card:"0..1"`
	EndDate      Date `json:"endDate,omitzero" bt:"BT-135" term:"Invoice line period end date" card:"0..1"`
	Description  Text `json:"description,omitzero" term:"Invoice line period description" card:"0..1" ext:"EXTENDED"`
	CompleteDate Date `json:"completeDate,omitzero" term:"Invoice line period completion date" card:"0..1" ext:"EXTENDED"`
}

// LineAllowance is BG-27.
type LineAllowance struct {
	Group
	Amount     Amount                 `json:"amount,omitzero" bt:"BT-136" term:"Invoice line allowance amount" card:"1..1"`
	BaseAmount Amount                 `json:"baseAmount,omitzero" bt:"BT-137" term:"Invoice line allowance base amount" card:"0..1"`
	Percentage Number                 `json:"percentage,omitzero" bt:"BT-138" term:"Invoice line allowance percentage" type:"percentage" card:"0..1"`
	Reason     Text                   `json:"reason,omitzero" bt:"BT-139" term:"Invoice line allowance reason" card:"0..1"`
	ReasonCode Text                   `json:"reasonCode,omitzero" bt:"BT-140" term:"Invoice line allowance reason code" type:"code" card:"0..1"`
	Details    *LineAdjustmentDetails `json:"details,omitempty" term:"Details of the invoice line allowance" card:"0..1" ext:"EXTENDED"`
}

// LineCharge is BG-28.
type LineCharge struct {
	Group
	Amount     Amount                 `json:"amount,omitzero" bt:"BT-141" term:"Invoice line charge amount" card:"1..1"`
	BaseAmount Amount                 `json:"baseAmount,omitzero" bt:"BT-142" term:"Invoice line charge base amount" card:"0..1"`
	Percentage Number                 `json:"percentage,omitzero" bt:"BT-143" term:"Invoice line charge percentage" type:"percentage" card:"0..1"`
	Reason     Text                   `json:"reason,omitzero" bt:"BT-144" term:"Invoice line charge reason" card:"0..1"`
	ReasonCode Text                   `json:"reasonCode,omitzero" bt:"BT-145" term:"Invoice line charge reason code" type:"code" card:"0..1"`
	Details    *LineAdjustmentDetails `json:"details,omitempty" term:"Details of the invoice line charge" card:"0..1" ext:"EXTENDED"`
}

// Price is BG-29.
type Price struct {
	Group
	NetPrice               Amount        `json:"netPrice,omitzero" bt:"BT-146" term:"Item net price" type:"unit price" card:"1..1"`
	Discount               Amount        `json:"discount,omitzero" bt:"BT-147" term:"Item price discount" type:"unit price" card:"0..1"`
	GrossPrice             Amount        `json:"grossPrice,omitzero" bt:"BT-148" term:"Item gross price" type:"unit price" card:"0..1"`
	BaseQuantity           Number        `json:"baseQuantity,omitzero" bt:"BT-149" term:"Item price base quantity" type:"quantity" card:"0..1"`
	BaseQuantityUnitCode   Text          `json:"baseQuantityUnitCode,omitzero" bt:"BT-150" term:"Item price base quantity unit of measure code" type:"code" card:"0..1"`
	GrossPriceBaseQuantity *Quantity     `json:"grossPriceBaseQuantity,omitempty" term:"Base quantity of the gross price, where it differs from that of the net price" card:"0..1"`
	Details                *PriceDetails `json:"details,omitempty" term:"Further price details" card:"0..1" ext:"EXTENDED"`
}

// LineVat is BG-30.
type LineVat struct {
	Group
	CategoryCode Text        `json:"categoryCode,omitzero" bt:"BT-151" term:"Invoiced item VAT category code" type:"code" card:"1..1"`
	Rate         Number      `json:"rate,omitzero" bt:"BT-152" term:"Invoiced item VAT rate" type:"percentage" card:"0..1"`
	Details      *TaxDetails `json:"details,omitempty" term:"Further details of the VAT of the line" card:"0..1" ext:"EXTENDED"`
}

// Item is BG-31.
type Item struct {
	Group
	Name               Text                 `json:"name,omitzero" bt:"BT-153" term:"Item name" card:"1..1"`
	Description        Text                 `json:"description,omitzero" bt:"BT-154" term:"Item description" card:"0..1"`
	SellerIdentifier   Text                 `json:"sellerIdentifier,omitzero" bt:"BT-155" term:"Item Seller's identifier" type:"identifier" card:"0..1"`
	BuyerIdentifier    Text                 `json:"buyerIdentifier,omitzero" bt:"BT-156" term:"Item Buyer's identifier" type:"identifier" card:"0..1"`
	StandardIdentifier *StandardIdentifier  `json:"standardIdentifier,omitempty" card:"0..1"`
	Classifications    []ItemClassification `json:"classifications,omitempty" card:"0..n"`
	OriginCountryCode  Text                 `json:"originCountryCode,omitzero" bt:"BT-159" term:"Item country of origin" type:"code" card:"0..1"`
	Attributes         []ItemAttribute      `json:"attributes,omitempty" bt:"BG-32" term:"Item attributes" card:"0..n"`
	Details            *ItemDetails         `json:"details,omitempty" term:"Further item information" card:"0..1" ext:"EXTENDED"`
}

// StandardIdentifier identifies an item by a registered scheme.
type StandardIdentifier struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-157" term:"Item standard identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-157-1" term:"Item standard identifier scheme identifier" type:"identifier" card:"1..1"`
}

// ItemClassification classifies an item.
type ItemClassification struct {
	Group
	Identifier      Text `json:"identifier,omitzero" bt:"BT-158" term:"Item classification identifier" type:"identifier" card:"1..1"`
	SchemeID        Text `json:"schemeId,omitzero" bt:"BT-158-1" term:"Item classification identifier scheme identifier" type:"identifier" card:"1..1"`
	SchemeVersionID Text `json:"schemeVersionId,omitzero" bt:"BT-158-2" term:"Item classification identifier scheme version identifier" type:"identifier" card:"0..1"`
	Name            Text `json:"name,omitzero" bt:"BT-X-13" term:"Item classification name" card:"0..1" ext:"EXTENDED"`
}

// ItemAttribute is BG-32.
type ItemAttribute struct {
	Group
	Name     Text      `json:"name,omitzero" bt:"BT-160" term:"Item attribute name" card:"1..1"`
	Value    Text      `json:"value,omitzero" bt:"BT-161" term:"Item attribute value" card:"1..1"`
	TypeCode Text      `json:"typeCode,omitzero" bt:"BT-X-11" term:"Item attribute type code" type:"code" card:"0..1" ext:"EXTENDED"`
	Measure  *Quantity `json:"measure,omitempty" bt:"BT-X-12" term:"Item attribute value with a unit" card:"0..1" ext:"EXTENDED"`
}
