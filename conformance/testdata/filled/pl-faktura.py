import sys
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table
from xml.sax.saxutils import escape

folder = "/usr/share/fonts/truetype/dejavu/"
pdfmetrics.registerFont(TTFont("Sans", folder + "DejaVuSans.ttf"))
pdfmetrics.registerFont(TTFont("Bold", folder + "DejaVuSans-Bold.ttf"))
plain = ParagraphStyle("plain", fontName="Sans", fontSize=8.5, leading=11)
right = ParagraphStyle("right", parent=plain, alignment=2)
title = ParagraphStyle("title", fontName="Bold", fontSize=15, leading=20, alignment=2)
P = lambda text, style=plain: Paragraph(escape(text), style)
grid = [("GRID", (0, 0), (-1, -1), .4, colors.grey), ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke), ("VALIGN", (0, 0), (-1, -1), "TOP")]

page = [P("Faktura VAT " + {{text .Number.Raw}}, title), P("Data wystawienia: {{day .IssueDate "02.01.2006"}}", right)]
{{if .PaymentDueDate.Valid}}page.append(P("Termin płatności: {{day .PaymentDueDate "02.01.2006"}}", right)){{end}}
{{if .PurchaseOrderReference.Raw}}page.append(P("Nr zamówienia: " + {{text .PurchaseOrderReference.Raw}}, right)){{end}}
seller = [P("Sprzedawca:"), P({{text .Seller.Name.Raw}}), {{with .Seller.PostalAddress}}P({{text .Line1.Raw}}), P({{text .PostCode.Raw}} + " " + {{text .City.Raw}}), {{end}}P("NIP: " + {{text .Seller.VatIdentifier.Raw}})]
buyer = [P("Nabywca:"), P({{text .Buyer.Name.Raw}}), {{with .Buyer.PostalAddress}}P({{text .Line1.Raw}}), P({{text .PostCode.Raw}} + " " + {{text .City.Raw}}), {{end}}]
page += [Spacer(0, 14), Table([[seller, buyer]], colWidths=[250, 250]), Spacer(0, 14)]
rows = [[P(h) for h in ("Lp.", "Nazwa towaru lub usługi", "Ilość", "Cena netto", "Wartość netto", "VAT %")]]
{{range $i, $_ := .Lines}}rows.append([P("{{position $i}}"), P({{text .Item.Name.Raw}}), P("{{number .InvoicedQuantity "," " "}}", right), P("{{number .Price.NetPrice.Number "," " "}}", right), P("{{money .NetAmount.Number "," " "}}", right), P("{{number .Vat.Rate "," " "}}", right)])
{{end}}page += [Table(rows, colWidths=[35, 205, 55, 75, 85, 45], style=grid, repeatRows=1), Spacer(0, 12)]
rows = [[P(h, right) for h in ("Stawka VAT", "Wartość netto", "Kwota VAT", "Wartość brutto")]]
{{range .VatBreakdowns}}rows.append([P("{{number .Rate "," " "}}%", right), P("{{money .TaxableAmount.Number "," " "}}", right), P("{{money .TaxAmount.Number "," " "}}", right), ""])
{{end}}{{with .Totals}}rows.append([P("Razem", right), P("{{money .TotalAmountWithoutVat.Number "," " "}}", right), P("{{money .TaxTotalAmount.Number "," " "}}", right), P("{{money .TotalAmountWithVat.Number "," " "}}", right)])
{{end}}page += [Table(rows, colWidths=[80, 100, 100, 100], style=grid, hAlign="RIGHT"), Spacer(0, 16)]
{{with .Totals}}page.append(P("Do zapłaty: {{money .AmountDueForPayment.Number "," " "}} " + {{text $.CurrencyCode.Raw}}, ParagraphStyle("due", fontName="Bold", fontSize=12, leading=16))){{end}}
{{with iban .}}page.append(P("Numer konta: " + {{text .}})){{end}}
SimpleDocTemplate(sys.argv[1], pagesize=A4, leftMargin=45, rightMargin=45, topMargin=50, bottomMargin=50).build(page)
