package main

import (
	"fmt"
	"strings"
)

// generated is the first line of what is written.
const generated = "Made of the OpenAPI document of the service by make packages; do not edit."

// A language writes the types of all packages of one ecosystem.
type language struct {
	texts [6]string // of the kinds that are neither list nor group
	list  string    // with %s for what it is of
	value func(string) string
}

// typ is a type in the language.
func (l *language) typ(t *typ) string {
	switch {
	case t.kind == list:
		return fmt.Sprintf(l.list, l.typ(t.of))
	case t.kind == group:
		return t.name
	case t.values != nil && l.value != nil:
		values := make([]string, len(t.values))
		for i, v := range t.values {
			values[i] = l.value(v)
		}
		return strings.Join(values, " | ")
	}
	return l.texts[t.kind]
}

// oneLine is a text without ends of lines and of comments.
func oneLine(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "* /")
}

func quoted(value string) string { return fmt.Sprintf("%q", value) }

// typeScript is index.d.ts, behind the functions of the package.
func typeScript(all []record, functions string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n\n%s", generated, functions)
	l := language{texts: [6]string{"string", "number | string", "number", "number", "boolean", "unknown"}, list: "Array<%s>", value: quoted}
	for _, r := range all {
		fmt.Fprintf(&b, "\n/** %s */\nexport interface %s {\n", oneLine(r.about), r.name)
		for _, m := range r.members {
			optional, null := "?", ""
			if m.required {
				optional = ""
			}
			if m.nullable {
				null = " | null"
			}
			fmt.Fprintf(&b, "  /** %s */\n  %s%s: %s%s;\n", oneLine(m.about), m.name, optional, l.typ(m.typ), null)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// python is types.py.
func python(all []record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\"\"\"%s\"\"\"\n\nfrom typing import Any, List, Literal, Optional, TypedDict, Union\n", generated)
	l := language{texts: [6]string{"str", "Union[float, str]", "float", "int", "bool", "Any"}, list: "List[%s]"}
	for _, r := range all {
		// Written as calls, as members may be words of Python; the types of others are
		// texts, as they may follow.
		fmt.Fprintf(&b, "\n# %s\n%s = TypedDict(\n    %q,\n    {\n", oneLine(r.about), r.name, r.name)
		for _, m := range r.members {
			of := l.typ(m.typ)
			if m.typ.values != nil {
				values := make([]string, len(m.typ.values))
				for i, v := range m.typ.values {
					values[i] = quoted(v)
				}
				of = "Literal[" + strings.Join(values, ", ") + "]"
			}
			if m.nullable {
				of = "Optional[" + of + "]"
			}
			if about := oneLine(m.about); about != "" {
				fmt.Fprintf(&b, "        # %s\n", about)
			}
			fmt.Fprintf(&b, "        %q: %s,\n", m.name, "'"+strings.ReplaceAll(of, "'", "\\'")+"'")
		}
		b.WriteString("    },\n    total=False,\n)\n")
	}
	return b.String()
}

// reserved are words that no member can be called by in Java or C#.
var reserved = strings.Fields("default class package public private return static switch this void new int long short char byte double float boolean case for if else do while try catch finally final import native null true false object string event operator params ref base in out is as lock checked fixed")

func isReserved(name string) bool {
	for _, word := range reserved {
		if word == name {
			return true
		}
	}
	return false
}

// java are records, by the names of their files.
func java(all []record) map[string]string {
	l := language{texts: [6]string{"String", "java.math.BigDecimal", "java.math.BigDecimal", "Long", "Boolean", "Object"}, list: "List<%s>"}
	files := map[string]string{}
	for _, r := range all {
		var b strings.Builder
		fmt.Fprintf(&b, "// %s\npackage org.einvoice.types;\n\nimport com.fasterxml.jackson.annotation.JsonIgnoreProperties;\nimport com.fasterxml.jackson.annotation.JsonInclude;\nimport com.fasterxml.jackson.annotation.JsonProperty;\nimport java.util.List;\n\n", generated)
		fmt.Fprintf(&b, "/** %s */\n@JsonIgnoreProperties(ignoreUnknown = true)\n@JsonInclude(JsonInclude.Include.NON_NULL)\npublic class %s {\n", html(oneLine(r.about)), r.name)
		for _, m := range r.members {
			name := m.name
			if isReserved(name) {
				name += "_"
			}
			fmt.Fprintf(&b, "    /** %s */\n    @JsonProperty(%q)\n    public %s %s;\n", html(oneLine(m.about)), m.name, l.typ(m.typ), name)
		}
		b.WriteString("}\n")
		files[r.name+".java"] = b.String()
	}
	return files
}

func html(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;").Replace(text)
}

// csharp is Types.cs.
func csharp(all []record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\nusing System.Collections.Generic;\nusing System.Runtime.Serialization;\n\nnamespace Einvoice.Types\n{\n", generated)
	l := language{texts: [6]string{"string", "decimal?", "decimal?", "long?", "bool?", "object"}, list: "List<%s>"}
	for _, r := range all {
		fmt.Fprintf(&b, "    /// <summary>%s</summary>\n    [DataContract]\n    public class %s\n    {\n", html(oneLine(r.about)), r.name)
		for _, m := range r.members {
			name := strings.ToUpper(m.name[:1]) + m.name[1:]
			if name == r.name { // a member cannot be called as its class
				name += "_"
			}
			fmt.Fprintf(&b, "        /// <summary>%s</summary>\n        [DataMember(Name = %q, EmitDefaultValue = false)]\n        public %s %s { get; set; }\n", html(oneLine(m.about)), m.name, l.typ(m.typ), name)
		}
		b.WriteString("    }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// php is Types.php: shapes of arrays, as PHPStan and Psalm read them.
func php(all []record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<?php\n\n// %s\n\nnamespace Einvoice;\n\n/**\n", generated)
	l := language{texts: [6]string{"string", "int|float|string", "int|float", "int", "bool", "mixed"}, list: "list<%s>", value: func(v string) string { return "'" + v + "'" }}
	for _, r := range all {
		members := make([]string, len(r.members))
		for i, m := range r.members {
			optional, null := "?", ""
			if m.required {
				optional = ""
			}
			if m.nullable {
				null = "|null"
			}
			members[i] = fmt.Sprintf("%s%s: %s%s", m.name, optional, strings.ReplaceAll(l.typ(m.typ), " | ", "|"), null)
		}
		fmt.Fprintf(&b, " * @phpstan-type %s array{%s}\n", r.name, strings.Join(members, ", "))
	}
	b.WriteString(" */\nfinal class Types\n{\n}\n")
	return b.String()
}
