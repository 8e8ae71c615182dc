import sys
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

width, height = A4
c = canvas.Canvas(sys.argv[1], pagesize=A4)
FONT, BOLD = "Times-Roman", "Times-Bold"


def text(x, y, value, font=FONT, size=10):
    c.setFont(font, size); c.drawString(x, y, value)


def right(x, y, value, font=FONT, size=10):
    c.setFont(font, size); c.drawRightString(x, y, value)


text(50, height - 60, {{text .Seller.Name.Raw}}, BOLD, 18)
y = height - 76
for row in ({{with .Seller.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}, {{end}}{{with .Seller.VatIdentifier.Raw}}"Partita IVA: " + {{text .}}, {{end}}{{with iban .}}"IBAN: " + {{text .}}, {{end}}):
    text(50, y, row, FONT, 9); y -= 11
y = height - 150
for row in ("Destinatario", {{text .Buyer.Name.Raw}}, {{with .Buyer.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}{{end}}):
    text(330, y, row, BOLD if row == "Destinatario" else FONT, 10); y -= 13
y = height - 160
text(50, y, "FATTURA", BOLD, 14); y -= 18
for label, value in (("Numero documento", {{text .Number.Raw}}), ("Data documento", "{{day .IssueDate "02.01.2006"}}"), {{if .PaymentDueDate.Valid}}("Data scadenza", "{{day .PaymentDueDate "02.01.2006"}}"), {{end}}{{with .PurchaseOrderReference.Raw}}("Vs. ordine", {{text .}}), {{end}}("Valuta", {{text .CurrencyCode.Raw}})):
    text(50, y, label, FONT, 9); text(150, y, value, BOLD, 9); y -= 12
y -= 30
c.line(50, y + 12, 545, y + 12)
for x, label in ((50, "Articolo"), (330, "Quantità"), (400, "Prezzo unit."), (460, "Al. IVA"), (545, "Totale riga")):
    (text if x == 50 else right)(x, y, label, BOLD, 9)
c.line(50, y - 4, 545, y - 4)
for name, quantity, price, rate, amount in (
{{range .Lines}}    ({{text .Item.Name.Raw}}, "{{number .InvoicedQuantity "," "."}}", "{{number .Price.NetPrice.Number "," "."}}", "{{number .Vat.Rate "," "."}}", "{{money .NetAmount.Number "," "."}}"),
{{end}}):
    y -= 15
    if y < 150:
        c.showPage(); y = height - 60
    while c.stringWidth(name, FONT, 9) > 230:
        name = name[:-1]
    text(50, y, name, FONT, 9)
    for x, value in ((330, quantity), (400, price), (460, rate), (545, amount)):
        right(x, y, value, FONT, 9)
y -= 26
text(50, y, "Riepilogo IVA", BOLD, 9); y -= 13
for x, label in ((50, "Aliquota %"), (150, "Imponibile"), (230, "Imposta")):
    (text if x == 50 else right)(x, y, label, FONT, 8)
for rate, base, tax in ({{range .VatBreakdowns}}("{{number .Rate "," "."}}", "{{money .TaxableAmount.Number "," "."}}", "{{money .TaxAmount.Number "," "."}}"), {{end}}):
    y -= 12
    text(50, y, rate, FONT, 9); right(150, y, base, FONT, 9); right(230, y, tax, FONT, 9)
{{with .Totals}}y -= 24
for label, value in (("Imponibile", "{{money .TotalAmountWithoutVat.Number "," "."}}"), ("IVA", "{{money .TaxTotalAmount.Number "," "."}}"), ("TOTALE FATTURA", "{{money .TotalAmountWithVat.Number "," "."}}")):
    text(380, y, label, BOLD, 10); right(545, y, value, BOLD, 10); y -= 15
{{end}}c.save()
