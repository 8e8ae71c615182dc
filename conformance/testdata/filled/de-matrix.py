import sys
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

width, height = A4
c = canvas.Canvas(sys.argv[1], pagesize=A4)
rows = []
page = [1]


def put(line="", at=None):
    rows.append(line.rstrip())


def line(*parts):
    out = [" "] * 92
    for column, value, align in parts:
        start = column if align == "l" else column - len(value)
        for i, ch in enumerate(value):
            if 0 <= start + i < 92:
                out[start + i] = ch
    put("".join(out))


seller, buyer = {{text .Seller.Name.Raw}}, {{text .Buyer.Name.Raw}}
put(seller.upper() if False else seller)
{{with .Seller.PostalAddress}}put({{text .Line1.Raw}}); put({{text .PostCode.Raw}} + " " + {{text .City.Raw}}){{end}}
put("Tel. 04321/8877-0   Fax 04321/8877-44"); put(); put(); put()
line((0, "Herrn/Frau/Firma", "l"), (55, "R E C H N U N G", "l"))
line((0, buyer[:50], "l"))
{{with .Buyer.PostalAddress}}line((0, {{text .Line1.Raw}}, "l"), (55, "Rechnungs-Nr. : " + {{text $.Number.Raw}}, "l"))
put()
line((0, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}, "l"), (55, "Rechn.-Datum  : {{day $.IssueDate "02.01.06"}}", "l")){{end}}
line((55, "Kunden-Nr.    : 40118", "l"))
{{with .PurchaseOrderReference.Raw}}line((55, "Ihre Bestellg.: " + {{text .}}, "l")){{end}}
line((55, "Vertreter     : 07", "l")); line((55, "Blatt         : 1", "l")); put()
put("-" * 92)
line((0, "Menge", "l"), (10, "ME", "l"), (14, "Bezeichnung", "l"), (62, "Preis", "r"), (68, "Rab.%", "r"), (79, "Wert", "r"), (81, "St", "l"), (84, "Art.Nr.", "l"))
put("-" * 92)
rates = []
for name, quantity, unit, price, rate, amount, article in (
{{range .Lines}}    ({{text .Item.Name.Raw}}, "{{number .InvoicedQuantity "," "."}}", {{text (unit .InvoicedQuantityUnitCode "de")}}, "{{money .Price.NetPrice.Number "," "."}}", "{{number .Vat.Rate "," "."}}", "{{signBehind (money .NetAmount.Number "," ".")}}", {{text .Item.SellerIdentifier.Raw}}),
{{end}}):
    if rate not in rates:
        rates.append(rate)
    code = str(rates.index(rate) + 1)
    first, rest = name[:36], name[36:]
    line((8, quantity, "r"), (10, unit[:3], "l"), (14, first, "l"), (62, price, "r"), (79 + (1 if amount.endswith("-") else 0), amount, "r"), (81, code, "l"), (84, article[:8], "l"))
    while rest:
        line((14, rest[:36], "l")); rest = rest[36:]
put("-" * 92)
{{with .Totals}}line((14, "Warenwert", "l"), (79, "{{money .SumOfLineNetAmounts.Number "," "."}}", "r"))
{{end}}{{range .Allowances}}line((14, "./. " + ({{text .Reason.Raw}} or "Nachlass")[:30], "l"), (80, "{{money .Amount.Number "," "."}}-", "r"))
{{end}}{{range .Charges}}line((14, "+ " + ({{text .Reason.Raw}} or "Fracht")[:30], "l"), (79, "{{money .Amount.Number "," "."}}", "r"))
{{end}}put()
line((0, "St", "l"), (16, "Nettobetrag", "r"), (26, "MWSt-%", "r"), (40, "MWSt-Betrag", "r"), (79, "Rechnungsbetrag", "r"))
vats = [{{range .VatBreakdowns}}("{{money .TaxableAmount.Number "," "."}}", "{{money .Rate "," "."}}", "{{money .TaxAmount.Number "," "."}}"), {{end}}]
for i, (base, rate, tax) in enumerate(vats):
    parts = [(0, str(i + 1), "l"), (16, base, "r"), (26, rate, "r"), (40, tax, "r")]
    if i == 0:
        parts.append((79, "{{with .Totals}}{{money .TotalAmountWithVat.Number "," "."}}{{end}} {{.CurrencyCode.Raw}}", "r"))
    line(*parts)
put()
{{if .PaymentDueDate.Valid}}put("Zahlung: netto Kasse bis {{day .PaymentDueDate "02.01.06"}}"){{end}}
{{with iban .}}put("Bank: Volksbank  IBAN " + {{text .}}){{end}}
put("USt-IdNr. " + {{text .Seller.VatIdentifier.Raw}} + "   St-Nr. 20/123/45678   Erfuellungsort Neumuenster")
y = height - 50
c.setFont("Courier", 9.3)
for row in rows:
    if y < 50:
        c.showPage(); c.setFont("Courier", 9.3); y = height - 50
    c.drawString(40, y, row); y -= 11.5
c.save()
