#!/bin/bash
# Usage: conformance/producers/make.sh OUT : make PDFs with every program and
# library that is there, to be converted. What is not there is named and left out.
set -u

test $# -eq 1 || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/pdf" && work=$(cd "$1" && pwd) && out=$work/pdf
export SOURCE_DATE_EPOCH=1767225600 HOME=$work/home
mkdir -p "$HOME"

# pdf NAME COMMAND... : the command is to write $out/NAME.pdf
pdf() {
	local name=$1
	shift
	if ! "$@" >"$work/log" 2>&1 || ! test -s "$out/$name.pdf"; then
		echo "not made: $name ($(tail -n 1 "$work/log" | cut -c 1-80))"
	fi
}

office() { # NAME FILE FILTER
	(cd "$work" && cp "$here/$2" "office.${2##*.}" && soffice --headless --convert-to "$3" --outdir "$work" "office.${2##*.}" && mv office.pdf "$out/$1.pdf")
}
tex() { (mkdir -p "$work/tex" && cd "$work/tex" && "$1" -interaction=nonstopmode "$here/invoice.tex" && mv invoice.pdf "$out/tex-$1.pdf"); }

pdf libreoffice-writer office libreoffice-writer invoice.fodt pdf
pdf libreoffice-writer-pdfa2 office libreoffice-writer-pdfa2 invoice.fodt 'pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"}}'
pdf libreoffice-writer-tagged office libreoffice-writer-tagged invoice.fodt 'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"},"Watermark":{"type":"string","value":"Kopie"}}'
pdf libreoffice-calc office libreoffice-calc invoice.csv pdf:calc_pdf_Export
pdf libreoffice-html office libreoffice-html invoice.html pdf:writer_web_pdf_Export
pdf chromium chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="$out/chromium.pdf" "$here/invoice.html"
pdf chromium-headers chromium --headless --no-sandbox --disable-gpu --print-to-pdf="$out/chromium-headers.pdf" "$here/invoice.html"
pdf wkhtmltopdf wkhtmltopdf -q "$here/invoice.html" "$out/wkhtmltopdf.pdf"
pdf weasyprint-debian /usr/bin/weasyprint "$here/invoice.html" "$out/weasyprint-debian.pdf"
for engine in pdflatex xelatex lualatex; do pdf tex-$engine tex $engine; done
pdf tex-dvips bash -c "mkdir -p '$work/tex' && cd '$work/tex' && latex -interaction=nonstopmode '$here/invoice.tex' && dvips invoice.dvi -o tex.ps && ps2pdf tex.ps '$out/tex-dvips.pdf'"
pdf groff-gropdf bash -c "groff -Tpdf -ms '$here/invoice.ms' > '$out/groff-gropdf.pdf'"
pdf groff-ps bash -c "groff -Tps -ms '$here/invoice.ms' > '$work/groff.ps' && ps2pdf '$work/groff.ps' '$out/groff-ps.pdf'"
for setting in screen ebook printer prepress default; do
	pdf ghostscript-$setting bash -c "ps2pdf -dPDFSETTINGS=/$setting '$work/groff.ps' '$out/ghostscript-$setting.pdf'"
done
for level in 1.3 1.4 1.5 1.7; do
	pdf ghostscript-$level bash -c "ps2pdf -dCompatibilityLevel=$level '$work/groff.ps' '$out/ghostscript-$level.pdf'"
done
printf '%s
' '<< /NeverEmbed [/Times-Roman /Helvetica /Courier /Times-Bold] /AlwaysEmbed [] /EmbedAllFonts false >> setdistillerparams' >"$work/unembedded.ps"
pdf ghostscript-unembedded gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile="$out/ghostscript-unembedded.pdf" "$work/unembedded.ps" "$work/groff.ps"
pdf ghostscript-cmyk gs -q -o "$out/ghostscript-cmyk.pdf" -sDEVICE=pdfwrite -sColorConversionStrategy=CMYK "$out/chromium.pdf"
pdf ghostscript-gray gs -q -o "$out/ghostscript-gray.pdf" -sDEVICE=pdfwrite -sColorConversionStrategy=Gray "$out/chromium.pdf"
pdf ghostscript-image gs -q -o "$out/ghostscript-image.pdf" -sDEVICE=pdfimage24 "$out/chromium.pdf"
pdf enscript bash -c "enscript -q -p - '$here/invoice.csv' | ps2pdf - '$out/enscript.pdf'"
pdf inkscape inkscape --export-filename="$out/inkscape.pdf" "$here/drawing.svg"
pdf rsvg rsvg-convert -f pdf -o "$out/rsvg.pdf" "$here/drawing.svg"
pdf r-base Rscript -e "pdf('$out/r-base.pdf'); plot(1:3, main='Rechnung', col=rgb(1,0,0,.5)); invisible(dev.off())"
pdf r-cairo Rscript -e "cairo_pdf('$out/r-cairo.pdf'); plot(1:3, main='Rechnung Müller'); invisible(dev.off())"
pdf mutool-clean mutool clean -z "$out/chromium.pdf" "$out/mutool-clean.pdf"
pdf pdftk pdftk "$out/chromium.pdf" output "$out/pdftk.pdf" owner_pw o allow printing
pdf qpdf-qdf qpdf --qdf "$out/chromium.pdf" "$out/qpdf-qdf.pdf"
pdf qpdf-user-password qpdf --encrypt u o 256 -- "$out/chromium.pdf" "$out/qpdf-user-password.pdf"
pdf cups-texttopdf bash -c "PPD= /usr/lib/cups/filter/texttopdf 1 u t 1 '' '$here/invoice.csv' > '$out/cups-texttopdf.pdf'"

if test -x "$work/venv/bin/python" || { python3 -m venv "$work/venv" && "$work/venv/bin/pip" install -q \
	reportlab fpdf2 pikepdf pypdf pymupdf matplotlib img2pdf pyhanko weasyprint xhtml2pdf; }; then
	"$work/venv/bin/python" "$here/python_pdfs.py" "$out"
fi
if test -x /usr/bin/python3; then /usr/bin/python3 "$here/debian_pdfs.py" "$out"; fi
if test -d "$work/node/node_modules" || { mkdir -p "$work/node" && (cd "$work/node" && npm install --silent --no-audit --no-fund pdfkit jspdf pdf-lib); }; then
	NODE_PATH=$work/node/node_modules node "$here/node/make.js" "$out"
fi
if test -d "$work/jars" || mvn --quiet --batch-mode --file "$here/java/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/jars"; then
	java -cp "$work/jars/*" "$here/java/Make.java" "$out" 2>/dev/null
fi
find "$out" -name '*.pdf' -size 0 -delete
rm -f "$work/log"
echo "$(find "$out" -name '*.pdf' | wc -l) PDFs in $out"
