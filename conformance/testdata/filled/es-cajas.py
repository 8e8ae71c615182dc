import sys
from reportlab.lib.pagesizes import A4
from reportlab.lib import colors
from reportlab.pdfgen import canvas

width, height = A4
c = canvas.Canvas(sys.argv[1], pagesize=A4)
FONT, BOLD = "Courier", "Courier-Bold"
MONTHS = ("", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre")


def text(x, y, value, font=FONT, size=9):
    c.setFont(font, size); c.drawString(x, y, value)


def right(x, y, value, font=FONT, size=9):
    c.setFont(font, size); c.drawRightString(x, y, value)


def written(day):
    d, m, y = day.split("/")
    return "%d de %s de %s" % (int(d), MONTHS[int(m)], y)


def boxes(y, heads, values, xs, h=34):
    for i, (head, value) in enumerate(zip(heads, values)):
        c.rect(xs[i], y, xs[i + 1] - xs[i], h)
        c.setFillColor(colors.lightgrey); c.rect(xs[i], y + h - 12, xs[i + 1] - xs[i], 12, fill=1); c.setFillColor(colors.black)
        c.setFont(BOLD, 7); c.drawCentredString((xs[i] + xs[i + 1]) / 2, y + h - 9, head)
        c.setFont(FONT, 9); c.drawCentredString((xs[i] + xs[i + 1]) / 2, y + 8, value)


text(40, height - 50, {{text .Seller.Name.Raw}}, BOLD, 13)
y = height - 64
for row in ({{with .Seller.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}, {{end}}{{with .Seller.VatIdentifier.Raw}}"N.I.F.: " + {{text .}}, {{end}}"Tlf.: 93 555 01 02"):
    text(40, y, row, FONT, 8); y -= 10
c.roundRect(300, height - 180, 255, 80, 6)
y = height - 116
for row in ({{text .Buyer.Name.Raw}}, {{with .Buyer.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}, {{end}}{{with .Buyer.VatIdentifier.Raw}}"N.I.F.: " + {{text .}}, {{end}}):
    text(310, y, row); y -= 13
text(40, height - 170, "F A C T U R A", BOLD, 16)
boxes(height - 230, ("FACTURA", "FECHA", "CLIENTE", "PEDIDO", "PÁGINA"), ({{text .Number.Raw}}, written("{{day .IssueDate "02/01/2006"}}"), "004300012", {{text .PurchaseOrderReference.Raw}}, "1"), (40, 150, 310, 400, 500, 555))
y = height - 256
for x, head in ((85, "CANTIDAD"), (400, "PRECIO"), (450, "% DTO."), (550, "IMPORTE")):
    right(x, y, head, BOLD, 8)
text(100, y, "CONCEPTO", BOLD, 8)
c.line(40, y - 4, 555, y - 4)
for quantity, name, price, amount in (
{{range .Lines}}    ("{{money .InvoicedQuantity "," "."}}", {{text .Item.Name.Raw}}, "{{number .Price.NetPrice.Number "," "."}}", "{{money .NetAmount.Number "," "."}}"),
{{end}}):
    y -= 14
    if y < 190:
        right(550, 170, "SUMA Y SIGUE", BOLD, 8); c.showPage(); y = height - 60
    right(85, y, quantity); right(400, y, price); right(550, y, amount)
    while c.stringWidth(name, FONT, 9) > 240:
        cut = name[:44].rfind(" ")
        cut = cut if cut > 0 else 44
        text(100, y, name[:cut]); name = name[cut:].strip(); y -= 11
    text(100, y, name)
{{range $i, $v := .VatBreakdowns}}boxes(140 - {{position $i}} * 34, ("BASE IMPONIBLE", "% IVA", "CUOTA IVA", "% R.E.", "CUOTA R.E."), ("{{money $v.TaxableAmount.Number "," "."}}", "{{money $v.Rate "," "."}}", "{{money $v.TaxAmount.Number "," "."}}", "", ""), (40, 140, 190, 280, 330, 400))
{{end}}{{with .Totals}}boxes(106, ("TOTAL FACTURA",), ("{{money .TotalAmountWithVat.Number "," "."}} {{$.CurrencyCode.Raw}}",), (410, 555))
{{end}}text(40, 152, "Forma de pago: Transferencia bancaria{{with iban .}}  IBAN: {{.}}{{end}}", FONT, 8)
{{if .PaymentDueDate.Valid}}text(410, 92, "Vencimiento: {{day .PaymentDueDate "02/01/2006"}}", FONT, 8){{end}}
c.save()
