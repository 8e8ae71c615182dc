import java.io.*;
import java.nio.file.*;

/** Makes PDFs with libraries for Java; usage: java Make.java OUT. */
public class Make {
    static final String TEXT = "Rechnung 4711: Müller & Söhne";
    static final String SANS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

    interface Maker { void make(String path) throws Exception; }

    static void pdf(String out, String name, Maker m) {
        try {
            m.make(out + "/" + name + ".pdf");
        } catch (Throwable e) { // one library that fails must not stop the others
            System.out.println("not made: " + name + " " + e);
        }
    }

    public static void main(String[] args) {
        String out = args[0];
        pdf(out, "pdfbox-standard", p -> pdfbox(p, null));
        pdf(out, "pdfbox-truetype", p -> pdfbox(p, SANS));
        pdf(out, "openpdf", Make::openpdf);
        pdf(out, "itext-standard", p -> itext(p, "Helvetica"));
        pdf(out, "itext-truetype", p -> itext(p, SANS));
        pdf(out, "openhtmltopdf", Make::html);
        pdf(out, "fop", Make::fop);
    }

    static void pdfbox(String path, String font) throws Exception {
        var d = new org.apache.pdfbox.pdmodel.PDDocument();
        var page = new org.apache.pdfbox.pdmodel.PDPage();
        d.addPage(page);
        org.apache.pdfbox.pdmodel.font.PDFont f = font == null ? org.apache.pdfbox.pdmodel.font.PDType1Font.TIMES_ITALIC
            : org.apache.pdfbox.pdmodel.font.PDType0Font.load(d, new File(font));
        try (var c = new org.apache.pdfbox.pdmodel.PDPageContentStream(d, page)) {
            c.beginText();
            c.setFont(f, 12);
            c.newLineAtOffset(50, 700);
            c.showText(TEXT);
            c.endText();
        }
        d.save(path);
    }

    static void openpdf(String path) throws Exception {
        var d = new com.lowagie.text.Document();
        com.lowagie.text.pdf.PdfWriter.getInstance(d, new FileOutputStream(path));
        d.open();
        d.add(new com.lowagie.text.Paragraph(TEXT));
        d.add(new com.lowagie.text.Paragraph(TEXT, com.lowagie.text.FontFactory.getFont(SANS, "Cp1252", true)));
        d.close();
    }

    static void itext(String path, String font) throws Exception {
        var d = new com.itextpdf.layout.Document(new com.itextpdf.kernel.pdf.PdfDocument(new com.itextpdf.kernel.pdf.PdfWriter(path)));
        d.setFont(com.itextpdf.kernel.font.PdfFontFactory.createFont(font));
        d.add(new com.itextpdf.layout.element.Paragraph(TEXT));
        d.close();
    }

    static void html(String path) throws Exception {
        var b = new com.openhtmltopdf.pdfboxout.PdfRendererBuilder();
        b.withHtmlContent("<html><body><h1>Rechnung</h1><p style='color: red'>M&#252;ller</p></body></html>", null);
        try (var o = new FileOutputStream(path)) {
            b.toStream(o);
            b.run();
        }
    }

    static void fop(String path) throws Exception {
        String fo = "<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set><fo:simple-page-master master-name='a' page-height='29cm' page-width='21cm'>"
            + "<fo:region-body/></fo:simple-page-master></fo:layout-master-set><fo:page-sequence master-reference='a'><fo:flow flow-name='xsl-region-body'>"
            + "<fo:block font-family='serif' font-weight='bold'>Rechnung M&#252;ller</fo:block></fo:flow></fo:page-sequence></fo:root>";
        var factory = org.apache.fop.apps.FopFactory.newInstance(new File(".").toURI());
        try (var o = new BufferedOutputStream(new FileOutputStream(path))) {
            var fop = factory.newFop("application/pdf", o);
            javax.xml.transform.TransformerFactory.newInstance().newTransformer().transform(
                new javax.xml.transform.stream.StreamSource(new StringReader(fo)), new javax.xml.transform.sax.SAXResult(fop.getDefaultHandler()));
        }
    }
}
