"""Makes PDFs with libraries for Python as Debian has them; usage: debian_pdfs.py OUT"""
import os, sys
out = sys.argv[1]
TEXT = "Rechnung 4711: Müller & Söhne, Größe, 9,99 €"


def pdf(name):
    def make(f):
        try:
            f(os.path.join(out, name + ".pdf"))
        except Exception as e:  # one library that fails must not stop the others
            print("not made:", name, repr(e)[:200])
    return make


@pdf("cairo-pango")
def _(path):
    import cairo
    s = cairo.PDFSurface(path, 595, 842); c = cairo.Context(s); c.set_font_size(14); c.move_to(50, 50); c.show_text(TEXT)
    c.set_source_rgba(1, 0, 0, 0.4); c.rectangle(50, 100, 99, 99); c.fill(); s.finish()


@pdf("qt")
def _(path):
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PyQt5.QtGui import QGuiApplication, QPdfWriter, QPainter
    a = QGuiApplication([]); w = QPdfWriter(path); p = QPainter(w); p.drawText(500, 500, TEXT); p.setOpacity(0.5); p.fillRect(99, 99, 500, 500, 3); p.end()
