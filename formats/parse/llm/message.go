package llm

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"strings"

	"einvoice/formats/parse"
)

// The request and the response of the API of chat completions, as far as they are used.
type (
	request struct {
		Model          string    `json:"model"`
		Messages       []message `json:"messages"`
		ResponseFormat any       `json:"response_format"`
	}
	message struct {
		Role    string `json:"role"`
		Content any    `json:"content"` // a text, or parts
	}
	part struct {
		Type  string    `json:"type"`
		Text  string    `json:"text,omitempty"`
		Image *imageURL `json:"image_url,omitempty"`
	}
	imageURL struct {
		URL string `json:"url"`
	}
	response struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
)

//go:embed system.txt
var systemText string

// messages are the question, and the objections to an earlier answer.
func (m *Model) messages(ctx context.Context, q *parse.Question) ([]message, error) {
	question := questionText(q)
	content := any(question)
	if m.config.Pictures && q.Pictures != nil {
		parts, err := pictureParts(ctx, q)
		if err != nil {
			return nil, err
		}
		content = append([]part{{Type: "text", Text: question}}, parts...)
	}
	messages := []message{{"system", systemText}, {"user", content}}
	if q.Earlier == nil {
		return messages, nil
	}
	earlier, err := json.Marshal(q.Earlier)
	if err != nil {
		return nil, fmt.Errorf("write the earlier answer: %w", err)
	}
	objections := "Your answer was checked. Correct it and answer with all values again:\n- " + strings.Join(q.Objections, "\n- ")
	return append(messages, message{"assistant", string(earlier)}, message{"user", objections}), nil
}

func questionText(q *parse.Question) string {
	var b strings.Builder
	b.WriteString("Find the words of these values:\n")
	for _, f := range q.Fields {
		fmt.Fprintf(&b, "- fields.%s (%s): %s\n", f.Name, f.Type, f.What)
	}
	b.WriteString("and of each row of the VAT breakdown:\n")
	for _, f := range q.Vat {
		fmt.Fprintf(&b, "- vat[].%s (%s): %s\n", f.Name, f.Type, f.What)
	}
	b.WriteString("and of each line of the invoice:\n")
	for _, f := range q.Lines {
		fmt.Fprintf(&b, "- lines[].%s (%s): %s\n", f.Name, f.Type, f.What)
	}
	b.WriteString("\nThe rows of the pages:\n")
	b.WriteString(q.Text)
	return b.String()
}

// quality is that of the JPEG pictures: text is still sharp.
const quality = 70

func pictureParts(ctx context.Context, q *parse.Question) (parts []part, err error) {
	pages, err := q.Pictures(ctx)
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		var out bytes.Buffer
		if err := jpeg.Encode(&out, page, &jpeg.Options{Quality: quality}); err != nil {
			return nil, fmt.Errorf("write the picture of a page: %w", err)
		}
		parts = append(parts, part{Type: "image_url", Image: &imageURL{"data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes())}})
	}
	return parts, nil
}

// formatOf is the JSON Schema of an answer: lists of numbers of words alone.
func formatOf(q *parse.Question) any {
	type object = map[string]any
	numbers := object{"type": "array", "items": object{"type": "integer"}}
	of := func(fields []parse.AskedField) object {
		properties, required := object{}, []string{}
		for _, f := range fields {
			properties[f.Name] = numbers
			required = append(required, f.Name)
		}
		return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	schema := object{
		"type": "object", "required": []string{"fields", "vat", "lines"}, "additionalProperties": false,
		"properties": object{
			"fields": of(q.Fields), "vat": object{"type": "array", "items": of(q.Vat)}, "lines": object{"type": "array", "items": of(q.Lines)},
		},
	}
	return object{"type": "json_schema", "json_schema": object{"name": "invoice", "strict": true, "schema": schema}}
}
