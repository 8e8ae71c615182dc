package header_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/header"
	"einvoice/formats/pdf/text"
)

// A letter is how documents of a language are made.
type letter struct {
	invoice, number string
	titles          map[string][]string // of other documents, by kind
	says            map[string]string   // what these say below an ordinary head
	mentions        []string            // of an invoice, about other documents
}

var letters = map[string]letter{
	"de": {"Rechnung", "Rechnungsnummer: R-17", map[string][]string{
		"reminder": {"1. Mahnung", "Letzte Mahnung vor Klage", "2. Zahlungserinnerung zur Rechnung R-17", "Mahnung"}, "offer": {"Angebot Nr. 4711", "Kostenvoranschlag"}, "order": {"Bestellung 4711"},
		"orderConfirmation": {"Auftragsbestätigung Nr. 4711 vom 20.11.2026"}, "deliveryNote": {"Lieferschein L-17"}, "proforma": {"Proformarechnung 17", "Proforma-Rechnung"}, "statement": {"Kontoauszug 11/2026"},
		"remittance": {"Zahlungsavis"}, "menu": {"Speisekarte"},
	}, map[string]string{"reminder": "Zu Rechnung R-17 konnten wir noch keinen Zahlungseingang feststellen.", "dispute": "Ihrer Rechnung R-17 widersprechen wir.", "remittance": "Ihre Rechnung R-17 haben wir überwiesen."},
		[]string{"Angebot 4711 vom 01.10.2026", "Lieferschein L-17", "Bei Zahlungsverzug berechnen wir Mahngebühren.", "Ihre Bestellung 4711"}},
	"en": {"Invoice", "Invoice number: R-17", map[string][]string{
		"reminder": {"Final payment reminder", "Reminder 2", "2nd reminder for invoice R-17", "Final notice"}, "offer": {"Quotation 4711", "Quote no. 17"}, "order": {"Purchase order PO-17"},
		"orderConfirmation": {"Order confirmation 4711"}, "deliveryNote": {"Delivery note L-17", "Packing list"}, "proforma": {"Pro forma invoice 17", "Proforma invoice"}, "statement": {"Statement of account"},
		"remittance": {"Remittance advice"}, "menu": {"Price list 2026"},
	}, map[string]string{"reminder": "Our invoice R-17 has not been paid.", "dispute": "We dispute the invoice R-17.", "remittance": "We have paid the following invoice R-17."},
		[]string{"Quotation 4711", "Delivery note L-17", "A late payment fee of 5 % is charged.", "Purchase order PO-17"}},
	"fr": {"Facture", "Numéro de facture : R-17", map[string][]string{
		"reminder": {"Relance n° 2", "Dernier rappel de paiement", "Mise en demeure"}, "offer": {"Devis n° 4711"}, "order": {"Bon de commande n° 17"}, "orderConfirmation": {"Confirmation de commande 17"},
		"deliveryNote": {"Bon de livraison 17"}, "proforma": {"Facture proforma 17"}, "statement": {"Relevé de compte"}, "remittance": {"Avis de paiement"}, "menu": {"Carte des vins"},
	}, map[string]string{"reminder": "Notre facture R-17 reste impayée.", "dispute": "Nous contestons votre facture R-17."}, []string{"Devis n° 4711", "Bon de livraison 17", "Tout retard de paiement donne lieu à une pénalité."}},
	"es": {"Factura", "Número de factura: R-17", map[string][]string{
		"reminder": {"Recordatorio de pago", "Segundo recordatorio de pago"}, "offer": {"Presupuesto 4711"}, "order": {"Pedido 4711"}, "orderConfirmation": {"Confirmación de pedido 17"}, "deliveryNote": {"Albarán 17"},
		"proforma": {"Factura proforma 17"}, "statement": {"Estado de cuenta"}, "remittance": {"Aviso de pago"}, "menu": {"Lista de precios"},
	}, map[string]string{"reminder": "No hemos recibido su pago de la factura R-17."}, []string{"Presupuesto 4711", "Albarán 17"}},
	"it": {"Fattura", "Numero fattura: R-17", map[string][]string{
		"reminder": {"Sollecito di pagamento", "Secondo sollecito di pagamento"}, "offer": {"Preventivo n. 4711"}, "order": {"Ordine di acquisto 17"}, "orderConfirmation": {"Conferma d'ordine 17"}, "deliveryNote": {"Documento di trasporto 17"},
		"proforma": {"Fattura proforma 17"}, "statement": {"Estratto conto"}, "remittance": {"Avviso di bonifico"}, "menu": {"Listino prezzi"},
	}, map[string]string{"reminder": "La fattura R-17 risulta ancora insoluta."}, []string{"Preventivo n. 4711", "Documento di trasporto 17"}},
	"nl": {"Factuur", "Factuurnummer: R-17", map[string][]string{
		"reminder": {"Aanmaning", "Tweede betalingsherinnering", "Laatste aanmaning"}, "offer": {"Offerte 4711"}, "order": {"Inkooporder 17"}, "orderConfirmation": {"Orderbevestiging 17"}, "deliveryNote": {"Pakbon 17"},
		"proforma": {"Proformafactuur 17"}, "statement": {"Rekeningoverzicht"}, "remittance": {"Betaaladvies"}, "menu": {"Prijslijst"},
	}, map[string]string{"reminder": "Factuur R-17 is nog niet betaald."}, []string{"Offerte 4711", "Pakbon 17"}},
	"pl": {"Faktura", "Numer faktury: R-17", map[string][]string{
		"reminder": {"Wezwanie do zapłaty", "Ostateczne przedsądowe wezwanie do zapłaty"}, "offer": {"Oferta nr 4711"}, "order": {"Zamówienie nr 17"}, "orderConfirmation": {"Potwierdzenie zamówienia 17"}, "deliveryNote": {"Dowód dostawy 17"},
		"proforma": {"Faktura pro forma 17"}, "statement": {"Wyciąg z konta"}, "remittance": {"Awizo płatności"}, "menu": {"Cennik"},
	}, map[string]string{"reminder": "Za fakturę R-17 nie otrzymaliśmy płatności."}, []string{"Oferta nr 4711", "Dowód dostawy 17"}},
}

// page are the rows of a page, one below the other.
func page(rows ...string) *candidate.Pages {
	var placed []string
	for i, row := range rows {
		placed = append(placed, fmt.Sprintf("%d|50 %s", 60+14*i, row))
	}
	return candidate.Of([]text.Sheet{drawn.Sheet(placed...)})
}

// Documents of other kinds are told by their title in letters of any size, first or below a
// letterhead, with the number of an invoice or amounts below; or by what they say.
func TestKinds(t *testing.T) {
	letterhead := []string{"Hafen Papier", "Kai 4", "20095 Hamburg"}
	all, right := 0, 0
	for language, l := range letters {
		body := []string{l.number, "20.11.2026", "Papier 2 x 10,00 = 20,00", "Total 20,00 EUR"}
		try := func(kind string, rows []string) {
			all++
			title := header.ReadTitle(page(rows...).Layout)
			if title.Kind == kind && (title.Code == "") == (kind != "") {
				right++
				return
			}
			t.Errorf("%s: %s is read as %q (%s), want %q", language, strings.Join(rows, " / "), title.Kind, title.Code, kind)
		}
		for kind, titles := range l.titles {
			for _, title := range titles {
				try(kind, append([]string{title}, body...))
				try(kind, append(append(append([]string{}, letterhead...), title), body...))
				try(kind, append([]string{strings.ToUpper(title)}, body...))
			}
		}
		for kind, said := range l.says {
			try(kind, append(append([]string{}, letterhead...), l.number, "20.11.2026", said, "20,00 EUR"))
		}
		for _, mention := range l.mentions {
			try("", append([]string{l.invoice, mention}, body...))
			try("", append(append(append([]string{}, letterhead...), l.invoice+" R-17"), append(body, mention)...))
		}
	}
	t.Logf("%d of %d kinds are right", right, all)
}
