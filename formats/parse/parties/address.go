package parties

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// addressPart is the upper part of the first page that has the addresses.
const addressPart = 0.45

// isAddressAlone reports whether a block has a name, a street, a city and no more than a country.
func (d *draft) isAddressAlone(b *block) bool {
	at := slices.IndexFunc(b.cells, isCityCell)
	if at < 2 || at > 4 || len(b.cells) > at+2 {
		return false
	}
	return !slices.ContainsFunc(b.cells, func(c *layout.Cell) bool { return d.startsHeader(c) || isTitle(c) || strings.Contains(c.Text(), "@") })
}

// senderReach is how many points the sender's line is at most above the first row of the address.
const senderReach = 100

// belowSender is the block under the sender's line, whose address has a form of its own.
func belowSender(blocks []*block, role map[*block]string) *block {
	for _, sender := range blocks {
		line := sender.cells[0]
		if sender.page == 1 && role[sender] == "" && len(sender.cells) > 2 && senderParts(line) != nil && slices.ContainsFunc(sender.cells[1:], isCityCell) { // both at once
			return sender
		}
		if sender.page != 1 || role[sender] != "" || len(sender.cells) > 1 || senderParts(line) == nil {
			continue
		}
		for _, b := range blocks {
			below := b.top - line.Row.Bottom
			if b.page == 1 && role[b] == "" && len(b.cells) > 1 && below > 0 && below < senderReach && math.Abs(b.left-sender.left) < 6 {
				return b
			}
		}
	}
	return nil
}

func hasCity(b *block) bool {
	for i, c := range b.cells {
		if isCityCell(c) || i > 1 && isCodeBelowCity(b.cells[i-1], c) {
			return true
		}
	}
	return false
}

// loneCode matches a postcode that has its row for itself, as in Britain.
var loneCode = lexicon.Pattern(`^(?:[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}|\d{4,5}|\d{4} ?[A-Z]{2})$`)

// isCodeBelowCity reports whether a cell is the postcode of the city in the cell above.
func isCodeBelowCity(city, c *layout.Cell) bool {
	return loneCode().MatchString(c.Text()) && !lexicon.HasDigit(city.Text()) && isName(city.Text())
}

// continentalCode matches a postcode that stands before its city, and has the row for itself where that is in the next one.
var continentalCode = lexicon.Pattern(`^(?:\d{4,5}|\d{4} ?[A-Z]{2})$`)

// isCodeAboveCity reports whether a cell is the postcode of the city in the cell below.
func (d *draft) isCodeAboveCity(c, city *layout.Cell) bool {
	s := strings.Trim(city.Text(), " ,")
	_, isCountry := lexicon.Words().Countries.Exactly(s)
	return continentalCode().MatchString(c.Text()) && !isCountry && !lexicon.HasDigit(s) && isName(s) && !HasLegalForm(city.Words()) && !d.startsHeader(city)
}

// goesOnBehindForm reports whether a comma behind the legal form of a name begins something else, as its street.
func goesOnBehindForm(of []*layout.Word) bool {
	n := legalForm(of)
	return n > 0 && n < len(of) && strings.HasSuffix(of[n-1].Text, ",")
}

func isCityCell(c *layout.Cell) bool {
	_, _, _, ok := postcodeOf(c)
	return ok
}

// nameAndAddress reads a block with the name of a party above its address.
func (d *draft) nameAndAddress(b *block) (name candidate.Printed, a Address, ok bool) {
	street := []candidate.Printed{}
	var attention candidate.Printed
	isBroken := false // the street may begin behind the name
	cityAt := -1
	for i, c := range b.cells {
		if i == cityAt {
			continue
		}
		of := c.Words()
		if i == 0 || name.Value == "" {
			if role, rest := partyLabel(c); role != "" {
				of = rest
			}
		}
		if parts := senderParts(c); len(parts) == 2 && name.Value != "" && a.City.Value == "" { // street and city in one row
			if m := candidate.PostCode().FindStringSubmatch(strings.TrimSpace(parts[1])); m != nil {
				street, a.PostCode, a.City = append(street, candidate.Printed{Value: strings.TrimSpace(parts[0]), Words: of}), candidate.Printed{Value: m[2], Words: of}, candidate.Printed{Value: m[3], Words: of}
				continue
			}
		}
		if len(of) == 0 || senderParts(c) != nil && i < len(b.cells)-2 {
			continue
		}
		if label := lexicon.Words().Attention.FindString(layout.TextOf(of)); label != "" {
			attention = nameOf(of[min(len(strings.Fields(label)), len(of)):])
			continue
		}
		s := strings.Trim(layout.TextOf(of), " :,")
		country, code, city, isCity := postcodeOf(c)
		switch {
		case isCity && a.City.Value == "" && !(i+1 < len(b.cells) && isUSCity(b.cells[i+1])): // 4557 Elm St is above Fremont CA 94538
			cityAt, a.PostCode, a.City = i, candidate.Printed{Value: code, Words: of}, candidate.Printed{Value: city, Words: of}
			if country != "" {
				a.Country = d.countryOf(country, of)
			}
		case name.Value != "" && a.City.Value == "" && i+1 < len(b.cells) && d.isCodeAboveCity(c, b.cells[i+1]):
			below := b.cells[i+1]
			cityAt, a.PostCode, a.City = i+1, candidate.Printed{Value: s, Words: of}, candidate.Printed{Value: strings.Trim(below.Text(), " ,"), Words: below.Words()}
			a.CityOpen = isCodeBelowCity(b.cells[i-1], c)
		case i > 1 && name.Value != "" && len(street) > 0 && a.City.Value == "" && isCodeBelowCity(b.cells[i-1], c):
			a.City, a.PostCode = street[len(street)-1], candidate.Printed{Value: s, Words: of}
			street = street[:len(street)-1]
		case a.City.Value != "":
			if code, known := lexicon.Words().Countries.Exactly(s); known {
				a.Country = candidate.Printed{Value: code, Words: of}
			} else if i == cityAt+1 && !d.startsHeader(c) && addToCity(&a, of) {
				cityAt = i
			}
		case name.Value == "":
			isSmall := len(b.cells) > 2 && of[0].Size < 0.85*b.cells[len(b.cells)-1].Words()[0].Size
			isStreet := i+1 < len(b.cells) && isCityCell(b.cells[i+1]) && HouseNumber().MatchString(s) && !HasLegalForm(of)
			parts, line := inOneLine(s), of
			if parts == nil {
				parts, line = d.inWrappedLine(of, b.cells[i+1:], len(of) < len(c.Words()) || i > 0 && isLabelOrTitle(b.cells[i-1]))
			}
			if parts != nil && isName(parts[0]) {
				m := candidate.PostCode().FindStringSubmatch(parts[2])
				name = candidate.Printed{Value: parts[0], Words: line[:min(len(strings.Fields(parts[0])), len(line))]}
				a.PostCode, a.City = candidate.Printed{Value: m[2], Words: line}, candidate.Printed{Value: m[3], Words: line}
				for _, part := range parts[3:] {
					street = append(street, candidate.Printed{Value: part, Words: line})
				}
				street = append(street, candidate.Printed{Value: parts[1], Words: line})
				isBroken = false
				continue
			}
			if !lexicon.Words().Salutation.MatchString(s) && isName(s) && !isSmall && !isStreet && !d.startsHeader(c) {
				name, isBroken = candidate.Printed{Value: s, Words: of}, goesOnBehindForm(of)
			}
		case !HasLegalForm(name.Words) && HasLegalForm(of) && isName(s): // the company of a person, or the rest of its name
			if beginsSmall(s) || hasToGoOn(name.Words) {
				name, isBroken = joined(name, candidate.Printed{Value: s, Words: of}), goesOnBehindForm(of)
				continue
			}
			name, isBroken = candidate.Printed{Value: s, Words: of}, goesOnBehindForm(of)
		case !d.startsHeader(c) && s != name.Value: // a name may be there again, as that of the trade
			street = append(street, candidate.Printed{Value: s, Words: of})
		}
	}
	if at := slices.IndexFunc(b.cells, func(c *layout.Cell) bool { return !lexicon.Words().Salutation.MatchString(c.Text()) }); name.Value == "" && a.City.Value != "" && at >= 0 && at+2 < len(b.cells) && isLikeLabel(b.cells[at]) {
		name = candidate.Printed{Value: strings.Trim(b.cells[at].Text(), " ,"), Words: b.cells[at].Words()}
	}
	// Where nothing but a street is below who gets the letter, that is the name.
	if begins := name.Value == "" || unicode.IsDigit([]rune(name.Value)[0]) && !HasLegalForm(name.Words); begins && isName(attention.Value) {
		if name.Value != "" {
			street = append([]candidate.Printed{name}, street...)
		}
		name = attention
	}
	if street = joinStreet(street); a.City.Value != "" && len(street) > 0 {
		a.takeStreet(street, b.right())
		a.StreetOpen = a.StreetOpen || isBroken || mayBeBroken(street, b.cells)
	}
	return name, a, name.Value != ""
}

// isLikeLabel reports whether a cell is a name that is also a label, or has two letters: nothing
// else in its block can be the name.
func isLikeLabel(c *layout.Cell) bool {
	s := c.Text()
	return !strings.Contains(s, ":") && !lexicon.HasDigit(s) && len(s) >= 2 && (isPartyLabel(s) || isPartLabel(s) || len([]rune(s)) == 2)
}

// startsHeader reports whether a cell begins with a label of the head that has a colon or
// a value, and so is not part of an address.
func (d *draft) startsHeader(c *layout.Cell) bool {
	p, ok := c.Label(&lexicon.Words().Header)
	if !ok {
		return false
	}
	if strings.Contains(c.Text(), ":") {
		return true
	}
	last := c.Row.Tokens[c.Token+p.Used-1].Word
	return p.Length > 3 && (last == c.Last || lexicon.HasDigit(c.Row.Words[last+1].Text))
}

func (d *draft) countryOf(prefix string, of []*layout.Word) candidate.Printed {
	code, ok := lexicon.Words().CountryPrefixes[prefix]
	if !ok {
		code = prefix
	}
	if !lexicon.Words().Countries.Names(code) {
		return candidate.Printed{}
	}
	return candidate.Printed{Value: code, Words: of}
}

// HouseNumber matches a street with its number, which is not a name.
var HouseNumber = lexicon.Pattern(`\s\d+(?:/\d+)?\s?[a-zA-Z]?$`)

// sellerAddress is the seller's address unless one was found before.
func (d *draft) sellerAddress(name string, a Address) {
	if a.City.Value == "" {
		return
	}
	d.addresses = append(d.addresses, namedAddress{name, a})
	if p := d.seller(); p.Address.City.Value == "" {
		p.Address = a
	}
}

// takeOwnAddress gives the seller who was elected the address below its name: the first one of the page may be that of
// whoever was not elected. An address that only the names of others are above is not the seller's.
func (d *draft) takeOwnAddress() {
	p := d.seller()
	name := lexicon.Fold(p.Name.Value)
	if name == "" || p.Address.City.Value == "" {
		return
	}
	isOwn := func(a namedAddress) bool {
		of := lexicon.Fold(a.name)
		return of == name || len(of) > 4 && strings.HasPrefix(name, of) || len(name) > 4 && strings.HasPrefix(of, name)
	}
	isOthers := func(a namedAddress) bool {
		return slices.ContainsFunc([]string{"buyer", "shipTo", "payee"}, func(role string) bool {
			other := d.ByRole[role]
			return other != nil && a.name != "" && lexicon.Fold(other.Name.Value) == lexicon.Fold(a.name)
		})
	}
	at := slices.IndexFunc(d.addresses, isOwn)
	if at < 0 {
		at = slices.IndexFunc(d.addresses, func(a namedAddress) bool { return !isOthers(a) })
		p.AddressApart = at >= 0 && d.addresses[at].name != ""
	}
	if at < 0 {
		p.Address = Address{}
		return
	}
	p.Address = d.addresses[at].address
}

// isSecondAddress matches a postal code with a city and a street behind it: those of two addresses that one row has.
var isSecondAddress = lexicon.Pattern(`^(?:\d{4,6}|\d{3} \d{2}|\d{4} ?[A-Z]{2}|\d{2}-\d{3}) \p{Lu}.* \d{1,4} ?\p{L}?$`)

// senderAddress takes street and city out of the sender's line.
func (d *draft) senderAddress(c *layout.Cell, name string, parts []string) {
	for i, part := range parts {
		m := candidate.PostCode().FindStringSubmatch(strings.TrimSpace(part))
		if i == 0 || m == nil {
			continue
		}
		a := Address{PostCode: candidate.Printed{Value: m[2], Words: c.Words()}, City: candidate.Printed{Value: m[3], Words: c.Words()}}
		if m[1] != "" {
			a.Country = d.countryOf(m[1], c.Words())
		}
		if i > 1 {
			if isSecondAddress().MatchString(parts[i-1]) {
				return
			}
			a.Line1 = candidate.Printed{Value: withoutPartLabel(parts[i-1]), Words: c.Words()}
			// More rows between name and city, or the name alone; or The Old Mill, or what the seller does, before Bridge Street.
			a.StreetOpen = i > 2 || !isLikeStreet(a.Line1) ||
				i == 2 && parts[0] == "" && !strings.HasPrefix(c.Text(), parts[1]) && !sharesWord(c.Words()[0], name)
		}
		if i > 2 { // The Old Mill, Bridge Street
			a.Line2 = candidate.Printed{Value: withoutPartLabel(parts[i-2]), Words: c.Words()}
		}
		d.sellerAddress(name, a)
		return
	}
}

// withoutPartLabel cuts what an address is called off its begin, as in Registered office: 4 Mill
// Lane.
func withoutPartLabel(s string) string {
	label, rest, found := strings.Cut(s, ":")
	if _, known := lexicon.Words().PartyParts.Exactly(label); found && known {
		return strings.TrimSpace(rest)
	}
	return s
}
