package conformance_test

import (
	"fmt"
	"html/template"
	"strings"
	"time"
)

// A printout is an invoice as a program shows it. What a template asks for is printed, and
// is noted as such.
type printout struct {
	*made
	l       *folk
	lang    string
	program *program
	words   map[string]map[string][]string
	printed map[string]bool // by JSON pointer
}

func newPrintout(p *program, words map[string]map[string][]string, all map[string]*folk, lang string, seed uint64) *printout {
	r := randomOf(p.name, lang, seed)
	d := &printout{newMade(all[lang], r, p.options["discounts"] != ""), all[lang], lang, p, words, map[string]bool{}}
	if !p.showsPaid {
		d.paid = 0
	}
	return d
}

// W is what the program calls something: the same on all its pages of a language.
func (d *printout) W(key string) string {
	if key == "title" {
		if key = "invoice"; d.credit {
			key = "credit"
		}
	}
	of := d.words[key][d.lang]
	if len(of) == 0 {
		panic("layouts/words.yaml has no " + key + " in " + d.lang)
	}
	return of[seedOf(d.program.name, key, d.lang)%uint64(len(of))]
}

func (d *printout) show(pointer string) { d.printed[pointer] = true }

// Lang is the language of the page.
func (d *printout) Lang() string { return d.lang }

// Number is that of the invoice.
func (d *printout) Number() string { d.show("/number"); return d.number }

// Order is the number of the buyer's order.
func (d *printout) Order() string { d.show("/purchaseOrderReference"); return d.order }

// Customer is the number of the buyer with the seller.
func (d *printout) Customer() string { return d.customer }

// Currency is the code.
func (d *printout) Currency() string { d.show("/currencyCode"); return d.currency }

// IBAN is the account, in groups of four.
func (d *printout) IBAN() string {
	d.show(accountPointer)
	if d.program.options["iban"] == "plain" {
		return d.iban
	}
	var b strings.Builder
	for i, c := range d.iban {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

const accountPointer = "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier"

// BIC, Phone, Email and Person are there to be told from what is asked for.
func (d *printout) BIC() string { return "NWBK" + d.l.Code + "2LXXX" }

// Phone is a number of the seller.
func (d *printout) Phone() string {
	return "+4" + d.seller.register[:2] + " " + d.seller.register[2:5] + " " + d.seller.register[5:]
}

// Email is an address of the seller.
func (d *printout) Email() string { return "office@" + strings.ToLower(d.l.Code) + "-example.org" }

// Person is somebody at the seller.
func (d *printout) Person() string { return d.l.Persons[0] }

// Has tells of something that not each invoice has.
func (d *printout) Has(what string) bool {
	switch what {
	case "paid":
		return d.paid != 0
	case "allowance":
		return d.allowance != 0
	case "charge":
		return d.charge != 0
	case "steps":
		return d.allowance+d.charge != 0
	case "exempt":
		return d.exempt
	case "rates":
		return len(d.groups) > 1
	case "detail":
		return d.lines[0].detail != ""
	}
	return seedOf(d.number, what)%2 == 0 // at random, the same at each place of the page
}

// Issue, Due and Delivery are the days.
func (d *printout) Issue() string { d.show("/issueDate"); return d.day(d.issue) }

// Due is when the invoice is to be paid.
func (d *printout) Due() string { d.show("/paymentDueDate"); return d.day(d.due) }

// Delivery is when the goods were delivered.
func (d *printout) Delivery() string {
	d.show("/delivery/actualDeliveryDate")
	return d.day(d.delivery)
}

// Day is another day, some days from that of the invoice.
func (d *printout) Day(after int) string { return d.day(d.issue.AddDate(0, 0, after)) }

// PayBy is a sentence with the day when the invoice is to be paid.
func (d *printout) PayBy() string { return fmt.Sprintf(d.W("payBy"), d.Due()) }

// Days are the terms of payment.
func (d *printout) Days() string {
	return fmt.Sprintf(d.W("days"), int(d.due.Sub(d.issue).Hours()/24+0.5))
}

var monthNames = map[string][]string{
	"en": {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	"de": {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
	"fr": {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
	"es": {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
	"it": {"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"},
	"nl": {"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"},
	"pl": {"stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia", "września", "października", "listopada", "grudnia"},
	"cs": {"ledna", "února", "března", "dubna", "května", "června", "července", "srpna", "září", "října", "listopadu", "prosince"},
	"sv": {"januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober", "november", "december"},
	"da": {"januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober", "november", "december"},
	"pt": {"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
	"fi": {"tammikuuta", "helmikuuta", "maaliskuuta", "huhtikuuta", "toukokuuta", "kesäkuuta", "heinäkuuta", "elokuuta", "syyskuuta", "lokakuuta", "marraskuuta", "joulukuuta"},
}

// figures are how days are written in figures.
var figures = map[string]string{
	"en": "02/01/2006", "de": "02.01.2006", "fr": "02/01/2006", "es": "02/01/2006", "it": "02/01/2006", "nl": "02-01-2006",
	"pl": "02.01.2006", "cs": "2.1.2006", "sv": "2006-01-02", "da": "02-01-2006", "pt": "02/01/2006", "fi": "2.1.2006",
}

func (d *printout) day(t time.Time) string {
	month := monthNames[d.lang][t.Month()-1]
	switch d.program.options["dates"] {
	case "iso":
		return t.Format("2006-01-02")
	case "dots":
		return t.Format("02.01.2006")
	case "short":
		return strings.Replace(t.Format(figures[d.lang]), t.Format("2006"), t.Format("06"), 1)
	case "words":
		switch d.lang {
		case "en":
			return t.Format("January 2, 2006")
		case "es", "pt":
			return fmt.Sprintf("%d de %s de %d", t.Day(), month, t.Year())
		case "de", "da", "cs", "fi":
			return fmt.Sprintf("%d. %s %d", t.Day(), month, t.Year())
		}
		return fmt.Sprintf("%d %s %d", t.Day(), month, t.Year())
	case "abbreviated":
		return fmt.Sprintf("%d %s %d", t.Day(), string([]rune(month)[:3]), t.Year())
	}
	return t.Format(figures[d.lang])
}

// amount writes cents, or another power of ten, as the language does.
func (d *printout) amount(v int64, decimals int) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	scale := int64(1)
	for range decimals {
		scale *= 10
	}
	whole := fmt.Sprint(v / scale)
	group, decimal := ".", ","
	switch d.lang {
	case "en":
		group, decimal = ",", "."
	case "fr", "pl", "cs", "sv", "fi":
		group = "\u00a0"
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if decimals == 0 {
		return sign + whole
	}
	return fmt.Sprintf("%s%s%s%0*d", sign, whole, decimal, decimals, v%scale)
}

var signs = map[string]string{"EUR": "€", "GBP": "£", "PLN": "zł", "CZK": "Kč", "SEK": "kr", "DKK": "kr."}

func (d *printout) money(v int64) string {
	s := d.amount(v, 2)
	switch d.program.options["money"] {
	case "before":
		d.showCurrency()
		return signs[d.currency] + "\u00a0" + s
	case "glued":
		if d.lang == "en" {
			d.showCurrency()
			return signs[d.currency] + s
		}
		d.showCurrency()
		return s + "\u00a0" + signs[d.currency]
	case "after":
		d.showCurrency()
		return s + " " + signs[d.currency]
	case "code":
		d.show("/currencyCode")
		return s + " " + d.currency
	case "codebefore":
		d.show("/currencyCode")
		return d.currency + " " + s
	}
	return s
}

// showCurrency notes that the currency is printed, by a sign that no other has.
func (d *printout) showCurrency() {
	if d.currency != "SEK" && d.currency != "DKK" {
		d.show("/currencyCode")
	}
}

// M is a total with its currency, as the program writes it; N is the same without.
func (d *printout) M(what string) string { return d.money(d.total(what)) }

// N is a total without its currency.
func (d *printout) N(what string) string { return d.amount(d.total(what), 2) }

// Minus is a total with the sign changed.
func (d *printout) Minus(what string) string { return d.money(-d.total(what)) }

var totalNames = map[string]string{
	"lineTotal": "sumOfLineNetAmounts", "allowance": "sumOfAllowances", "charge": "sumOfCharges", "net": "totalAmountWithoutVat",
	"tax": "taxTotalAmount", "gross": "totalAmountWithVat", "paid": "paidAmount", "due": "amountDueForPayment",
}

func (d *printout) total(what string) int64 {
	d.show("/totals/" + totalNames[what])
	return d.totals()[what]
}

func (d *made) totals() map[string]int64 {
	return map[string]int64{
		"lineTotal": d.lineTotal, "allowance": d.allowance, "charge": d.charge, "net": d.net, "tax": d.tax, "gross": d.gross, "paid": d.paid, "due": d.gross - d.paid,
	}
}

// Foreign is the total in another currency, for information.
func (d *printout) Foreign() string { return "USD " + d.amount(roundDiv(d.gross*109, 100), 2) }

// Words is an amount in no figures: a sentence that the page ends with.
func (d *printout) Words() string { return d.W("thanks") }

func (d *printout) percent(tenths int64) string {
	if tenths%10 == 0 {
		return fmt.Sprint(tenths / 10)
	}
	return d.amount(tenths, 1)
}

// A shownGroup is one of the VAT breakdown.
type shownGroup struct {
	d  *printout
	at int
}

// Groups are those of the VAT breakdown.
func (d *printout) Groups() (all []shownGroup) {
	for i := range d.groups {
		all = append(all, shownGroup{d, i})
	}
	return all
}

func (g shownGroup) show(what string) *madeGroup {
	g.d.show(fmt.Sprintf("/vatBreakdowns/%d/%s", g.at, what))
	return &g.d.groups[g.at]
}

// Rate is in percent, with the sign.
func (g shownGroup) Rate() string { return g.d.percent(g.show("rate").rate) + oneSpace(g.d) + "%" }

// Base and Tax are amounts.
func (g shownGroup) Base() string { return g.d.money(g.show("taxableAmount").base) }

// Tax is the VAT.
func (g shownGroup) Tax() string { return g.d.money(g.show("taxAmount").tax) }

// Gross is both together.
func (g shownGroup) Gross() string { return g.d.money(g.d.groups[g.at].base + g.d.groups[g.at].tax) }

// Label names VAT and its rate.
func (g shownGroup) Label() string { return fmt.Sprintf(g.d.W("vatOf"), g.Rate()) }

// oneSpace is what is before the percent sign.
func oneSpace(d *printout) string {
	if d.program.options["percent"] == "spaced" {
		return " "
	}
	return ""
}

// A shownParty is the seller, the buyer or where goods go to.
type shownParty struct {
	d    *printout
	role string
	of   *madeParty
}

// S, B and T are the seller, the buyer, and where goods go to.
func (d *printout) S() shownParty { return shownParty{d, "seller", &d.seller} }

// B is the buyer.
func (d *printout) B() shownParty { return shownParty{d, "buyer", &d.buyer} }

// T is where goods go to.
func (d *printout) T() shownParty { return shownParty{d, "shipTo", &d.shipTo} }

// Name is that of the party.
func (p shownParty) Name() string { p.d.show("/" + p.role + "/name"); return p.of.name }

// Street is that of its address.
func (p shownParty) Street() string {
	p.d.show("/" + p.role + "/postalAddress/line1")
	return p.of.street
}

// Place is the post code and the city, in the order of the country.
func (p shownParty) Place() string {
	p.d.show("/" + p.role + "/postalAddress/city")
	p.d.show("/" + p.role + "/postalAddress/postCode")
	if p.d.l.Code == "GB" {
		return p.of.city + " " + p.of.postCode
	}
	return p.of.postCode + " " + p.of.city
}

// Country is in the language of the page.
func (p shownParty) Country() string { return p.of.country }

// VatID is as the country writes it.
func (p shownParty) VatID() string {
	p.d.show("/" + p.role + "/vatIdentifier")
	switch style := p.d.program.options["vatid"]; {
	case style == "national" && (p.d.l.Code == "PL" || p.d.l.Code == "ES" || p.d.l.Code == "PT"):
		return p.of.vatID[2:]
	case style == "grouped":
		return p.of.vatID[:2] + " " + p.of.vatID[2:5] + " " + p.of.vatID[5:]
	}
	return p.of.vatID
}

// Register is a number with a register of companies.
func (p shownParty) Register() string { return p.of.register }

// A shownLine is a line of the invoice.
type shownLine struct {
	d  *printout
	at int
}

// Lines are those of the invoice.
func (d *printout) Lines() (all []shownLine) {
	for i := range d.lines {
		all = append(all, shownLine{d, i})
	}
	return all
}

func (l shownLine) of() *madeLine { return &l.d.lines[l.at] }

func (l shownLine) show(what string) *madeLine {
	l.d.show(fmt.Sprintf("/lines/%d/%s", l.at, what))
	return l.of()
}

// Pos is the number of the line, Pos10 the same in tens.
func (l shownLine) Pos() int { return l.at + 1 }

// Pos10 is the number of the line in tens.
func (l shownLine) Pos10() int { return 10 * (l.at + 1) }

// SKU is the number of the article.
func (l shownLine) SKU() string { return l.of().sku }

// Name is what was delivered.
func (l shownLine) Name() string { return l.show("item/name").name }

// Detail is more about it; may be empty.
func (l shownLine) Detail() string { return l.of().detail }

// Unit is that of the quantity.
func (l shownLine) Unit() string { return l.of().unit }

// Qty is as short as it can be, Qty2 with two decimals.
func (l shownLine) Qty() string {
	q := l.show("invoicedQuantity").quantity
	switch {
	case q%100 == 0:
		return l.d.amount(q/100, 0)
	case q%10 == 0:
		return l.d.amount(q/10, 1)
	}
	return l.d.amount(q, 2)
}

// Qty2 is the quantity with two decimals.
func (l shownLine) Qty2() string { return l.d.amount(l.show("invoicedQuantity").quantity, 2) }

// Price is that of one unit, before a discount.
func (l shownLine) Price() string {
	l.show("price/netPrice")
	return l.d.money(l.of().price)
}

// Price4 has four decimals and no currency.
func (l shownLine) Price4() string { l.show("price/netPrice"); return l.d.amount(l.of().price*100, 4) }

// Discount is in percent; empty where there is none.
func (l shownLine) Discount() string {
	if l.of().discount == 0 {
		return ""
	}
	return l.d.percent(l.of().discount) + oneSpace(l.d) + "%"
}

// Rate is that of VAT, with the sign; RateBare without.
func (l shownLine) Rate() string { return l.d.percent(l.show("vat/rate").rate) + oneSpace(l.d) + "%" }

// RateBare is the rate without a sign.
func (l shownLine) RateBare() string { return l.d.percent(l.show("vat/rate").rate) }

// Net is the amount of the line.
func (l shownLine) Net() string { return l.d.money(l.show("netAmount").net) }

// NetBare is the amount without its currency.
func (l shownLine) NetBare() string { return l.d.amount(l.show("netAmount").net, 2) }

// PriceBare is the price without its currency.
func (l shownLine) PriceBare() string { l.show("price/netPrice"); return l.d.amount(l.of().price, 2) }

// Tax and Gross are VAT of the line and the amount with it.
func (l shownLine) Tax() string { return l.d.amount(roundDiv(l.of().net*l.of().rate, 1000), 2) }

// Gross is the amount with VAT.
func (l shownLine) Gross() string {
	return l.d.amount(l.of().net+roundDiv(l.of().net*l.of().rate, 1000), 2)
}

// Style is a text in a template that is a style.
func (d *printout) Style(s string) template.CSS { return template.CSS(s) }

// truth is what is true of the invoice, by JSON pointer.
func (d *printout) truth() map[string]string {
	cents := func(v int64) string { return fmt.Sprintf("%.2f", float64(v)/100) }
	iso := func(t time.Time) string { return t.Format("2006-01-02") }
	v := map[string]string{
		"/number": d.number, "/issueDate": iso(d.issue), "/currencyCode": d.currency,
		"/seller/name": d.seller.name, "/buyer/name": strings.TrimPrefix(d.buyer.name, "Mme "), // how somebody is addressed is not a part of a name
	}
	for pointer, value := range map[string]string{
		"/paymentDueDate": iso(d.due), "/delivery/actualDeliveryDate": iso(d.delivery), "/purchaseOrderReference": d.order, accountPointer: d.iban,
		"/seller/vatIdentifier": d.seller.vatID, "/buyer/vatIdentifier": d.buyer.vatID,
	} {
		if d.printed[pointer] { // else it is not known to be true of this page
			v[pointer] = value
		}
	}
	for role, p := range map[string]*madeParty{"seller": &d.seller, "buyer": &d.buyer} {
		v["/"+role+"/postalAddress/line1"], v["/"+role+"/postalAddress/city"], v["/"+role+"/postalAddress/postCode"] = p.street, p.city, p.postCode
	}
	for name, of := range d.totals() {
		v["/totals/"+totalNames[name]] = cents(of)
	}
	for i, g := range d.groups {
		at := fmt.Sprintf("/vatBreakdowns/%d/", i)
		v[at+"rate"], v[at+"taxableAmount"], v[at+"taxAmount"] = fmt.Sprint(float64(g.rate)/10), cents(g.base), cents(g.tax)
	}
	for i, l := range d.lines {
		at := fmt.Sprintf("/lines/%d/", i)
		v[at+"netAmount"], v[at+"invoicedQuantity"], v[at+"item/name"] = cents(l.net), cents(l.quantity), l.name
		v[at+"price/netPrice"], v[at+"vat/rate"] = fmt.Sprintf("%.6f", float64(l.price*(1000-l.discount))/100_000), fmt.Sprint(float64(l.rate)/10)
	}
	return v
}
