import sys
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

folder = "/usr/share/fonts/truetype/dejavu/"
pdfmetrics.registerFont(TTFont("Sans", folder + "DejaVuSans.ttf"))
pdfmetrics.registerFont(TTFont("Bold", folder + "DejaVuSans-Bold.ttf"))
width, height = A4
c = canvas.Canvas(sys.argv[1], pagesize=A4)


def text(x, y, value, font="Sans", size=8):
    c.setFont(font, size); c.drawString(x, y, value)


def right(x, y, value, font="Sans", size=8):
    c.setFont(font, size); c.drawRightString(x, y, value)


currency = "{{if eq .CurrencyCode.Raw "EUR"}}EUR{{else}}{{.CurrencyCode.Raw}}{{end}}"
c.rect(36, 36, width - 72, height - 72)
right(width - 44, height - 52, "FAKTURA - DAŇOVÝ DOKLAD č. " + {{text .Number.Raw}}, "Bold", 11)
c.line(36, height - 60, width - 36, height - 60); c.line(width / 2, height - 60, width / 2, height - 250)
text(44, height - 74, "Dodavatel:", "Sans", 7)
y = height - 88
for i, row in enumerate(({{text .Seller.Name.Raw}}, {{with .Seller.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}, {{end}})):
    text(44, y, row, "Bold" if i == 0 else "Sans", 9); y -= 12
text(44, y - 6, "IČ: 25596641"); text(44, y - 18, "DIČ: " + {{text .Seller.VatIdentifier.Raw}})
y -= 40
text(44, y, "Telefon: 567 112 612"); text(44, y - 11, "E-mail: info@dodavatel.example")
{{with iban .}}text(44, y - 30, "IBAN:", "Sans", 7); text(90, y - 30, {{text .}}, "Bold"); text(44, y - 42, "SWIFT:", "Sans", 7); text(90, y - 42, "GIBACZPX"){{end}}
x = width / 2 + 8
text(x, height - 74, "Variabilní symbol:", "Sans", 7); text(x + 90, height - 74, "21017"); 
{{with .PurchaseOrderReference.Raw}}text(x, height - 86, "Objednávka č.:", "Sans", 7); text(x + 90, height - 86, {{text .}}){{end}}
text(x, height - 104, "Odběratel:", "Sans", 7)
y = height - 118
for i, row in enumerate(({{text .Buyer.Name.Raw}}, {{with .Buyer.PostalAddress}}{{text .Line1.Raw}}, {{text .PostCode.Raw}} + " " + {{text .City.Raw}}, {{end}})):
    text(x, y, row, "Bold" if i == 0 else "Sans", 9); y -= 12
y = height - 190
for label, value in (("Datum vystavení:", "{{day .IssueDate "02.01.2006"}}"), {{if .PaymentDueDate.Valid}}("Datum splatnosti:", "{{day .PaymentDueDate "02.01.2006"}}"), {{end}}{{with .Delivery}}{{if .ActualDate.Valid}}("Datum uskutečnění plnění:", "{{day .ActualDate "02.01.2006"}}"), {{end}}{{end}}("Forma úhrady:", "Příkazem")):
    text(x, y, label, "Sans", 7); text(x + 130, y, value, "Bold"); y -= 12
c.line(36, height - 250, width - 36, height - 250)
y = height - 264
text(44, y, "Označení dodávky", "Sans", 7)
for px, label in ((270, "Množství"), (335, "J.cena"), (400, "Cena"), (435, "%DPH"), (490, "DPH"), (width - 44, "Celkem")):
    right(px, y, label, "Sans", 7)
c.line(36, y - 4, width - 36, y - 4)
y -= 18
text(44, y, "Fakturujeme Vám za dodávku zboží či služeb:"); y -= 14
for name, quantity, unit, price, net, rate, gross in (
{{range .Lines}}    ({{text .Item.Name.Raw}}, "{{number .InvoicedQuantity "," " "}}", {{text (unit .InvoicedQuantityUnitCode "cs")}}, "{{money .Price.NetPrice.Number "," " "}}", "{{money .NetAmount.Number "," " "}}", "{{number .Vat.Rate "," " "}}", "{{money (withVat .NetAmount.Number .Vat.Rate) "," " "}}"),
{{end}}):
    if y < 230:
        c.showPage(); y = height - 60
    while c.stringWidth(name, "Sans", 8) > 170:
        name = name[:-1]
    number = lambda s: float(s.replace(" ", "").replace(" ", "").replace(",", "."))
    tax = ("%.2f" % (number(gross) - number(net))).replace(".", ",")
    text(44, y, name); right(270, y, quantity + " " + unit); right(335, y, price); right(400, y, net); right(435, y, rate + "%"); right(490, y, tax); right(width - 44, y, gross)
    y -= 13
y -= 6
c.line(36, y + 10, width - 36, y + 10)
{{with .Totals}}text(44, y, "Součet položek"); right(400, y, "{{money .SumOfLineNetAmounts.Number "," " "}}"); right(490, y, "{{money .TaxTotalAmount.Number "," " "}}"); right(width - 44, y, "{{money .TotalAmountWithVat.Number "," " "}}"); y -= 22
text(44, y, "CELKEM K ÚHRADĚ", "Bold", 12); right(width - 44, y, "{{money .AmountDueForPayment.Number "," " "}} " + currency, "Bold", 12); y -= 30
{{end}}text(250, y, "Rekapitulace DPH:", "Sans", 7); right(380, y, "Základ v " + currency, "Sans", 7); right(420, y, "Sazba", "Sans", 7); right(480, y, "DPH v " + currency, "Sans", 7); right(width - 44, y, "Celkem s DPH", "Sans", 7); y -= 12
for base, rate, tax, gross in ({{range .VatBreakdowns}}("{{money .TaxableAmount.Number "," " "}}", "{{number .Rate "," " "}}", "{{money .TaxAmount.Number "," " "}}", "{{money (withVat .TaxableAmount.Number .Rate) "," " "}}"), {{end}}):
    right(380, y, base); right(420, y, rate + "%"); right(480, y, tax); right(width - 44, y, gross); y -= 12
text(44, 60, "Vystavil: Jana Nováková"); text(300, 60, "Převzal:"); text(400, 60, "Razítko:")
c.save()
