import sys
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen import canvas

width, height = letter
c = canvas.Canvas(sys.argv[1], pagesize=letter)


def head():
    c.setFillGray(.35); c.setFont("Helvetica", 8)
    for x, label in ((54, "ITEM"), (340, "QTY"), (415, "RATE"), (470, "TAX"), (558, "AMOUNT")):
        (c.drawString if x == 54 else c.drawRightString)(x, y, label)
    c.setFillGray(0); c.setFont("Helvetica", 10)


def wrapped(text, most):
    rows = [""]
    for word in text.split():
        if rows[-1] and c.stringWidth(rows[-1] + " " + word, "Helvetica", 10) > most:
            rows.append("")
        rows[-1] = (rows[-1] + " " + word).strip()
    return rows


c.setFont("Helvetica-Bold", 30); c.drawString(54, height - 80, "Invoice")
c.setFont("Helvetica", 10)
y = height - 110
for label, value in (("Invoice #", {{text .Number.Raw}}), ("Issued", "{{day .IssueDate "Jan 2, 2006"}}"), {{if .PaymentDueDate.Valid}}("Due", "{{day .PaymentDueDate "Jan 2, 2006"}}"), {{end}}{{if .PurchaseOrderReference.Raw}}("P.O. #", {{text .PurchaseOrderReference.Raw}}), {{end}}):
    c.drawString(54, y, label); c.drawString(130, y, value); y -= 14
y -= 16
top = y
for x, rows in ((54, ["From", {{text .Seller.Name.Raw}}, {{with .Seller.PostalAddress}}{{text .Line1.Raw}}, {{text .City.Raw}} + ", " + {{text .PostCode.Raw}}, {{end}}{{with .Seller.VatIdentifier.Raw}}"Tax ID " + {{text .}}{{end}}]), (310, ["Billed to", {{text .Buyer.Name.Raw}}, {{with .Buyer.PostalAddress}}{{text .Line1.Raw}}, {{text .City.Raw}} + ", " + {{text .PostCode.Raw}}{{end}}])):
    y = top
    for i, row in enumerate(rows):
        c.setFillGray(.35 if i == 0 else 0); c.setFont("Helvetica-Bold" if i == 1 else "Helvetica", 10)
        c.drawString(x, y, row); y -= 14
y = top - 100
{{with .Totals}}c.setFont("Helvetica-Bold", 16); c.drawString(54, y, "{{money .AmountDueForPayment.Number "." ","}} " + {{text $.CurrencyCode.Raw}} + " due"); y -= 34
{{end}}head()
for name, quantity, price, rate, amount in (
{{range .Lines}}    ({{text .Item.Name.Raw}}, "{{number .InvoicedQuantity "." ","}}", "{{number .Price.NetPrice.Number "." ","}}", "{{number .Vat.Rate "." ","}}%", "{{money .NetAmount.Number "." ","}}"),
{{end}}):
    y -= 18
    if y < 90:
        c.showPage(); y = height - 72; head(); y -= 18
    for x, value in ((340, quantity), (415, price), (470, rate), (558, amount)):
        c.drawRightString(x, y, value)
    for i, row in enumerate(wrapped(name, 240)):
        y -= 12 if i else 0
        c.drawString(54, y, row)
y -= 12; c.setStrokeGray(.7); c.line(310, y, 558, y)
for label, value in ({{with .Totals}}("Subtotal", "{{money .TotalAmountWithoutVat.Number "." ","}}"), {{end}}{{range .VatBreakdowns}}("VAT ({{number .Rate "." ","}}% of {{money .TaxableAmount.Number "." ","}})", "{{money .TaxAmount.Number "." ","}}"), {{end}}{{with .Totals}}("Total", "{{money .TotalAmountWithVat.Number "." ","}}"), ("Amount due", "{{money .AmountDueForPayment.Number "." ","}}"){{end}}):
    y -= 18
    if y < 60:
        c.showPage(); y = height - 72; c.setFont("Helvetica", 10)
    c.drawString(310, y, label); c.drawRightString(558, y, value)
{{with iban .}}c.drawString(54, 48, "Wire transfer: IBAN " + {{text .}})
{{end}}c.save()
