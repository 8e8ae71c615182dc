import sys
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

width, height = A4
c = canvas.Canvas(sys.argv[1], pagesize=A4)
FONT, BOLD = "Helvetica", "Helvetica-Bold"
seller, buyer = {{text .Seller.Name.Raw}}, {{text .Buyer.Name.Raw}}
s_addr = [{{with .Seller.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}{{end}}]
b_addr = [{{with .Buyer.PostalAddress}}{{text .Line1.Raw}}, "", {{text .PostCode.Raw}} + " " + {{text .City.Raw}}{{end}}]
currency = {{text .CurrencyCode.Raw}}


def text(x, y, value, font=FONT, size=9):
    c.setFont(font, size); c.drawString(x, y, value)


def right(x, y, value, font=FONT, size=9):
    c.setFont(font, size); c.drawRightString(x, y, value)


def head():
    y = height - 400 if page == 1 else height - 110
    c.line(56, y + 14, 540, y + 14)
    text(56, y, "Pos."); text(86, y, "Material"); text(180, y, "Bezeichnung")
    y -= 11
    right(290, y, "Menge"); text(296, y, "ME"); right(400, y, "Preis"); right(450, y, "per ME"); right(540, y, "Betrag " + currency)
    c.line(56, y - 4, 540, y - 4)
    return y - 18


def foot():
    columns = ((56, (seller, *s_addr)), (190, ("Telefon 0711 40 22-0", "Telefax 0711 40 22-199", "Amtsgericht Stuttgart HRB 74112", "Geschäftsführer: J. Pauli, M. Reh")),
               (340, ("Deutsche Bank AG", {{with iban .}}"IBAN " + {{text .}}, {{end}}"SWIFT DEUTDESSXXX")), (470, ("USt-IdNr.", {{text .Seller.VatIdentifier.Raw}}, "St.-Nr. 99/021/51234")))
    for x, rows in columns:
        for i, row in enumerate(rows):
            text(x, 66 - 8 * i, row, FONT, 6.2)


def newpage():
    global page
    right(540, y, "Zwischensumme  " + carried)
    foot(); c.showPage(); page += 1
    text(56, height - 60, "Rechnung " + {{text .Number.Raw}} + " / {{day .IssueDate "02.01.2006"}}"); right(540, height - 60, "Seite %d" % page)
    return head()


page = 1
text(56, height - 130, " · ".join([seller] + s_addr), FONT, 6.5)
for i, row in enumerate(["Firma", buyer] + b_addr):
    text(56, height - 150 - 12 * i, row, FONT, 10)
text(350, height - 100, "Rechnung", BOLD, 16)
y = height - 130
for label, value in (("Nummer/Datum", {{text .Number.Raw}} + " / {{day .IssueDate "02.01.2006"}}"), ("Referenz-Nr./Datum", "80114437 / {{day .IssueDate "02.01.2006"}}"), {{with .PurchaseOrderReference.Raw}}("Bestellnummer", {{text .}}), {{end}}("Kundennummer", "1002345"), ("Sachbearbeiter", "Frau Beckers"), ("Telefon", "0711 40 22-315"), ("Währung", currency)):
    text(350, y, label, FONT, 8); y -= 10; text(350, y, value, BOLD, 9); y -= 14
{{if .PaymentDueDate.Valid}}text(56, height - 330, "Zahlungsbedingungen", BOLD); text(180, height - 330, "Zahlbar ohne Abzug bis {{day .PaymentDueDate "02.01.2006"}}"){{end}}
text(56, height - 344, "Lieferbedingungen", BOLD); text(180, height - 344, "frei Haus")
text(56, height - 366, "Sehr geehrte Damen und Herren, wir berechnen Ihnen wie folgt:")
y = head()
carried = "0,00"
for pos, article, name, quantity, unit, price, rate, amount in (
{{range $i, $l := .Lines}}    ("{{position $i}}", {{text $l.Item.SellerIdentifier.Raw}}, {{text $l.Item.Name.Raw}}, "{{number $l.InvoicedQuantity "," "."}}", {{text (unit $l.InvoicedQuantityUnitCode "de")}}, "{{signBehind (money $l.Price.NetPrice.Number "," ".")}}", "{{number $l.Vat.Rate "," "."}}", "{{signBehind (money $l.NetAmount.Number "," ".")}}"),
{{end}}):
    if y < 140:
        y = newpage()
    text(56, y, pos.zfill(3) + "0"); text(86, y, article)
    while c.stringWidth(name, FONT, 9) > 350:
        name = name[:-1]
    text(180, y, name, BOLD)
    y -= 11
    right(290, y, quantity); text(296, y, unit); right(400, y, price); right(450, y, "1 " + unit); right(540, y, amount)
    y -= 11
    text(180, y, "Steuersatz " + rate + " %", FONT, 8)
    y -= 16
    carried = amount
if y < 190:
    carried = ""; y = newpage()
c.line(56, y + 8, 540, y + 8); y -= 6
{{with .Totals}}text(180, y, "Summe Positionen"); right(540, y, "{{signBehind (money .SumOfLineNetAmounts.Number "," ".")}}"); y -= 13
{{end}}{{range .VatBreakdowns}}text(180, y, "Umsatzsteuer"); right(330, y, "{{money .Rate "," "."}} %"); text(345, y, "von"); right(440, y, "{{signBehind (money .TaxableAmount.Number "," ".")}}"); right(540, y, "{{signBehind (money .TaxAmount.Number "," ".")}}"); y -= 13
{{end}}{{with .Totals}}c.line(180, y + 8, 540, y + 8); text(180, y - 4, "Endbetrag", BOLD, 10); right(540, y - 4, "{{signBehind (money .TotalAmountWithVat.Number "," ".")}}", BOLD, 10)
{{end}}foot(); c.save()
