package model

// Seller is BG-4.
type Seller struct {
	Group
	Name                       Text                     `json:"name,omitzero" bt:"BT-27" term:"Seller name" card:"1..1"`
	TradingName                Text                     `json:"tradingName,omitzero" bt:"BT-28" term:"Seller trading name" card:"0..1"`
	Identifiers                []SellerIdentifier       `json:"identifiers,omitempty" card:"0..n"`
	LegalRegistration          *SellerLegalRegistration `json:"legalRegistration,omitempty" card:"0..1"`
	VatIdentifier              Text                     `json:"vatIdentifier,omitzero" bt:"BT-31" term:"Seller VAT identifier" type:"identifier" card:"0..1"`
	TaxRegistrationIdentifier  Text                     `json:"taxRegistrationIdentifier,omitzero" bt:"BT-32" term:"Seller tax registration identifier" type:"identifier" card:"0..1"`
	AdditionalLegalInformation Text                     `json:"additionalLegalInformation,omitzero" bt:"BT-33" term:"Seller additional legal information" card:"0..1"`
	ElectronicAddress          *SellerElectronicAddress `json:"electronicAddress,omitempty" card:"0..1"`
	PostalAddress              *SellerAddress           `json:"postalAddress,omitempty" bt:"BG-5" term:"Seller postal address" card:"1..1"`
	Contact                    *SellerContact           `json:"contact,omitempty" bt:"BG-6" term:"Seller contact" card:"0..1"`
	RoleCode                   Text                     `json:"roleCode,omitzero" bt:"BT-X-543" term:"Seller role code" type:"code" card:"0..1" ext:"EXTENDED"`
	LegalAddress               *Address                 `json:"legalAddress,omitempty" bt:"BG-X-14" term:"Seller address of the registered office" card:"0..1" ext:"EXTENDED"`
	FurtherContacts            []Contact                `json:"furtherContacts,omitempty" term:"Further seller contact" card:"0..n" ext:"EXTENDED"`
}

// SellerIdentifier is one of the seller's identifiers.
type SellerIdentifier struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-29" term:"Seller identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-29-1" term:"Seller identifier scheme identifier" type:"identifier" card:"0..1"`
}

// SellerLegalRegistration identifies the seller in an official register.
type SellerLegalRegistration struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-30" term:"Seller legal registration identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-30-1" term:"Seller legal registration identifier scheme identifier" type:"identifier" card:"0..1"`
}

// SellerElectronicAddress is the address at which the seller receives documents.
type SellerElectronicAddress struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-34" term:"Seller electronic address" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-34-1" term:"Seller electronic address scheme identifier" type:"identifier" card:"1..1"`
}

// SellerAddress is BG-5.
type SellerAddress struct {
	Group
	Line1              Text `json:"line1,omitzero" bt:"BT-35" term:"Seller address line 1" card:"0..1"`
	Line2              Text `json:"line2,omitzero" bt:"BT-36" term:"Seller address line 2" card:"0..1"`
	Line3              Text `json:"line3,omitzero" bt:"BT-162" term:"Seller address line 3" card:"0..1"`
	City               Text `json:"city,omitzero" bt:"BT-37" term:"Seller city" card:"0..1"`
	PostCode           Text `json:"postCode,omitzero" bt:"BT-38" term:"Seller post code" card:"0..1"`
	CountrySubdivision Text `json:"countrySubdivision,omitzero" bt:"BT-39" term:"Seller country subdivision" card:"0..1"`
	CountryCode        Text `json:"countryCode,omitzero" bt:"BT-40" term:"Seller country code" type:"code" card:"1..1"`
}

// SellerContact is BG-6.
type SellerContact struct {
	Group
	Name       Text `json:"name,omitzero" bt:"BT-41" term:"Seller contact point" card:"0..1"`
	Phone      Text `json:"phone,omitzero" bt:"BT-42" term:"Seller contact telephone number" card:"0..1"`
	Email      Text `json:"email,omitzero" bt:"BT-43" term:"Seller contact email address" card:"0..1"`
	Department Text `json:"department,omitzero" bt:"BT-41-0" term:"Seller contact department" card:"0..1" ext:"EXTENDED"`
	TypeCode   Text `json:"functionCode,omitzero" bt:"BT-X-317" term:"Seller contact type code" type:"code" card:"0..1" ext:"EXTENDED"`
	Fax        Text `json:"fax,omitzero" bt:"BT-X-107" term:"Seller contact fax number" card:"0..1" ext:"EXTENDED"`
}

// Buyer is BG-7.
type Buyer struct {
	Group
	Name                       Text                    `json:"name,omitzero" bt:"BT-44" term:"Buyer name" card:"1..1"`
	TradingName                Text                    `json:"tradingName,omitzero" bt:"BT-45" term:"Buyer trading name" card:"0..1"`
	Identifier                 *BuyerIdentifier        `json:"identifier,omitempty" card:"0..1"`
	LegalRegistration          *BuyerLegalRegistration `json:"legalRegistration,omitempty" card:"0..1"`
	VatIdentifier              Text                    `json:"vatIdentifier,omitzero" bt:"BT-48" term:"Buyer VAT identifier" type:"identifier" card:"0..1"`
	ElectronicAddress          *BuyerElectronicAddress `json:"electronicAddress,omitempty" card:"0..1"`
	PostalAddress              *BuyerAddress           `json:"postalAddress,omitempty" bt:"BG-8" term:"Buyer postal address" card:"1..1"`
	Contact                    *BuyerContact           `json:"contact,omitempty" bt:"BG-9" term:"Buyer contact" card:"0..1"`
	FurtherIdentifiers         []PartyIdentifier       `json:"furtherIdentifiers,omitempty" term:"Further buyer identifier" card:"0..n" ext:"EXTENDED"`
	RoleCode                   Text                    `json:"roleCode,omitzero" bt:"BT-X-544" term:"Buyer role code" type:"code" card:"0..1" ext:"EXTENDED"`
	AdditionalLegalInformation Text                    `json:"additionalLegalInformation,omitzero" bt:"BT-X-334" term:"Buyer additional legal information" card:"0..1" ext:"EXTENDED"`
	LegalAddress               *Address                `json:"legalAddress,omitempty" bt:"BG-X-15" term:"Buyer address of the registered office" card:"0..1" ext:"EXTENDED"`
	TaxRegistrationIdentifier  Text                    `json:"taxRegistrationIdentifier,omitzero" term:"Buyer tax registration identifier" type:"identifier" card:"0..1" ext:"EXTENDED"`
	FurtherContacts            []Contact               `json:"furtherContacts,omitempty" term:"Further buyer contact" card:"0..n" ext:"EXTENDED"`
}

// BuyerIdentifier identifies the buyer.
type BuyerIdentifier struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-46" term:"Buyer identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-46-1" term:"Buyer identifier scheme identifier" type:"identifier" card:"0..1"`
}

// BuyerLegalRegistration identifies the buyer in an official register.
type BuyerLegalRegistration struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-47" term:"Buyer legal registration identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-47-1" term:"Buyer legal registration identifier scheme identifier" type:"identifier" card:"0..1"`
}

// BuyerElectronicAddress is the address at which the buyer receives the invoice.
type BuyerElectronicAddress struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-49" term:"Buyer electronic address" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-49-1" term:"Buyer electronic address scheme identifier" type:"identifier" card:"1..1"`
}

// BuyerAddress is BG-8.
type BuyerAddress struct {
	Group
	Line1              Text `json:"line1,omitzero" bt:"BT-50" term:"Buyer address line 1" card:"0..1"`
	Line2              Text `json:"line2,omitzero" bt:"BT-51" term:"Buyer address line 2" card:"0..1"`
	Line3              Text `json:"line3,omitzero" bt:"BT-163" term:"Buyer address line 3" card:"0..1"`
	City               Text `json:"city,omitzero" bt:"BT-52" term:"Buyer city" card:"0..1"`
	PostCode           Text `json:"postCode,omitzero" bt:"BT-53" term:"Buyer post code" card:"0..1"`
	CountrySubdivision Text `json:"countrySubdivision,omitzero" bt:"BT-54" term:"Buyer country subdivision" card:"0..1"`
	CountryCode        Text `json:"countryCode,omitzero" bt:"BT-55" term:"Buyer country code" type:"code" card:"1..1"`
}

// BuyerContact is BG-9.
type BuyerContact struct {
	Group
	Name       Text `json:"name,omitzero" bt:"BT-56" term:"Buyer contact point" card:"0..1"`
	Phone      Text `json:"phone,omitzero" bt:"BT-57" term:"Buyer contact telephone number" card:"0..1"`
	Email      Text `json:"email,omitzero" bt:"BT-58" term:"Buyer contact email address" card:"0..1"`
	Department Text `json:"department,omitzero" bt:"BT-56-0" term:"Buyer contact department" card:"0..1" ext:"EXTENDED"`
	TypeCode   Text `json:"functionCode,omitzero" bt:"BT-X-318" term:"Buyer contact type code" type:"code" card:"0..1" ext:"EXTENDED"`
	Fax        Text `json:"fax,omitzero" bt:"BT-X-115" term:"Buyer contact fax number" card:"0..1" ext:"EXTENDED"`
}

// Payee is BG-10.
type Payee struct {
	Group
	Name              Text                    `json:"name,omitzero" bt:"BT-59" term:"Payee name" card:"1..1"`
	Identifier        *PayeeIdentifier        `json:"identifier,omitempty" card:"0..1"`
	LegalRegistration *PayeeLegalRegistration `json:"legalRegistration,omitempty" card:"0..1"`

	FurtherIdentifiers         []PartyIdentifier  `json:"furtherIdentifiers,omitempty" term:"Further payee identifier" card:"0..n" ext:"EXTENDED"`
	RoleCode                   Text               `json:"roleCode,omitzero" bt:"BT-X-468" term:"Payee role code" type:"code" card:"0..1" ext:"EXTENDED"`
	AdditionalLegalInformation Text               `json:"additionalLegalInformation,omitzero" term:"Payee additional legal information" card:"0..1" ext:"EXTENDED"`
	TradingName                Text               `json:"tradingName,omitzero" bt:"BT-X-243" term:"Payee trading name" card:"0..1" ext:"EXTENDED"`
	LegalAddress               *Address           `json:"legalAddress,omitempty" bt:"BG-X-72" term:"Payee address of the registered office" card:"0..1" ext:"EXTENDED"`
	Contacts                   []Contact          `json:"contacts,omitempty" bt:"BG-X-39" term:"Payee contact" card:"0..n" ext:"EXTENDED"`
	PostalAddress              *Address           `json:"postalAddress,omitempty" bt:"BG-X-40" term:"Payee postal address" card:"0..1" ext:"EXTENDED"`
	ElectronicAddress          *ElectronicAddress `json:"electronicAddress,omitempty" bt:"BT-X-256" term:"Payee electronic address" card:"0..1" ext:"EXTENDED"`
	VatIdentifier              Text               `json:"vatIdentifier,omitzero" bt:"BT-X-257" term:"Payee VAT identifier" type:"identifier" card:"0..1" ext:"EXTENDED"`
	TaxRegistrationIdentifier  Text               `json:"taxRegistrationIdentifier,omitzero" term:"Payee tax registration identifier" type:"identifier" card:"0..1" ext:"EXTENDED"`
}

// PayeeIdentifier identifies the payee.
type PayeeIdentifier struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-60" term:"Payee identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-60-1" term:"Payee identifier scheme identifier" type:"identifier" card:"0..1"`
}

// PayeeLegalRegistration identifies the payee in an official register.
type PayeeLegalRegistration struct {
	Group
	Identifier Text `json:"identifier,omitzero" bt:"BT-61" term:"Payee legal registration identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" bt:"BT-61-1" term:"Payee legal registration identifier scheme identifier" type:"identifier" card:"0..1"`
}

// TaxRepresentative is BG-11.
type TaxRepresentative struct {
	Group
	Name          Text                      `json:"name,omitzero" bt:"BT-62" term:"Seller tax representative name" card:"1..1"`
	VatIdentifier Text                      `json:"vatIdentifier,omitzero" bt:"BT-63" term:"Seller tax representative VAT identifier" type:"identifier" card:"1..1"`
	PostalAddress *TaxRepresentativeAddress `json:"postalAddress,omitempty" bt:"BG-12" term:"Seller tax representative postal address" card:"1..1"`

	Identifiers                []PartyIdentifier  `json:"identifiers,omitempty" bt:"BT-X-116" term:"Seller tax representative identifier" card:"0..n" ext:"EXTENDED"`
	RoleCode                   Text               `json:"roleCode,omitzero" bt:"BT-X-547" term:"Seller tax representative role code" type:"code" card:"0..1" ext:"EXTENDED"`
	AdditionalLegalInformation Text               `json:"additionalLegalInformation,omitzero" term:"Seller tax representative additional legal information" card:"0..1" ext:"EXTENDED"`
	LegalRegistration          *LegalRegistration `json:"legalRegistration,omitempty" bt:"BT-X-118" term:"Seller tax representative legal registration" card:"0..1" ext:"EXTENDED"`
	TradingName                Text               `json:"tradingName,omitzero" bt:"BT-X-119" term:"Seller tax representative trading name" card:"0..1" ext:"EXTENDED"`
	LegalAddress               *Address           `json:"legalAddress,omitempty" bt:"BG-X-59" term:"Seller tax representative address of the registered office" card:"0..1" ext:"EXTENDED"`
	Contacts                   []Contact          `json:"contacts,omitempty" bt:"BG-X-17" term:"Seller tax representative contact" card:"0..n" ext:"EXTENDED"`
	ElectronicAddress          *ElectronicAddress `json:"electronicAddress,omitempty" bt:"BT-X-125" term:"Seller tax representative electronic address" card:"0..1" ext:"EXTENDED"`
	TaxRegistrationIdentifier  Text               `json:"taxRegistrationIdentifier,omitzero" term:"Seller tax representative tax registration identifier" type:"identifier" card:"0..1" ext:"EXTENDED"`
}

// TaxRepresentativeAddress is BG-12.
type TaxRepresentativeAddress struct {
	Group
	Line1              Text `json:"line1,omitzero" bt:"BT-64" term:"Tax representative address line 1" card:"0..1"`
	Line2              Text `json:"line2,omitzero" bt:"BT-65" term:"Tax representative address line 2" card:"0..1"`
	Line3              Text `json:"line3,omitzero" bt:"BT-164" term:"Tax representative address line 3" card:"0..1"`
	City               Text `json:"city,omitzero" bt:"BT-66" term:"Tax representative city" card:"0..1"`
	PostCode           Text `json:"postCode,omitzero" bt:"BT-67" term:"Tax representative post code" card:"0..1"`
	CountrySubdivision Text `json:"countrySubdivision,omitzero" bt:"BT-68" term:"Tax representative country subdivision" card:"0..1"`
	CountryCode        Text `json:"countryCode,omitzero" bt:"BT-69" term:"Tax representative country code" type:"code" card:"1..1"`
}

// DeliverToAddress is BG-15.
type DeliverToAddress struct {
	Group
	Line1              Text `json:"line1,omitzero" bt:"BT-75" term:"Deliver to address line 1" card:"0..1"`
	Line2              Text `json:"line2,omitzero" bt:"BT-76" term:"Deliver to address line 2" card:"0..1"`
	Line3              Text `json:"line3,omitzero" bt:"BT-165" term:"Deliver to address line 3" card:"0..1"`
	City               Text `json:"city,omitzero" bt:"BT-77" term:"Deliver to city" card:"0..1"`
	PostCode           Text `json:"postCode,omitzero" bt:"BT-78" term:"Deliver to post code" card:"0..1"`
	CountrySubdivision Text `json:"countrySubdivision,omitzero" bt:"BT-79" term:"Deliver to country subdivision" card:"0..1"`
	CountryCode        Text `json:"countryCode,omitzero" bt:"BT-80" term:"Deliver to country code" type:"code" card:"1..1"`
}
