package model

// Party is a party of Factur-X EXTENDED that EN 16931 does not have, such as the
// invoicee (BG-X-36). The standard numbers the same terms again for every such party, so
// only the group has a code, in the field that holds it.
type Party struct {
	Group
	Name                       Text               `json:"name,omitzero" term:"Name" card:"0..1"`
	TradingName                Text               `json:"tradingName,omitzero" term:"Trading name" card:"0..1"`
	Identifiers                []PartyIdentifier  `json:"identifiers,omitempty" term:"Identifier" card:"0..n"`
	RoleCode                   Text               `json:"roleCode,omitzero" term:"Role code" type:"code" card:"0..1"`
	LegalRegistration          *LegalRegistration `json:"legalRegistration,omitempty" term:"Legal registration" card:"0..1"`
	LegalAddress               *Address           `json:"legalAddress,omitempty" term:"Address of the registered office" card:"0..1"`
	VatIdentifier              Text               `json:"vatIdentifier,omitzero" term:"VAT identifier" type:"identifier" card:"0..1"`
	TaxRegistrationIdentifier  Text               `json:"taxRegistrationIdentifier,omitzero" term:"Tax registration identifier" type:"identifier" card:"0..1"`
	AdditionalLegalInformation Text               `json:"additionalLegalInformation,omitzero" term:"Additional legal information" card:"0..1"`
	ElectronicAddress          *ElectronicAddress `json:"electronicAddress,omitempty" term:"Electronic address" card:"0..1"`
	PostalAddress              *Address           `json:"postalAddress,omitempty" term:"Postal address" card:"0..1"`
	Contacts                   []Contact          `json:"contacts,omitempty" term:"Contact" card:"0..n"`
}

// DeliveryParty is what Factur-X EXTENDED adds to the deliver to party of BG-13.
type DeliveryParty struct {
	Group
	TradingName                Text               `json:"tradingName,omitzero" bt:"BT-X-154" term:"Deliver to party trading name" card:"0..1"`
	RoleCode                   Text               `json:"roleCode,omitzero" bt:"BT-X-550" term:"Deliver to party role code" type:"code" card:"0..1"`
	LegalRegistration          *LegalRegistration `json:"legalRegistration,omitempty" bt:"BT-X-153" term:"Deliver to party legal registration" card:"0..1"`
	LegalAddress               *Address           `json:"legalAddress,omitempty" bt:"BG-X-67" term:"Deliver to party address of the registered office" card:"0..1"`
	VatIdentifier              Text               `json:"vatIdentifier,omitzero" bt:"BT-X-161" term:"Deliver to party VAT identifier" type:"identifier" card:"0..1"`
	TaxRegistrationIdentifier  Text               `json:"taxRegistrationIdentifier,omitzero" term:"Deliver to party tax registration identifier" type:"identifier" card:"0..1"`
	AdditionalLegalInformation Text               `json:"additionalLegalInformation,omitzero" term:"Deliver to party additional legal information" card:"0..1"`
	ElectronicAddress          *ElectronicAddress `json:"electronicAddress,omitempty" bt:"BT-X-160" term:"Deliver to party electronic address" card:"0..1"`
	Contacts                   []Contact          `json:"contacts,omitempty" bt:"BG-X-26" term:"Deliver to party contact" card:"0..n"`
}

// PartyIdentifier identifies a party. With a scheme it is an identifier of a
// registered scheme (ISO/IEC 6523).
type PartyIdentifier struct {
	Group
	Identifier Text `json:"identifier,omitzero" term:"Identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" term:"Identifier scheme identifier" type:"identifier" card:"0..1"`
}

// LegalRegistration identifies a party in an official register.
type LegalRegistration struct {
	Group
	Identifier Text `json:"identifier,omitzero" term:"Legal registration identifier" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" term:"Legal registration identifier scheme identifier" type:"identifier" card:"0..1"`
}

// ElectronicAddress is an address at which a party receives documents.
type ElectronicAddress struct {
	Group
	Identifier Text `json:"identifier,omitzero" term:"Electronic address" type:"identifier" card:"1..1"`
	SchemeID   Text `json:"schemeId,omitzero" term:"Electronic address scheme identifier" type:"identifier" card:"0..1"`
}

// Address is an address of a party.
type Address struct {
	Group
	Line1              Text `json:"line1,omitzero" term:"Address line 1" card:"0..1"`
	Line2              Text `json:"line2,omitzero" term:"Address line 2" card:"0..1"`
	Line3              Text `json:"line3,omitzero" term:"Address line 3" card:"0..1"`
	City               Text `json:"city,omitzero" term:"City" card:"0..1"`
	PostCode           Text `json:"postCode,omitzero" term:"Post code" card:"0..1"`
	CountrySubdivision Text `json:"countrySubdivision,omitzero" term:"Country subdivision" card:"0..1"`
	CountryCode        Text `json:"countryCode,omitzero" term:"Country code" type:"code" card:"1..1"`
}

// Contact is a contact of a party.
type Contact struct {
	Group
	Name       Text `json:"name,omitzero" term:"Contact point" card:"0..1"`
	Phone      Text `json:"phone,omitzero" term:"Contact telephone number" card:"0..1"`
	Email      Text `json:"email,omitzero" term:"Contact email address" card:"0..1"`
	Department Text `json:"department,omitzero" term:"Contact department" card:"0..1"`
	TypeCode   Text `json:"functionCode,omitzero" term:"Contact type code" type:"code" card:"0..1"`
	Fax        Text `json:"fax,omitzero" term:"Contact fax number" card:"0..1"`
}
