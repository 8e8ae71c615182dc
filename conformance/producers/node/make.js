// Makes PDFs with libraries for JavaScript; usage: node make.js OUT
const fs = require('fs');
const path = require('path');
const out = process.argv[2];
const text = 'Rechnung 4711: Müller & Söhne, 9,99 €';
const sans = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';

function pdfkit(name, font, options) {
  const PDF = require('pdfkit');
  const doc = new PDF(options || {});
  doc.pipe(fs.createWriteStream(path.join(out, name + '.pdf')));
  doc.font(font).text(text).fillOpacity(0.4).rect(50, 200, 99, 99).fill('red');
  doc.fillOpacity(1).fillColor([10, 80, 0, 20]).text('vier Farben', 50, 350, { link: 'https://example.org/' });
  doc.end();
}

function jspdf() {
  const { jsPDF } = require('jspdf');
  const doc = new jsPDF();
  doc.text('Rechnung Müller', 10, 10);
  doc.setTextColor(0.1, 0.5, 0.2, 0.0).text('vier Farben', 10, 30);
  fs.writeFileSync(path.join(out, 'jspdf.pdf'), Buffer.from(doc.output('arraybuffer')));
}

async function pdflib() {
  const { PDFDocument, StandardFonts } = require('pdf-lib');
  const doc = await PDFDocument.create();
  const page = doc.addPage();
  page.drawText('Rechnung Müller', { x: 50, y: 700, font: await doc.embedFont(StandardFonts.TimesRoman) });
  const form = doc.getForm();
  const field = form.createTextField('a');
  field.setText('Wert');
  field.addToPage(page, { x: 50, y: 600 });
  const box = form.createCheckBox('b');
  box.addToPage(page, { x: 50, y: 500 });
  box.check();
  fs.writeFileSync(path.join(out, 'pdf-lib-form.pdf'), await doc.save());
}

pdfkit('pdfkit-standard', 'Helvetica');
pdfkit('pdfkit-truetype', sans, { pdfVersion: '1.7', tagged: true });
pdfkit('pdfkit-encrypted', sans, { ownerPassword: 'o' });
jspdf();
pdflib();
