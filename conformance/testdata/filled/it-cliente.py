import sys
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table
from xml.sax.saxutils import escape

small = ParagraphStyle("small", fontName="Helvetica", fontSize=6.5, leading=8, textColor=colors.grey)
plain = ParagraphStyle("plain", fontName="Helvetica", fontSize=9, leading=11)
right = ParagraphStyle("right", parent=plain, alignment=2)
bold = ParagraphStyle("bold", parent=plain, fontName="Helvetica-Bold")
P = lambda text, style=plain: Paragraph(escape(text), style)
labelled = lambda label, value, style=plain: [P(label, small), P(value or " ", style)]
box = [("BOX", (0, 0), (-1, -1), .5, colors.black), ("INNERGRID", (0, 0), (-1, -1), .5, colors.black), ("VALIGN", (0, 0), (-1, -1), "TOP")]

seller = [P({{text .Seller.Name.Raw}}, ParagraphStyle("s", fontName="Helvetica-Bold", fontSize=13, leading=16))]
{{with .Seller.PostalAddress}}seller.append(P({{text .Line1.Raw}} + " - " + {{text .PostCode.Raw}} + " " + {{text .City.Raw}}))
{{end}}{{with .Seller.VatIdentifier.Raw}}seller.append(P("P.IVA e C.F. " + {{text .}} + " - R.E.A. MI 1234567")){{end}}
buyer = [P("Spett.le", small), P({{text .Buyer.Name.Raw}}, bold)]
{{with .Buyer.PostalAddress}}buyer += [P({{text .Line1.Raw}}), P({{text .PostCode.Raw}} + " " + {{text .City.Raw}})]
{{end}}page = [Table([[seller, buyer]], colWidths=[290, 220], style=[("VALIGN", (0, 0), (-1, -1), "TOP")]), Spacer(0, 12)]
page.append(Table([[labelled("TIPO DOCUMENTO", "Fattura differita", bold), labelled("NUMERO", {{text .Number.Raw}}, bold), labelled("DATA", "{{day .IssueDate "02/01/2006"}}", bold), labelled("COD. CLIENTE", "00412"), labelled("VS. ORDINE", {{text .PurchaseOrderReference.Raw}})],
                   [labelled("CONDIZIONI DI PAGAMENTO", "Bonifico 30 gg d.f."), labelled("SCADENZA", "{{if .PaymentDueDate.Valid}}{{day .PaymentDueDate "02/01/2006"}}{{end}}"), labelled("VALUTA", {{text .CurrencyCode.Raw}}), labelled("AGENTE", "12"), labelled("BANCA D'APPOGGIO", "{{with iban .}}{{.}}{{end}}")]], colWidths=[110, 90, 80, 80, 150], style=box))
page.append(Spacer(0, 10))
rows = [[P(h, small) for h in ("CODICE", "DESCRIZIONE DEI BENI", "U.M.", "QUANTITA'", "PREZZO UNITARIO", "SC. %", "IMPORTO", "C. IVA")]]
{{range .Lines}}rows.append([P({{text .Item.SellerIdentifier.Raw}}), P({{text .Item.Name.Raw}}), P({{text (unit .InvoicedQuantityUnitCode "it")}}), P("{{money .InvoicedQuantity "," "."}}", right), P("{{money .Price.NetPrice.Number "," "."}}", right), "", P("{{money .NetAmount.Number "," "."}}", right), P("{{number .Vat.Rate "," "."}}", right)])
{{end}}page += [Table(rows, colWidths=[60, 170, 30, 55, 65, 30, 70, 30], style=box, repeatRows=1), Spacer(0, 10)]
rows = [[P(h, small) for h in ("C. IVA", "IMPONIBILE", "% IVA", "IMPOSTA")]]
{{range .VatBreakdowns}}rows.append([P("{{number .Rate "," "."}}"), P("{{money .TaxableAmount.Number "," "."}}", right), P("{{number .Rate "," "."}}", right), P("{{money .TaxAmount.Number "," "."}}", right)])
{{end}}{{with .Totals}}totals = [[labelled("TOTALE MERCE", "{{money .SumOfLineNetAmounts.Number "," "."}}", right), labelled("SCONTO", ""), labelled("TRASPORTO", "")],
          [labelled("TOTALE IMPONIBILE", "{{money .TotalAmountWithoutVat.Number "," "."}}", right), labelled("TOTALE IMPOSTA", "{{money .TaxTotalAmount.Number "," "."}}", right), labelled("TOTALE A PAGARE", "{{money .AmountDueForPayment.Number "," "."}}", ParagraphStyle("t", parent=right, fontName="Helvetica-Bold", fontSize=11, leading=13))]]
page.append(Table([[Table(rows, colWidths=[40, 80, 40, 70], style=box), Table(totals, colWidths=[90, 80, 95], style=box)]], colWidths=[240, 270], style=[("VALIGN", (0, 0), (-1, -1), "TOP")]))
{{end}}SimpleDocTemplate(sys.argv[1], pagesize=A4, leftMargin=42, rightMargin=42, topMargin=40, bottomMargin=40).build(page)
