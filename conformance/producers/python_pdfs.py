"""Makes PDFs with libraries for Python, the odd ones among them; usage: python_pdfs.py OUT"""
import io, os, sys
out = sys.argv[1]
TEXT = "Rechnung 4711: Müller & Söhne, Größe, 9,99 €"
SANS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
failed = []


def pdf(name):
    def make(f):
        try:
            f(os.path.join(out, name + ".pdf"))
        except Exception as e:  # one library that fails must not stop the others
            failed.append(name)
            print("not made:", name, repr(e)[:200])
    return make


from reportlab.pdfgen import canvas
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.lib.colors import CMYKColor, CMYKColorSep, PCMYKColor
pdfmetrics.registerFont(TTFont("DejaVu", SANS))


@pdf("reportlab-standard-fonts")
def _(path):
    c = canvas.Canvas(path)
    y = 800
    for f in c.getAvailableFonts():
        if f in ("Symbol", "ZapfDingbats", "DejaVu"):
            continue
        c.setFont(f, 12); c.drawString(50, y, f + ": " + TEXT); y -= 20
    c.save()


@pdf("reportlab-symbols")
def _(path):
    c = canvas.Canvas(path)
    c.setFont("Symbol", 14); c.drawString(50, 800, "αβγ")
    c.setFont("ZapfDingbats", 14); c.drawString(50, 760, "\u2714\u2718\u2605")
    c.save()


@pdf("reportlab-truetype")
def _(path):
    c = canvas.Canvas(path); c.setFont("DejaVu", 12); c.drawString(50, 800, TEXT + " Ελληνικά"); c.save()


@pdf("reportlab-cmyk")
def _(path):
    c = canvas.Canvas(path); c.setFont("DejaVu", 12)
    c.setFillColor(CMYKColor(0.9, 0.2, 0, 0.1)); c.rect(50, 600, 100, 100, fill=1)
    c.setFillColor(PCMYKColor(0, 80, 90, 0, spotName="HKS 7")); c.rect(200, 600, 100, 100, fill=1)
    c.drawString(50, 800, TEXT); c.save()


@pdf("reportlab-form")
def _(path):
    c = canvas.Canvas(path); c.setFont("DejaVu", 12); c.drawString(50, 800, TEXT)
    c.acroForm.textfield(name="a", x=50, y=700, value="Wert", width=200, height=20)
    c.acroForm.checkbox(name="b", x=50, y=650, checked=True)
    c.acroForm.choice(name="c", x=50, y=600, options=["x", "y"], value="x", width=80, height=20)
    c.save()


@pdf("reportlab-encrypted-owner")
def _(path):
    from reportlab.lib.pdfencrypt import StandardEncryption
    c = canvas.Canvas(path, encrypt=StandardEncryption("", "owner", canPrint=0)); c.setFont("DejaVu", 12); c.drawString(50, 800, TEXT); c.save()


@pdf("reportlab-encrypted-user")
def _(path):
    c = canvas.Canvas(path, encrypt="secret"); c.drawString(50, 800, "x"); c.save()


@pdf("reportlab-cjk-unembedded")
def _(path):
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    c = canvas.Canvas(path); c.setFont("HeiseiMin-W3", 14); c.drawString(50, 800, "日本語"); c.save()


from fpdf import FPDF


@pdf("fpdf2-standard")
def _(path):
    p = FPDF(); p.add_page(); p.set_font("Helvetica", size=12); p.cell(text="Rechnung Müller", link="https://example.org/"); p.output(path)


@pdf("fpdf2-truetype")
def _(path):
    p = FPDF(); p.add_page(); p.add_font("D", fname=SANS); p.set_font("D", size=12); p.cell(text=TEXT + " Кириллица"); p.output(path)


@pdf("fpdf2-transparency")
def _(path):
    p = FPDF(); p.add_page(); p.add_font("D", fname=SANS); p.set_font("D", size=12)
    with p.local_context(fill_opacity=0.3, blend_mode="MULTIPLY"):
        p.cell(text=TEXT)
    p.output(path)


@pdf("fpdf2-annotations")
def _(path):
    p = FPDF(); p.add_page(); p.add_font("D", fname=SANS); p.set_font("D", size=12); p.cell(text=TEXT)
    p.text_annotation(50, 50, "Eine Notiz")
    with p.highlight("Hervorhebung"):
        p.cell(text="gelb")
    p.output(path)


@pdf("fpdf2-attachment")
def _(path):
    p = FPDF(); p.add_page(); p.add_font("D", fname=SANS); p.set_font("D", size=12); p.cell(text=TEXT)
    p.embed_file(bytes=b"a;b", basename="Plan.csv"); p.file_attachment_annotation(__file__, 60, 60); p.output(path)


import pikepdf
from pikepdf import Name, Dictionary, Array, String


def changed(name, source, f, **kw):
    @pdf(name)
    def _(path):
        with pikepdf.open(os.path.join(out, source + ".pdf")) as p:
            f(p); p.save(path, **kw)


def js(p):
    p.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    p.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array([String("a"), Dictionary(S=Name.JavaScript, JS=String("1"))])))
    p.pages[0].AA = Dictionary(O=Dictionary(S=Name.JavaScript, JS=String("1")))


changed("pikepdf-javascript", "reportlab-truetype", js)
changed("pikepdf-object-streams", "fpdf2-truetype", lambda p: None, object_stream_mode=pikepdf.ObjectStreamMode.generate)
changed("pikepdf-encrypted-aes256", "fpdf2-truetype", lambda p: None, encryption=pikepdf.Encryption(owner="o", user="", R=6))
changed("pikepdf-encrypted-rc4", "fpdf2-truetype", lambda p: None, encryption=pikepdf.Encryption(owner="o", user="", R=3, aes=False, metadata=False))
changed("pikepdf-linearized", "reportlab-truetype", lambda p: None, linearize=True)


def link(action):
    def f(p):
        p.pages[0].Annots = p.make_indirect(Array([p.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 99, 99]), A=action))]))
    return f


changed("pikepdf-launch", "reportlab-truetype", link(Dictionary(S=Name.Launch, F=String("calc.exe"))))
changed("pikepdf-xfa", "reportlab-form", lambda p: p.Root.AcroForm.__setitem__("/XFA", String("x")))


def layers(p):
    g = [p.make_indirect(Dictionary(Type=Name.OCG, Name=String(n))) for n in ("Eins", "Zwei")]
    p.Root.OCProperties = Dictionary(OCGs=Array(g), D=Dictionary(Order=Array(g[:1]), AS=Array([Dictionary(Event=Name.View, Category=Array([Name.View]), OCGs=Array(g))])))


changed("pikepdf-layers", "reportlab-truetype", layers)


def graphics(p):
    r = p.pages[0].Resources
    r.ExtGState = Dictionary(G=Dictionary(TR=Name.Identity, HT=Name.Default, BM=Array([Name.Strange, Name.Multiply]), OPM=1, OP=True, RI=Name.Strange))
    p.pages[0].contents_add(b"/G gs /Strange ri 1 0 0 rg 300 300 50 50 re f BX strange EX Q", prepend=False)


changed("pikepdf-graphics-state", "reportlab-truetype", graphics)


def lzw(p):
    s = p.make_stream(bytes([0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01])); s.Filter = Name.LZWDecode
    f = p.make_stream(b""); f.write(bytes([0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]), filter=Name.LZWDecode)
    i = Dictionary(Type=Name.XObject, Subtype=Name.Image, Width=3, Height=3, BitsPerComponent=8, ColorSpace=Name.DeviceGray)
    for k, v in i.items():
        f[k] = v
    f.Interpolate = True
    p.pages[0].Resources.XObject = Dictionary(I=f)
    p.pages[0].contents_add(b"q 50 0 0 50 300 300 cm /I Do Q")


changed("pikepdf-lzw-interpolate", "reportlab-truetype", lzw)


def signed(p):
    f = p.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Sig, T=String("s"), Rect=Array([0, 0, 0, 0]), F=132,
                                   V=Dictionary(Type=Name.Sig, Filter=Name("/Adobe.PPKLite"), ByteRange=Array([0, 1, 2, 3]), Contents=String("x"))))
    p.pages[0].Annots = Array([f]); p.Root.AcroForm = Dictionary(Fields=Array([f]), SigFlags=3)
    p.Root.Perms = Dictionary(DocMDP=f.V)


changed("pikepdf-signature", "reportlab-truetype", signed)
changed("pikepdf-form-without-appearance", "reportlab-form", lambda p: [a.__delitem__("/AP") for a in p.pages[0].Annots if "/AP" in a])
changed("pikepdf-tiny-page", "reportlab-truetype", lambda p: p.pages[0].__setitem__("/MediaBox", Array([0, 0, 2, 2])))


def notdef(p):
    for f in p.pages[0].Resources.Font.values():
        if f.Subtype == Name.Type0:
            p.pages[0].contents_add(b"BT /" + b"F9" + b" 12 Tf 50 400 Td <0000> Tj ET"); p.pages[0].Resources.Font["/F9"] = f


changed("pikepdf-notdef", "fpdf2-truetype", notdef)


def widths(p):
    for f in p.pages[0].Resources.Font.values():
        if f.Subtype == Name.Type0:
            f.DescendantFonts[0].W = Array([0, 65535, 700])


changed("pikepdf-wrong-widths", "fpdf2-truetype", widths)
changed("pikepdf-no-cidtogidmap", "fpdf2-truetype", lambda p: [f.DescendantFonts[0].__delitem__("/CIDToGIDMap") for f in p.pages[0].Resources.Font.values() if "/CIDToGIDMap" in f.DescendantFonts[0]])


@pdf("pymupdf-standard")
def _(path):
    import pymupdf
    d = pymupdf.open(); g = d.new_page(); g.insert_text((50, 72), "Rechnung Müller"); g.draw_rect((50, 100, 90, 140), fill=(1, 0, 0), fill_opacity=0.4)
    g.add_freetext_annot((50, 200, 200, 250), "Freitext"); g.add_highlight_annot((50, 60, 100, 75)); d.save(path)


@pdf("pymupdf-cjk")
def _(path):
    import pymupdf
    d = pymupdf.open(); g = d.new_page(); g.insert_text((50, 72), "日本語 中文", fontname="china-s"); d.save(path)


@pdf("pypdf-merged")
def _(path):
    from pypdf import PdfWriter
    w = PdfWriter()
    for s in ("reportlab-truetype", "fpdf2-standard", "reportlab-form"):
        w.append(os.path.join(out, s + ".pdf"))
    w.write(path)


for backend_font in (3, 42):
    @pdf("matplotlib-type%d" % backend_font)
    def _(path, kind=backend_font):
        import matplotlib
        matplotlib.use("pdf"); matplotlib.rcParams["pdf.fonttype"] = kind
        import matplotlib.pyplot as plt
        plt.figure(); plt.plot([1, 3, 2], alpha=0.5); plt.title(TEXT + r" $\alpha^2$"); plt.savefig(path); plt.close()


@pdf("matplotlib-core-fonts")
def _(path):
    import matplotlib
    matplotlib.use("pdf"); matplotlib.rcParams["pdf.use14corefonts"] = True
    import matplotlib.pyplot as plt
    plt.figure(); plt.plot([1, 3, 2]); plt.title("Rechnung"); plt.savefig(path); plt.close()
    matplotlib.rcParams["pdf.use14corefonts"] = False


from PIL import Image, ImageDraw


def scan(mode):
    i = Image.new("RGB", (600, 800), "white"); ImageDraw.Draw(i).text((50, 50), "Rechnung 4711", fill="black")
    return i.convert(mode)


for mode in ("RGB", "L", "1", "CMYK", "P"):
    @pdf("pillow-" + mode.lower())
    def _(path, mode=mode):
        scan(mode).save(path)


@pdf("img2pdf-jpeg")
def _(path):
    import img2pdf
    b = io.BytesIO(); scan("CMYK").save(b, "JPEG"); open(path, "wb").write(img2pdf.convert(b.getvalue()))


@pdf("img2pdf-jpeg2000")
def _(path):
    import img2pdf
    b = io.BytesIO(); scan("RGB").save(b, "JPEG2000"); open(path, "wb").write(img2pdf.convert(b.getvalue()))


@pdf("img2pdf-fax")
def _(path):
    import img2pdf
    b = io.BytesIO(); scan("1").save(b, "TIFF", compression="group4"); open(path, "wb").write(img2pdf.convert(b.getvalue()))


@pdf("xhtml2pdf")
def _(path):
    from xhtml2pdf import pisa
    with open(path, "wb") as f:
        pisa.CreatePDF("<h1>Rechnung</h1><p>Müller</p>", dest=f)


@pdf("weasyprint")
def _(path):
    import weasyprint
    weasyprint.HTML(os.path.join(os.path.dirname(os.path.abspath(__file__)), "invoice.html")).write_pdf(path)


@pdf("pyhanko-signed")
def _(path):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import pkcs12
    import datetime
    from pyhanko.sign import signers
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    k = rsa.generate_private_key(65537, 2048); n = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "x")])
    t = datetime.datetime(2026, 1, 1)
    z = x509.CertificateBuilder().subject_name(n).issuer_name(n).public_key(k.public_key()).serial_number(1).not_valid_before(t).not_valid_after(t + datetime.timedelta(9999)).sign(k, hashes.SHA256())
    q = os.path.join(out, "key.p12")
    open(q, "wb").write(pkcs12.serialize_key_and_certificates(b"x", k, z, None, serialization.NoEncryption()))
    s = signers.SimpleSigner.load_pkcs12(q); os.remove(q)
    with open(os.path.join(out, "reportlab-truetype.pdf"), "rb") as f, open(path, "wb") as g:
        signers.sign_pdf(IncrementalPdfFileWriter(f), signers.PdfSignatureMetadata(field_name="S"), signer=s, output=g)


print("python:", "all made" if not failed else "not made: " + ", ".join(failed))
