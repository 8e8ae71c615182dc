package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The command line's own errors, cards and explanations are in the language that is asked
// for.
func TestLanguageOfTheCommandLine(t *testing.T) {
	const sample = "../../einvoice/samples/ubl-faulty.xml"
	notClosed := filepath.Join(t.TempDir(), "a.xml")
	if err := os.WriteFile(notClosed, []byte("<a><b></a>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		stderr bool
		want   string
	}{
		{[]string{"validate", "--language", "de", "-o", "yaml", sample}, true, `unbekannte Ausgabe "yaml": verwenden Sie eine von text`},
		{[]string{"validate", "--language", "fr", "--explain", "BR-01", sample, sample}, true, "--explain prend un document, pas 2"},
		{[]string{"validate", "--language", "fr", "--nope", sample}, true, "option inconnue\u00a0: --nope"},
		{[]string{"validate", "--nope", sample}, true, "unknown flag: --nope"},
		{[]string{"validate", "--language", "xx", "--nope", sample}, true, "unknown flag: --nope"},
		{[]string{"validate", "--language", "de", "--explain", "BR-CO-10", sample}, false, "✗ verletzt bei 186:3"},
		{[]string{"validate", "--language", "de", "--explain", "NOPE", sample}, true, `die Regel "NOPE" ist in keinem der Regelwerke`},
		{[]string{"validate", "--language", "fr", "--explain", "NOPE", sample}, true, "[RULE-UNKNOWN]\u202f; nommez une règle"},
		{[]string{"validate", "--language", "fr", "-o", "html", sample}, false, "<title>Invalide\u00a0: "},
		{[]string{"kosit", "--language", "fr", "-o", t.TempDir(), notClosed}, false, "\u202f; "},
		{[]string{"validate", "--language", "de"}, true, "braucht mindestens 1 Argument(e), erhielt nur 0"},
		{[]string{"validate", "--language", "fr", "--at", "2026-13-40", sample}, true, `valeur "2026-13-40" non valide pour l'option "--at"`},
		{[]string{"validate", "--language", "fr", sample, sample}, false, "2 documents\u00a0: 0 valide(s), 2 invalide(s)\u202f; 10 constats"},
		{[]string{"bulk", "run", "validate", "--language", "de", "--in", "none", "--out", filepath.Join(t.TempDir(), "out")}, true, "es gibt weder eine Datei noch einen Ordner none [BULK-SOURCE]; nennen Sie einen Ordner"},
		{[]string{"validate", "--at", "2026-13-40", "--language", "de", sample}, true, `ungültiger Wert "2026-13-40" für die Option "--at"`},
		{[]string{"validate", "--nope", "--language=fr", sample}, true, "option inconnue\u00a0: --nope"},
		{[]string{"convert", sample, "--language", "de"}, true, `es fehlt die Option "to"`},
		{[]string{"convert", "--language", "de", "--to", "foo", sample}, true, `es gibt kein Format "foo" zum Erzeugen; verwenden Sie eines von ubl`},
		{[]string{"convert", "--language", "fr", "--to", "ubl", "--profile", "nope", sample}, true, `ubl n'a pas de profil "nope"`},
		{[]string{"convert", "--language", "de", "--to", "zugferd", "--syntax", "ubl", sample}, true, `zugferd wird nicht in "ubl" geschrieben`},
		{[]string{"convert", "--language", "de", "--to", "ubl", "-o", "none/x.xml", sample}, true, "none/x.xml schreiben: es gibt keinen Ordner none"},
		{[]string{"validate", "--language", "de", "--as", "en16931", "--rules", "en16931", sample}, true, "--as und --rules gehen nicht zusammen"},
		{[]string{"render", "--language", "de", notClosed}, true, "Zeile 1, Spalte 7: "},
		{[]string{"rules", "list", "--language", "de", "en16931/9"}, true, "es gibt keine Version 9 des Regelwerks en16931; es gibt 1.3.16"},
		{[]string{"rules", "diff", "--language", "fr", "en16931/1.3.16", "en16931/9"}, true, "il n'y a pas de version 9 du jeu de règles en16931"},
		{[]string{"convert", "--language", "de", "--to", "ubl", "--profile", "xrechnung-3.0", "--set", "lines.0=1", sample}, true, `die Information "lines": das ist ein Objekt; schreiben Sie eine Liste von Objekten`},
		{[]string{"rules", "diff", "--language", "de", "a", "b", "c"}, true, "nimmt höchstens 2 Argument(e), erhielt 3"},
		{[]string{"watch", "--language", "de"}, true, "eine dieser Optionen muss angegeben werden: --in, --tenants, --retry"},
		{[]string{"watch", "--language", "fr", "in"}, true, `ne prend pas d'argument, a reçu "in"`},
		{[]string{"terms", "--language", "de", "BT-999"}, true, "kein Informationselement heißt BT-999"},
		{[]string{"rules", "show", "--language", "de", "BR-CO-10"}, false, "So wird es richtig"},
		{[]string{"rules", "show", "--language", "fr", "BR-CO-10"}, false, "{this.sumOfLineNetAmounts}"},
		{[]string{"rules", "show", "--language", "fr", "UBL-CR-646"}, false, "Publiée dans"},
	} {
		dir := t.TempDir()
		var files [2]*os.File
		for i, name := range []string{"out", "err"} {
			f, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			files[i] = f
		}
		Machines{}.run(c.args, os.Stdin, files[0], files[1])
		name := "out"
		if c.stderr {
			name = "err"
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s: got\n%.600s\nwant %s", strings.Join(c.args, " "), text, c.want)
		}
	}
}
