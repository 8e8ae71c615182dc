package compose

import (
	"strings"
	"testing"

	"einvoice/formats/pdf/page/layout"
	"einvoice/model"

	"rsc.io/qr"
)

func payable() *model.Invoice {
	return &model.Invoice{
		Number: model.NewText("R-1"), TypeCode: model.NewText("380"), CurrencyCode: model.NewText("EUR"),
		Seller: &model.Seller{Name: model.NewText("Ölmühle Süd GmbH")},
		Totals: &model.Totals{AmountDueForPayment: model.NewAmount("119.5")},
		Payment: &model.Payment{
			RemittanceInformation: model.NewText("Invoice R-1\nthanks"),
			Means: []model.PaymentMeans{{TypeCode: model.NewText("58"), CreditTransfers: []model.CreditTransfer{{
				AccountIdentifier:         model.NewText("de89 3704 0044 0532 0130 00"),
				ServiceProviderIdentifier: model.NewText("COBADEFFXXX"),
			}}}},
		},
	}
}

func TestTransferPayload(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*model.Invoice)
		want   string // the lines of the payload, joined by |; empty where there is no code
	}{
		"plain": {func(*model.Invoice) {}, "BCD|002|1|SCT|COBADEFFXXX|Ölmühle Süd GmbH|DE89370400440532013000|EUR119.50|||Invoice R-1 thanks"},
		"account name and creditor reference": {func(inv *model.Invoice) {
			inv.Payment.Means[0].CreditTransfers[0].AccountName = model.NewText("Kasse")
			inv.Payment.RemittanceInformation = model.NewText("RF18 5390 0754 7034")
		}, "BCD|002|1|SCT|COBADEFFXXX|Kasse|DE89370400440532013000|EUR119.50||RF18539007547034"},
		"payee, no BIC, number instead of a long text": {func(inv *model.Invoice) {
			inv.Payee = &model.Payee{Name: model.NewText(strings.Repeat("n", 80))}
			inv.Payment.Means[0].CreditTransfers[0].ServiceProviderIdentifier = model.NewText("my bank")
			inv.Payment.RemittanceInformation = model.NewText(strings.Repeat("x", 141))
		}, "BCD|002|1|SCT||" + strings.Repeat("n", 70) + "|DE89370400440532013000|EUR119.50|||R-1"},
		"largest":        {func(inv *model.Invoice) { inv.Totals.AmountDueForPayment = model.NewAmount("999999999.99") }, "BCD|002|1|SCT|COBADEFFXXX|Ölmühle Süd GmbH|DE89370400440532013000|EUR999999999.99|||Invoice R-1 thanks"},
		"too large":      {func(inv *model.Invoice) { inv.Totals.AmountDueForPayment = model.NewAmount("1000000000") }, ""},
		"zero":           {func(inv *model.Invoice) { inv.Totals.AmountDueForPayment = model.NewAmount("0") }, ""},
		"negative":       {func(inv *model.Invoice) { inv.Totals.AmountDueForPayment = model.NewAmount("-1") }, ""},
		"part of a cent": {func(inv *model.Invoice) { inv.Totals.AmountDueForPayment = model.NewAmount("1.001") }, ""},
		"other currency": {func(inv *model.Invoice) { inv.CurrencyCode = model.NewText("CHF") }, ""},
		"credit note":    {func(inv *model.Invoice) { inv.TypeCode = model.NewText("381") }, ""},
		"direct debit":   {func(inv *model.Invoice) { inv.Payment.Means[0].TypeCode = model.NewText("59") }, ""},
		"no IBAN": {func(inv *model.Invoice) {
			inv.Payment.Means[0].CreditTransfers[0].AccountIdentifier = model.NewText("1234567890")
		}, ""},
		"wrong check digit": {func(inv *model.Invoice) {
			inv.Payment.Means[0].CreditTransfers[0].AccountIdentifier = model.NewText("DE88370400440532013000")
		}, ""},
		"check digits that nobody makes": {func(inv *model.Invoice) {
			inv.Payment.Means[0].CreditTransfers[0].AccountIdentifier = model.NewText("DE99370400440000000024")
		}, ""},
		"account outside SEPA": {func(inv *model.Invoice) {
			inv.Payment.Means[0].CreditTransfers[0].AccountIdentifier = model.NewText("TR33 0006 1005 1978 6457 8413 26")
		}, ""},
		"nobody to pay": {func(inv *model.Invoice) { inv.Seller = nil }, ""},
		"no totals":     {func(inv *model.Invoice) { inv.Totals = nil }, ""},
	} {
		inv := payable()
		c.change(inv)
		transfer := transferOf(inv, layout.Default())
		got := ""
		if transfer != nil {
			got = strings.ReplaceAll(transfer.payload(), "\n", "|")
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// A text that is too long for a code of version 13 is left out; without it the code may
// still be too large.
func TestTransferCode(t *testing.T) {
	long := creditTransfer{name: strings.Repeat("界", 70), iban: "DE89370400440532013000", amount: "1.00", text: strings.Repeat("界", 140)}
	code, err := long.code()
	if err != nil || code.Size > maxModules {
		t.Fatalf("got %v", err)
	}
	long.text = ""
	want, err := qr.Encode(long.payload(), qr.M)
	if err != nil || string(code.Bitmap) != string(want.Bitmap) {
		t.Error("the code is not that of the transfer without its text")
	}
	long.name = strings.Repeat("界", 200)
	if _, err := long.code(); err == nil {
		t.Error("a code beyond version 13 is drawn")
	}
}
