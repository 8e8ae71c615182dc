package lsp

// The parts of the Language Server Protocol 3.17 that are used, in its names. Lines and
// characters count from 0; characters are units of UTF-16.
type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	textRange struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string    `json:"uri"`
		Range textRange `json:"range"`
	}
	document struct {
		URI  string `json:"uri"`
		Text string `json:"text,omitempty"`
	}
	atPosition struct {
		TextDocument document `json:"textDocument"`
		Position     position `json:"position"`
	}
	forRename struct {
		atPosition
		NewName string `json:"newName"`
	}
	starting struct {
		Locale string `json:"locale"` // of the editor, as BCP 47
	}
	opened struct {
		TextDocument document `json:"textDocument"`
	}
	changed struct {
		TextDocument   document `json:"textDocument"`
		ContentChanges []struct {
			Text string `json:"text"`
		} `json:"contentChanges"`
	}
	diagnostic struct {
		Range    textRange `json:"range"`
		Severity int       `json:"severity"` // severityError or severityWarning
		Source   string    `json:"source"`
		Message  string    `json:"message"`
	}
	published struct {
		URI         string       `json:"uri"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	completionItem struct {
		Label         string `json:"label"`
		Kind          int    `json:"kind"`
		Detail        string `json:"detail,omitempty"`
		Documentation string `json:"documentation,omitempty"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	hover struct {
		Contents markup    `json:"contents"`
		Range    textRange `json:"range"`
	}
	textEdit struct {
		Range   textRange `json:"range"`
		NewText string    `json:"newText"`
	}
	workspaceEdit struct {
		Changes map[string][]textEdit `json:"changes"`
	}
	command struct {
		Title     string `json:"title"`
		Command   string `json:"command"`
		Arguments []any  `json:"arguments"`
	}
	codeAction struct {
		Title       string         `json:"title"`
		Kind        string         `json:"kind"`
		Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
		Edit        *workspaceEdit `json:"edit,omitempty"`
		Command     *command       `json:"command,omitempty"`
	}
	codeLens struct {
		Range   textRange `json:"range"`
		Command command   `json:"command"`
	}
	forActions struct {
		TextDocument document  `json:"textDocument"`
		Range        textRange `json:"range"`
	}
	executed struct {
		Command   string `json:"command"`
		Arguments []any  `json:"arguments"`
	}
	shown struct {
		Type    int    `json:"type"` // 1 error, 3 information
		Message string `json:"message"`
	}
)
