package model

// LineNote is a note of a line after the first, which is BT-127.
type LineNote struct {
	Group
	SubjectCode Text `json:"subjectCode,omitzero" bt:"BT-X-10" term:"Invoice line note subject code" type:"code" card:"0..1"`
	Text        Text `json:"text,omitzero" bt:"BT-127" term:"Invoice line note" card:"0..1"`
	ContentCode Text `json:"contentCode,omitzero" bt:"BT-X-9" term:"Invoice line note as a code" type:"code" card:"0..1"`
}

// LineDelivery is what Factur-X EXTENDED says of the delivery of a line.
type LineDelivery struct {
	Group
	ChargeFreeQuantity *Quantity `json:"chargeFreeQuantity,omitempty" bt:"BT-X-46" term:"Quantity that is free of charge" card:"0..1"`
	PackageQuantity    *Quantity `json:"packageQuantity,omitempty" bt:"BT-X-47" term:"Number of packages" card:"0..1"`
	QuantityPerPackage *Quantity `json:"quantityPerPackage,omitempty" bt:"BT-X-561" term:"Quantity in each package" card:"0..1"`
	ShipTo             *Party    `json:"shipTo,omitempty" bt:"BG-X-7" term:"Recipient of the line" card:"0..1"`
	UltimateShipTo     *Party    `json:"ultimateShipTo,omitempty" bt:"BG-X-10" term:"Ultimate recipient of the line" card:"0..1"`
	ActualDate         Date      `json:"actualDeliveryDate,omitzero" bt:"BT-X-85" term:"Actual delivery date of the line" card:"0..1"`
}

// Quantity is a quantity with its unit.
type Quantity struct {
	Group
	Quantity Number `json:"quantity,omitzero" term:"Quantity" type:"quantity" card:"1..1"`
	UnitCode Text   `json:"unitCode,omitzero" term:"Unit of measure code" type:"code" card:"0..1"`
}

// LineTotals are the totals of a line besides its net amount (BT-131).
type LineTotals struct {
	Group
	SumOfCharges              Amount    `json:"sumOfCharges,omitzero" bt:"BT-X-327" term:"Sum of the charges of the line" card:"0..1"`
	SumOfAllowances           Amount    `json:"sumOfAllowances,omitzero" bt:"BT-X-328" term:"Sum of the allowances of the line" card:"0..1"`
	TaxTotals                 []LineTax `json:"taxTotals,omitempty" term:"Total VAT of the line in a currency" card:"0..2"`
	TotalAmountWithVat        Amount    `json:"totalAmountWithVat,omitzero" bt:"BT-X-330" term:"Total amount of the line with VAT" card:"0..1"`
	SumOfAllowancesAndCharges Amount    `json:"sumOfAllowancesAndCharges,omitzero" bt:"BT-X-98" term:"Sum of the allowances and charges of the line" card:"0..1"`
}

// LineTax is the VAT of a line in one currency.
type LineTax struct {
	Group
	TaxTotalAmount Amount `json:"taxTotalAmount,omitzero" bt:"BT-X-329" term:"Total VAT of the line" card:"1..1"`
}

// LineAdjustmentDetails are what Factur-X EXTENDED adds to an allowance or charge of a
// line (BG-27, BG-28).
type LineAdjustmentDetails struct {
	Group
	Sequence             Number `json:"sequence,omitzero" term:"Calculation sequence" type:"number" card:"0..1"`
	BaseQuantity         Number `json:"baseQuantity,omitzero" term:"Base quantity" type:"quantity" card:"0..1"`
	BaseQuantityUnitCode Text   `json:"baseQuantityUnitCode,omitzero" term:"Base quantity unit of measure code" type:"code" card:"0..1"`
	Tax                  *Tax   `json:"tax,omitempty" term:"Tax" card:"0..1"`
}

// PriceDetails are what Factur-X EXTENDED adds to the price of an item (BG-29).
type PriceDetails struct {
	Group
	Discount            *DiscountDetails  `json:"discount,omitempty" term:"Details of the item price discount" card:"0..1"`
	FurtherAdjustments  []PriceAdjustment `json:"furtherAdjustments,omitempty" term:"Further discount or charge on the gross price" card:"0..n"`
	GrossPriceTax       *Tax              `json:"grossPriceTax,omitempty" term:"Tax in the gross price" card:"0..1"`
	NetPriceAdjustments []PriceAdjustment `json:"netPriceAdjustments,omitempty" term:"Discount or charge on the net price" card:"0..n"`
	NetPriceTax         *Tax              `json:"netPriceTax,omitempty" bt:"BG-X-4" term:"Tax in the net price" card:"0..1"`
}

// DiscountDetails are how a discount or charge on a price is computed, and why.
type DiscountDetails struct {
	Group
	adjustmentDetails
}

// PriceAdjustment is a discount or charge on a price besides the first discount, which
// is BT-147.
type PriceAdjustment struct {
	Group
	ChargeIndicator Text   `json:"chargeIndicator,omitzero" term:"Charge indicator: true for a charge, false for a discount" type:"indicator" card:"1..1"`
	Amount          Amount `json:"amount,omitzero" term:"Amount" type:"unit price" card:"1..1"`
	adjustmentDetails
}

type adjustmentDetails struct {
	Sequence             Number `json:"sequence,omitzero" term:"Calculation sequence" type:"number" card:"0..1"`
	Percentage           Number `json:"percentage,omitzero" bt:"BT-X-34" term:"Percentage" type:"percentage" card:"0..1"`
	BaseAmount           Amount `json:"baseAmount,omitzero" bt:"BT-X-35" term:"Base amount" card:"0..1"`
	BaseQuantity         Number `json:"baseQuantity,omitzero" term:"Base quantity" type:"quantity" card:"0..1"`
	BaseQuantityUnitCode Text   `json:"baseQuantityUnitCode,omitzero" term:"Base quantity unit of measure code" type:"code" card:"0..1"`
	ReasonCode           Text   `json:"reasonCode,omitzero" bt:"BT-X-313" term:"Reason code" type:"code" card:"0..1"`
	Reason               Text   `json:"reason,omitzero" bt:"BT-X-36" term:"Reason" card:"0..1"`
	Tax                  *Tax   `json:"tax,omitempty" term:"Tax" card:"0..1"`
}

// ItemDetails are what Factur-X EXTENDED adds to an item (BG-31).
type ItemDetails struct {
	Group
	Identifier         Text           `json:"identifier,omitzero" bt:"BT-X-305" term:"Item identifier" type:"identifier" card:"0..1"`
	IndustryIdentifier Text           `json:"industryIdentifier,omitzero" bt:"BT-X-532" term:"Item identifier of the industry" type:"identifier" card:"0..1"`
	ModelIdentifier    Text           `json:"modelIdentifier,omitzero" bt:"BT-X-533" term:"Item model identifier" type:"identifier" card:"0..1"`
	ModelName          Text           `json:"modelName,omitzero" bt:"BT-X-536" term:"Item model name" card:"0..1"`
	BrandName          Text           `json:"brandName,omitzero" bt:"BT-X-535" term:"Item brand name" card:"0..1"`
	Batches            []Batch        `json:"batches,omitempty" term:"Batch of the item" card:"0..n"`
	Instances          []ItemInstance `json:"instances,omitempty" bt:"BG-X-84" term:"Individual item" card:"0..n"`
	Manufacturer       *Party         `json:"manufacturer,omitempty" term:"Manufacturer of the item" card:"0..1"`
	Components         []Component    `json:"components,omitempty" bt:"BG-X-1" term:"Item that is included" card:"0..n"`
}

// Batch is a batch that items belong to.
type Batch struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-X-534" term:"Batch identifier" type:"identifier" card:"1..1"`
}

// ItemInstance is BG-X-84.
type ItemInstance struct {
	Group
	BatchIdentifier  Text `json:"batchIdentifier,omitzero" bt:"BT-X-306" term:"Batch identifier of the individual item" type:"identifier" card:"0..1"`
	SerialIdentifier Text `json:"serialIdentifier,omitzero" bt:"BT-X-307" term:"Serial number of the individual item" type:"identifier" card:"0..1"`
}

// Component is BG-X-1.
type Component struct {
	Group
	Identifier          Text                  `json:"identifier,omitzero" bt:"BT-X-308" term:"Included item identifier" type:"identifier" card:"0..1"`
	StandardIdentifiers []ComponentIdentifier `json:"standardIdentifiers,omitempty" term:"Included item standard identifier" card:"0..n"`
	SellerIdentifier    Text                  `json:"sellerIdentifier,omitzero" bt:"BT-X-16" term:"Included item Seller's identifier" type:"identifier" card:"0..1"`
	BuyerIdentifier     Text                  `json:"buyerIdentifier,omitzero" bt:"BT-X-17" term:"Included item Buyer's identifier" type:"identifier" card:"0..1"`
	IndustryIdentifier  Text                  `json:"industryIdentifier,omitzero" bt:"BT-X-309" term:"Included item identifier of the industry" type:"identifier" card:"0..1"`
	Name                Text                  `json:"name,omitzero" bt:"BT-X-18" term:"Included item name" card:"1..1"`
	Description         Text                  `json:"description,omitzero" bt:"BT-X-19" term:"Included item description" card:"0..1"`
	Quantity            Number                `json:"quantity,omitzero" bt:"BT-X-20" term:"Included item quantity" type:"quantity" card:"0..1"`
	UnitCode            Text                  `json:"unitCode,omitzero" bt:"BT-X-20-1" term:"Included item quantity unit of measure code" type:"code" card:"0..1"`
}

// ComponentIdentifier identifies an included item by a registered scheme.
type ComponentIdentifier struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-X-15" term:"Included item standard identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-X-15-1" term:"Included item standard identifier scheme identifier" type:"identifier" card:"0..1"`
}
