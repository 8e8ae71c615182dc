// What the page says, in its languages. A test sees that each language has every word.

import { settings } from "./settings.ts";

const en = {
  check: "Check", rules: "Rules", impact: "Impact", parse: "Parse", views: "Views", skip: "Skip to the content",
  dropTitle: "Check an invoice", dropLead: "Drop XML, a PDF, a scan or JSON anywhere on this page. One file, many, or a folder.",
  choose: "Choose files", chooseFolder: "Choose a folder", paste: "Paste", sample: "Try a sample with five faults",
  local: "Your invoice never leaves this computer: the rules run inside this page.",
  remote: "The invoice is sent to this server alone, which keeps nothing of it.",
  loading: "Loading the rules …", offline: "The server cannot be reached, and this page has no program of its own.",
  valid: "Valid", invalid: "Invalid", unread: "Cannot be read", waiting: "Waiting",
  findings: "Findings", source: "Source", page: "Page", fields: "Fields", card: "Rule", noFindings: "No rule is violated.",
  fatal: "Errors", warning: "Warnings", information: "Notes", fatalOne: "Error", warningOne: "Warning", informationOne: "Note",
  group: "Group by", byLevel: "severity", byRule: "rule", byPlace: "place", filter: "Filter findings", line: "line {n}", nowhere: "not in the document",
  remedies: "One right answer", apply: "Apply", applyAll: "Apply all {n}", computed: "computed from the other amounts", code: "the code of the list", zeros: "without superfluous zeros", missing: "follows from the rest of the invoice",
  changes: "Changes", noChanges: "Nothing has been changed.", save: "Save document and changes", undo: "Undo", was: "was", added: "added", removed: "removed",
  make: "Make", makeTitle: "Make another file of it", transform: "As", convert: "In the syntax", print: "Print", extract: "Take out", reports: "Report",
  settings: "Settings", profile: "Profile", byDocument: "what the document declares", overlays: "Overlays", usual: "the usual ones", date: "Rules in force on", ofDocument: "issue date of the document",
  language: "Language", theme: "Appearance", light: "Light", dark: "Dark", auto: "As the system", copyLink: "Copy a link to these settings", copied: "Copied. The link has nothing of a document.",
  key: "API key", keyHelp: "This server asks for a key. It is kept until this page is closed.", keyWrong: "The server does not take this key.", open: "Open",
  mend: "What to do", says: "What the rule says", terms: "Terms", expression: "How it is decided", examples: "Examples", published: "Published in", runBy: "Run by the profiles", loweredBy: "Changed by overlays",
  why: "Why here", holds: "holds", violated: "violated", selectFinding: "Select a finding to see its rule.", neverFires: "Can reject nothing",
  documents: "Documents", another: "Another document", closeAll: "Close", seller: "Seller", number: "Number", amount: "Payable", of: "of",
  filterFields: "Find a term", fieldsHelp: "Change a value here, and the source follows.", noField: "No term of this name.", wordsOmitted: "{n} more are not shown.",
  losses: "{n} values do not come over", made: "{file} is made.", refused: "It was not made, because it would violate rules:",
  search: "Search rules", searchHint: "id, term or word", allRulesets: "All rulesets", versions: "all versions", coverage: "{n} examples", noRules: "No rule is like this.", rulesCount: "{n} rules",
  browse: "Browse", draft: "Draft", tryOut: "Try an expression", publish: "Publish",
  lower: "Lower a rule for a supplier", rule: "Rule", level: "Level", forSeller: "For the seller (BT-29, BT-30, BT-31 or BT-34)", reason: "Reason", owner: "Who answers for it", until: "Last day", write: "Write the overlay", name: "Name",
  mistakes: "Mistakes", noMistakes: "No mistakes.", examplesPassed: "{n} examples pass", examplesFailed: "{n} examples fail", useDraft: "Check with this draft", draftInUse: "Documents are checked with the draft.", stopDraft: "Stop using it",
  file: "File", openExample: "Begin with an example", run: "Run", context: "For each", result: "Result", nothing: "Nothing is selected.", needDocument: "Open a document in Check first.",
  impactLead: "Which past invoices does the draft decide otherwise?", dropArchive: "Drop past invoices here, or choose their folder.", serverArchive: "Use the server's archive", needDraft: "Write a draft in Rules first.",
  compared: "{n} compared", decided: "{n} decided otherwise", nowValid: "now valid", nowInvalid: "now invalid", sameVerdict: "same verdict", byMonth: "By month", bySeller: "By supplier", before: "Before", after: "After", stop: "Stop", unreadable: "{n} are no invoices",
  whole: "whole verdict", alone: "this ruleset alone",
  publishLead: "The draft comes into force for everyone who uses this server.", who: "Who", whyPublish: "Why", from: "In force from", publishNow: "Publish", published2: "Published as version {n}.", rollBack: "Roll back", history: "Versions", current: "in force", noHistory: "Nothing has been published yet.", conditions: "Conditions", met: "met", notMet: "not met",
  parseLead: "Read an invoice off the pages of a PDF or a picture.", values: "Values", confidence: "certain to {n} %", correct: "Select a value, then the words on the page that are right.", create: "Create an invoice", pagesOf: "Page {n}", parseNative: "Reading pages needs the server.",
  error: "Something went wrong", retry: "Try again", tooMany: "Only the first {n} files were opened.", ms: "{n} ms", decidedIn: "{n} rules in {ms} ms",
  inArchive: "In the archive", countArchive: "Count in the server's archive", archiveCount: "{n} of {all} documents violate it.", withDraft: "Judged with the draft",
  jobs: "Jobs", jobsLead: "Thousands of documents in a folder of the server, one job after the other. Results are written there.", jobsOff: "This server takes no jobs. Start it with --bulk-sources and --bulk-results, each followed by a folder.", jobsNoSource: "There is nothing in the folder of sources. Put a folder or an archive of documents there.", jobsNone: "No job has been begun yet.", jobSource: "Folder or archive", jobOperation: "What to do", jobTo: "Into", jobBegin: "Begin", jobCancel: "Cancel", jobWorking: "working", jobComplete: "complete", jobCancelled: "cancelled", jobFailed: "failed", jobStopped: "stopped", job_validate: "Validate", job_convert: "Convert", job_extract: "Extract", job_render: "Render", job_impact: "Compare rulesets", job_transform: "Transform", job_parse: "Read pages", jobOld: "Ruleset before", jobNew: "Ruleset after", jobSame: "decided alike", jobOther: "decided otherwise", jobMade: "made", jobRefused: "refused",
  skipped: "Not opened, as they are no XML, PDF, JSON or picture: {n}.",
  showPlace: "Show line {n}", readPages: "Read its pages", transformTo: "Transform to {to}", decidedBy: "What decided", decidedDay: "Rules in force on {day}", jsonSettings: "JSON is judged as it would be created: overlays and day have no effect on it.", transformHint: "a new valid invoice", convertHint: "the same values, valid or not", lossLost: "left out", lossChanged: "changed", lossAdded: "added", lossViolated: "violates", made2: "{file} is made, not all of it as the document has it", refusedTitle: "It was not made", refusedLead: "The result would violate rules:", cancel: "Cancel", discard: "Discard", unsaved: "The changes of this document are not saved.", send: "Send to the server", sendLead: "The program in this page cannot do this. The server can: the document is sent to it, and it keeps nothing of it.", serverGone: "The server cannot be reached. What this page does itself goes on.", builtIn: "Built-in rules alone: this server has rules of its own, which could not be loaded.", loadRules: "Load them", fromDay: "from {day}", fromHint: "Today: at once, for invoices of any day. A later day: for invoices issued from then on.",
  attachments: "Attachments", plainText: "Text",
  otherKey: "Use another key",
  builtInShort: "Built-in rules alone",
  doubts: "What reading noted",
  noDraft: "There is no draft yet: fill in the form, begin with an example, or open files.", newFile: "New file", newFileLead: "overlays/NAME.yaml for an overlay, FAMILY/VERSION/NAME.yaml for rules.", filesInForce: "Files in force", noneInForce: "This server has no rules of its own.", noRuleFile: "{file} is no overlay and no file of a ruleset.",
};

export type Word = keyof typeof en;

const de: Record<Word, string> = {
  check: "Prüfen", rules: "Regeln", impact: "Wirkung", parse: "Einlesen", views: "Ansichten", skip: "Zum Inhalt",
  dropTitle: "Eine Rechnung prüfen", dropLead: "Legen Sie XML, ein PDF, einen Scan oder JSON auf diese Seite. Eine Datei, viele oder einen Ordner.",
  choose: "Dateien wählen", chooseFolder: "Ordner wählen", paste: "Einfügen", sample: "Ein Beispiel mit fünf Fehlern",
  local: "Ihre Rechnung verlässt diesen Computer nicht: Die Regeln laufen in dieser Seite.",
  remote: "Die Rechnung geht nur an diesen Server, der nichts von ihr behält.",
  loading: "Die Regeln werden geladen …", offline: "Der Server ist nicht erreichbar, und diese Seite hat kein eigenes Programm.",
  valid: "Gültig", invalid: "Ungültig", unread: "Nicht lesbar", waiting: "Wartet",
  findings: "Befunde", source: "Quelltext", page: "Seite", fields: "Felder", card: "Regel", noFindings: "Keine Regel ist verletzt.",
  fatal: "Fehler", warning: "Warnungen", information: "Hinweise", fatalOne: "Fehler", warningOne: "Warnung", informationOne: "Hinweis",
  group: "Gruppieren nach", byLevel: "Schwere", byRule: "Regel", byPlace: "Stelle", filter: "Befunde filtern", line: "Zeile {n}", nowhere: "nicht im Dokument",
  remedies: "Eine richtige Antwort", apply: "Übernehmen", applyAll: "Alle {n} übernehmen", computed: "aus den anderen Beträgen berechnet", code: "der Code der Liste", zeros: "ohne überflüssige Nullen", missing: "folgt aus dem Rest der Rechnung",
  changes: "Änderungen", noChanges: "Nichts wurde geändert.", save: "Dokument und Änderungen speichern", undo: "Zurück", was: "war", added: "hinzugefügt", removed: "entfernt",
  make: "Erzeugen", makeTitle: "Eine andere Datei daraus machen", transform: "Als", convert: "In der Syntax", print: "Drucken", extract: "Herausnehmen", reports: "Bericht",
  settings: "Einstellungen", profile: "Profil", byDocument: "was das Dokument angibt", overlays: "Overlays", usual: "die üblichen", date: "Regeln in Kraft am", ofDocument: "Rechnungsdatum des Dokuments",
  language: "Sprache", theme: "Darstellung", light: "Hell", dark: "Dunkel", auto: "Wie das System", copyLink: "Link auf diese Einstellungen kopieren", copied: "Kopiert. Der Link enthält nichts vom Dokument.",
  key: "API-Schlüssel", keyHelp: "Dieser Server verlangt einen Schlüssel. Er bleibt, bis diese Seite geschlossen wird.", keyWrong: "Der Server nimmt diesen Schlüssel nicht an.", open: "Öffnen",
  mend: "Was zu tun ist", says: "Was die Regel sagt", terms: "Elemente", expression: "Wie entschieden wird", examples: "Beispiele", published: "Veröffentlicht in", runBy: "In den Profilen", loweredBy: "Durch Overlays geändert",
  why: "Warum hier", holds: "erfüllt", violated: "verletzt", selectFinding: "Wählen Sie einen Befund, um seine Regel zu sehen.", neverFires: "Kann nichts ablehnen",
  documents: "Dokumente", another: "Anderes Dokument", closeAll: "Schließen", seller: "Verkäufer", number: "Nummer", amount: "Zahlbetrag", of: "von",
  filterFields: "Element suchen", fieldsHelp: "Ändern Sie hier einen Wert, der Quelltext folgt.", noField: "Kein Element dieses Namens.", wordsOmitted: "{n} weitere sind nicht gezeigt.",
  losses: "{n} Werte kommen nicht mit", made: "{file} ist erzeugt.", refused: "Es wurde nicht erzeugt, denn es würde Regeln verletzen:",
  search: "Regeln suchen", searchHint: "Kennung, Element oder Wort", allRulesets: "Alle Regelwerke", versions: "alle Versionen", coverage: "{n} Beispiele", noRules: "Keine Regel passt.", rulesCount: "{n} Regeln",
  browse: "Blättern", draft: "Entwurf", tryOut: "Ausdruck ausprobieren", publish: "Veröffentlichen",
  lower: "Eine Regel für einen Lieferanten herabstufen", rule: "Regel", level: "Stufe", forSeller: "Für den Verkäufer (BT-29, BT-30, BT-31 oder BT-34)", reason: "Grund", owner: "Wer dafür einsteht", until: "Letzter Tag", write: "Overlay schreiben", name: "Name",
  mistakes: "Fehler", noMistakes: "Keine Fehler.", examplesPassed: "{n} Beispiele bestehen", examplesFailed: "{n} Beispiele scheitern", useDraft: "Mit diesem Entwurf prüfen", draftInUse: "Dokumente werden mit dem Entwurf geprüft.", stopDraft: "Nicht mehr verwenden",
  file: "Datei", openExample: "Mit einem Beispiel beginnen", run: "Ausführen", context: "Für jedes", result: "Ergebnis", nothing: "Nichts ist ausgewählt.", needDocument: "Öffnen Sie zuerst ein Dokument unter Prüfen.",
  impactLead: "Welche früheren Rechnungen entscheidet der Entwurf anders?", dropArchive: "Legen Sie frühere Rechnungen hierher oder wählen Sie ihren Ordner.", serverArchive: "Archiv des Servers verwenden", needDraft: "Schreiben Sie zuerst einen Entwurf unter Regeln.",
  compared: "{n} verglichen", decided: "{n} anders entschieden", nowValid: "jetzt gültig", nowInvalid: "jetzt ungültig", sameVerdict: "gleiches Urteil", byMonth: "Nach Monat", bySeller: "Nach Lieferant", before: "Vorher", after: "Nachher", stop: "Anhalten", unreadable: "{n} sind keine Rechnungen",
  whole: "ganzes Urteil", alone: "dieses Regelwerk allein",
  publishLead: "Der Entwurf tritt für alle in Kraft, die diesen Server nutzen.", who: "Wer", whyPublish: "Warum", from: "In Kraft ab", publishNow: "Veröffentlichen", published2: "Veröffentlicht als Version {n}.", rollBack: "Zurücknehmen", history: "Versionen", current: "in Kraft", noHistory: "Noch nichts wurde veröffentlicht.", conditions: "Bedingungen", met: "erfüllt", notMet: "nicht erfüllt",
  parseLead: "Eine Rechnung von den Seiten eines PDF oder Bildes lesen.", values: "Werte", confidence: "sicher zu {n} %", correct: "Wählen Sie einen Wert, dann die richtigen Wörter auf der Seite.", create: "Rechnung erzeugen", pagesOf: "Seite {n}", parseNative: "Seiten zu lesen braucht den Server.",
  error: "Etwas ging schief", retry: "Noch einmal", tooMany: "Nur die ersten {n} Dateien wurden geöffnet.", ms: "{n} ms", decidedIn: "{n} Regeln in {ms} ms",
  inArchive: "Im Archiv", countArchive: "Im Archiv des Servers zählen", archiveCount: "{n} von {all} Dokumenten verletzen sie.", withDraft: "Mit dem Entwurf geprüft",
  jobs: "Aufträge", jobsLead: "Tausende Dokumente in einem Ordner des Servers, ein Auftrag nach dem anderen. Die Ergebnisse werden dort abgelegt.", jobsOff: "Dieser Server nimmt keine Aufträge an. Starten Sie ihn mit --bulk-sources und --bulk-results, jeweils gefolgt von einem Ordner.", jobsNoSource: "Im Ordner der Quellen ist nichts. Legen Sie einen Ordner oder ein Archiv mit Dokumenten hinein.", jobsNone: "Noch kein Auftrag wurde begonnen.", jobSource: "Ordner oder Archiv", jobOperation: "Was zu tun ist", jobTo: "Als", jobBegin: "Beginnen", jobCancel: "Abbrechen", jobWorking: "läuft", jobComplete: "fertig", jobCancelled: "abgebrochen", jobFailed: "gescheitert", jobStopped: "angehalten", job_validate: "Prüfen", job_convert: "Umwandeln", job_extract: "Herausnehmen", job_render: "Darstellen", job_impact: "Regelwerke vergleichen", job_transform: "Überführen", job_parse: "Seiten lesen", jobOld: "Regelwerk vorher", jobNew: "Regelwerk nachher", jobSame: "gleich beurteilt", jobOther: "anders beurteilt", jobMade: "erzeugt", jobRefused: "abgelehnt",
  skipped: "Nicht geöffnet, da kein XML, PDF, JSON oder Bild: {n}.",
  showPlace: "Zeile {n} zeigen", readPages: "Seiten lesen", transformTo: "In {to} umwandeln", decidedBy: "Was entschieden hat", decidedDay: "Regeln in Kraft am {day}", jsonSettings: "JSON wird so beurteilt, wie es erzeugt würde: Overlays und Tag wirken darauf nicht.", transformHint: "eine neue gültige Rechnung", convertHint: "dieselben Werte, gültig oder nicht", lossLost: "weggelassen", lossChanged: "geändert", lossAdded: "hinzugefügt", lossViolated: "verletzt", made2: "{file} ist erzeugt, aber nicht alles wie im Dokument", refusedTitle: "Es wurde nicht erzeugt", refusedLead: "Das Ergebnis würde Regeln verletzen:", cancel: "Abbrechen", discard: "Verwerfen", unsaved: "Die Änderungen dieses Dokuments sind nicht gespeichert.", send: "An den Server senden", sendLead: "Das Programm in dieser Seite kann das nicht. Der Server kann es: Das Dokument wird an ihn gesendet, und er behält nichts davon.", serverGone: "Der Server ist nicht erreichbar. Was diese Seite selbst tut, geht weiter.", builtIn: "Nur die mitgelieferten Regeln: Dieser Server hat eigene, die nicht geladen werden konnten.", loadRules: "Laden", fromDay: "ab {day}", fromHint: "Heute: sofort, für Rechnungen jeden Datums. Ein späterer Tag: für Rechnungen, die ab dann ausgestellt sind.",
  attachments: "Anlagen", plainText: "Text",
  otherKey: "Anderen Schlüssel verwenden",
  builtInShort: "Nur mitgelieferte Regeln",
  doubts: "Was beim Lesen auffiel",
  noDraft: "Noch gibt es keinen Entwurf: Füllen Sie das Formular aus, beginnen Sie mit einem Beispiel oder öffnen Sie Dateien.", newFile: "Neue Datei", newFileLead: "overlays/NAME.yaml für ein Overlay, FAMILIE/VERSION/NAME.yaml für Regeln.", filesInForce: "Dateien in Kraft", noneInForce: "Dieser Server hat keine eigenen Regeln.", noRuleFile: "{file} ist kein Overlay und keine Datei eines Regelwerks.",
};

const fr: Record<Word, string> = {
  check: "Contrôler", rules: "Règles", impact: "Effet", parse: "Lire", views: "Vues", skip: "Aller au contenu",
  dropTitle: "Contrôler une facture", dropLead: "Déposez du XML, un PDF, un scan ou du JSON sur cette page. Un fichier, plusieurs ou un dossier.",
  choose: "Choisir des fichiers", chooseFolder: "Choisir un dossier", paste: "Coller", sample: "Essayer un exemple à cinq erreurs",
  local: "Votre facture ne quitte pas cet ordinateur : les règles tournent dans cette page.",
  remote: "La facture est envoyée à ce serveur seul, qui n’en garde rien.",
  loading: "Chargement des règles …", offline: "Le serveur est injoignable et cette page n’a pas de programme à elle.",
  valid: "Valide", invalid: "Non valide", unread: "Illisible", waiting: "En attente",
  findings: "Constats", source: "Source", page: "Page", fields: "Champs", card: "Règle", noFindings: "Aucune règle n’est enfreinte.",
  fatal: "Erreurs", warning: "Avertissements", information: "Remarques", fatalOne: "Erreur", warningOne: "Avertissement", informationOne: "Remarque",
  group: "Grouper par", byLevel: "gravité", byRule: "règle", byPlace: "endroit", filter: "Filtrer les constats", line: "ligne {n}", nowhere: "hors du document",
  remedies: "Une seule bonne réponse", apply: "Appliquer", applyAll: "Appliquer les {n}", computed: "calculé à partir des autres montants", code: "le code de la liste", zeros: "sans zéros superflus", missing: "découle du reste de la facture",
  changes: "Modifications", noChanges: "Rien n’a été modifié.", save: "Enregistrer document et modifications", undo: "Annuler", was: "était", added: "ajouté", removed: "retiré",
  make: "Produire", makeTitle: "En faire un autre fichier", transform: "En", convert: "Dans la syntaxe", print: "Imprimer", extract: "Extraire", reports: "Rapport",
  settings: "Réglages", profile: "Profil", byDocument: "celui que le document déclare", overlays: "Surcouches", usual: "les habituelles", date: "Règles en vigueur le", ofDocument: "date d’émission du document",
  language: "Langue", theme: "Apparence", light: "Clair", dark: "Sombre", auto: "Comme le système", copyLink: "Copier un lien vers ces réglages", copied: "Copié. Le lien ne contient rien du document.",
  key: "Clé d’API", keyHelp: "Ce serveur demande une clé. Elle est gardée jusqu’à la fermeture de la page.", keyWrong: "Le serveur refuse cette clé.", open: "Ouvrir",
  mend: "Que faire", says: "Ce que dit la règle", terms: "Termes", expression: "Comment elle décide", examples: "Exemples", published: "Publiée dans", runBy: "Dans les profils", loweredBy: "Modifiée par des surcouches",
  why: "Pourquoi ici", holds: "respectée", violated: "enfreinte", selectFinding: "Choisissez un constat pour voir sa règle.", neverFires: "Ne peut rien refuser",
  documents: "Documents", another: "Autre document", closeAll: "Fermer", seller: "Vendeur", number: "Numéro", amount: "À payer", of: "sur",
  filterFields: "Chercher un terme", fieldsHelp: "Modifiez une valeur ici, la source suit.", noField: "Aucun terme de ce nom.", wordsOmitted: "{n} autres ne sont pas affichés.",
  losses: "{n} valeurs ne sont pas reprises", made: "{file} est produit.", refused: "Le fichier n’a pas été produit, car il enfreindrait des règles :",
  search: "Chercher des règles", searchHint: "identifiant, terme ou mot", allRulesets: "Tous les jeux de règles", versions: "toutes les versions", coverage: "{n} exemples", noRules: "Aucune règle ne correspond.", rulesCount: "{n} règles",
  browse: "Parcourir", draft: "Brouillon", tryOut: "Essayer une expression", publish: "Publier",
  lower: "Abaisser une règle pour un fournisseur", rule: "Règle", level: "Niveau", forSeller: "Pour le vendeur (BT-29, BT-30, BT-31 ou BT-34)", reason: "Motif", owner: "Qui en répond", until: "Dernier jour", write: "Écrire la surcouche", name: "Nom",
  mistakes: "Fautes", noMistakes: "Aucune faute.", examplesPassed: "{n} exemples réussis", examplesFailed: "{n} exemples en échec", useDraft: "Contrôler avec ce brouillon", draftInUse: "Les documents sont contrôlés avec le brouillon.", stopDraft: "Ne plus l’utiliser",
  file: "Fichier", openExample: "Commencer par un exemple", run: "Exécuter", context: "Pour chaque", result: "Résultat", nothing: "Rien n’est sélectionné.", needDocument: "Ouvrez d’abord un document dans Contrôler.",
  impactLead: "Quelles factures passées le brouillon décide-t-il autrement ?", dropArchive: "Déposez des factures passées ici, ou choisissez leur dossier.", serverArchive: "Utiliser l’archive du serveur", needDraft: "Écrivez d’abord un brouillon dans Règles.",
  compared: "{n} comparées", decided: "{n} décidées autrement", nowValid: "désormais valide", nowInvalid: "désormais non valide", sameVerdict: "même verdict", byMonth: "Par mois", bySeller: "Par fournisseur", before: "Avant", after: "Après", stop: "Arrêter", unreadable: "{n} ne sont pas des factures",
  whole: "verdict entier", alone: "ce jeu de règles seul",
  publishLead: "Le brouillon entre en vigueur pour tous ceux qui utilisent ce serveur.", who: "Qui", whyPublish: "Pourquoi", from: "En vigueur à partir du", publishNow: "Publier", published2: "Publié comme version {n}.", rollBack: "Revenir", history: "Versions", current: "en vigueur", noHistory: "Rien n’a encore été publié.", conditions: "Conditions", met: "remplie", notMet: "non remplie",
  parseLead: "Lire une facture sur les pages d’un PDF ou d’une image.", values: "Valeurs", confidence: "sûr à {n} %", correct: "Choisissez une valeur, puis les mots justes sur la page.", create: "Créer une facture", pagesOf: "Page {n}", parseNative: "Lire des pages demande le serveur.",
  error: "Un problème est survenu", retry: "Réessayer", tooMany: "Seuls les {n} premiers fichiers ont été ouverts.", ms: "{n} ms", decidedIn: "{n} règles en {ms} ms",
  inArchive: "Dans les archives", countArchive: "Compter dans les archives du serveur", archiveCount: "{n} documents sur {all} l’enfreignent.", withDraft: "Contrôlé avec le brouillon",
  jobs: "Lots", jobsLead: "Des milliers de documents d’un dossier du serveur, un lot après l’autre. Les résultats y sont écrits.", jobsOff: "Ce serveur n’accepte pas de lots. Démarrez-le avec --bulk-sources et --bulk-results, chacun suivi d’un dossier.", jobsNoSource: "Le dossier des sources est vide. Mettez-y un dossier ou une archive de documents.", jobsNone: "Aucun lot n’a encore été lancé.", jobSource: "Dossier ou archive", jobOperation: "Que faire", jobTo: "En", jobBegin: "Lancer", jobCancel: "Interrompre", jobWorking: "en cours", jobComplete: "terminé", jobCancelled: "interrompu", jobFailed: "échoué", jobStopped: "arrêté", job_validate: "Contrôler", job_convert: "Convertir", job_extract: "Extraire", job_render: "Afficher", job_impact: "Comparer des jeux de règles", job_transform: "Transformer", job_parse: "Lire les pages", jobOld: "Jeu de règles avant", jobNew: "Jeu de règles après", jobSame: "jugés de même", jobOther: "jugés autrement", jobMade: "produits", jobRefused: "refusés",
  skipped: "Non ouverts, car ni XML, ni PDF, ni JSON, ni image : {n}.",
  showPlace: "Montrer la ligne {n}", readPages: "Lire ses pages", transformTo: "Transformer en {to}", decidedBy: "Ce qui a décidé", decidedDay: "Règles en vigueur le {day}", jsonSettings: "Le JSON est jugé comme il serait créé : surcouches et jour n’y changent rien.", transformHint: "une nouvelle facture valide", convertHint: "les mêmes valeurs, valides ou non", lossLost: "omis", lossChanged: "modifié", lossAdded: "ajouté", lossViolated: "enfreint", made2: "{file} est produit, mais pas tout comme dans le document", refusedTitle: "Le fichier n’a pas été produit", refusedLead: "Le résultat enfreindrait des règles :", cancel: "Annuler", discard: "Abandonner", unsaved: "Les modifications de ce document ne sont pas enregistrées.", send: "Envoyer au serveur", sendLead: "Le programme de cette page ne sait pas le faire. Le serveur le peut : le document lui est envoyé, et il n’en garde rien.", serverGone: "Le serveur est injoignable. Ce que cette page fait elle-même continue.", builtIn: "Règles fournies seules : ce serveur a les siennes, qui n’ont pas pu être chargées.", loadRules: "Les charger", fromDay: "à partir du {day}", fromHint: "Aujourd’hui : tout de suite, pour les factures de toute date. Un jour ultérieur : pour les factures émises à partir de ce jour.",
  attachments: "Pièces jointes", plainText: "Texte",
  otherKey: "Utiliser une autre clé",
  builtInShort: "Règles fournies seules",
  doubts: "Ce que la lecture a relevé",
  noDraft: "Pas encore de brouillon : remplissez le formulaire, commencez par un exemple ou ouvrez des fichiers.", newFile: "Nouveau fichier", newFileLead: "overlays/NOM.yaml pour une surcouche, FAMILLE/VERSION/NOM.yaml pour des règles.", filesInForce: "Fichiers en vigueur", noneInForce: "Ce serveur n’a pas de règles à lui.", noRuleFile: "{file} n’est ni une surcouche ni un fichier d’un jeu de règles.",
};

const languages: Record<string, Record<Word, string>> = { en, de, fr };

/** A word in the chosen language, with values in place of names in braces. */
export function t(word: Word, values: Record<string, string | number> = {}): string {
  return languages[settings.language][word].replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/** A message of the program as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed && trimmed[0].toUpperCase() + trimmed.slice(1) + (/[.!?:]$/.test(trimmed) ? "" : ".");
}

/** Several messages as sentences, one after the other. */
export function sentences(...texts: string[]): string { return texts.filter(Boolean).map(sentence).join(" "); }
