package xpath

import (
	"einvoice/model/source"
)

// call compiles the call of a function, whose arguments the parser has checked.
func (l *dialect[N]) call(name string, args []value[N]) value[N] {
	if len(args) == 0 && functions[name].byNode {
		return l.callOnNode(name)
	}
	switch name {
	case "last":
		return numberValue(func(_ *Evaluation, f focus[N]) number { return integer(f.size) })
	case "position":
		return numberValue(func(_ *Evaluation, f focus[N]) number { return integer(f.position) })
	case "true", "false":
		is := name == "true"
		return booleanValue(func(*Evaluation, focus[N]) bool { return is })
	case "boolean":
		return booleanValue(l.asBoolean(args[0]))
	case "not":
		holds := l.asBoolean(args[0])
		return booleanValue(func(e *Evaluation, f focus[N]) bool { return !holds(e, f) })
	case "string":
		return textValue(l.asText(args[0]))
	case "number":
		return numberValue(l.asNumber(args[0]))
	case "count", "sum":
		return l.aggregate(name, args[0].nodes)
	}
	if of, ok := nameFunctions[name]; ok {
		return l.nameOfFirst(args[0].nodes, of)
	}
	if of, ok := numberFunctions[name]; ok {
		n := l.asNumber(args[0])
		return numberValue(func(e *Evaluation, f focus[N]) number { return n(e, f).rounded(of) })
	}
	return l.callOnTexts(name, args)
}

// callOnNode compiles a function that is called without an argument and then is
// about the context node.
func (l *dialect[N]) callOnNode(name string) value[N] {
	if of, ok := nameFunctions[name]; ok {
		return textValue(func(e *Evaluation, f focus[N]) string { return of(l.name(e, f.node)) })
	}
	own := func(e *Evaluation, f focus[N]) string { return l.text(e, f.node) }
	switch name {
	case "string":
		return textValue(own)
	case "number":
		return numberValue(func(e *Evaluation, f focus[N]) number { return toNumber(own(e, f)) })
	}
	return l.callOnTexts(name, []value[N]{textValue(own)})
}

// nameFunctions are the functions of a node's name.
var nameFunctions = map[string]func(source.QName) string{
	"name":          source.QName.String,
	"local-name":    func(q source.QName) string { return q.Local },
	"namespace-uri": func(q source.QName) string { return q.URI },
}

func (l *dialect[N]) nameOfFirst(path nodeSet[N], of func(source.QName) string) value[N] {
	return textValue(func(e *Evaluation, f focus[N]) string {
		if n, ok := path.first(e, f.node); ok {
			return of(l.name(e, n))
		}
		return ""
	})
}

// aggregate compiles count and sum.
func (l *dialect[N]) aggregate(name string, path nodeSet[N]) value[N] {
	if name == "count" {
		return numberValue(func(e *Evaluation, f focus[N]) number {
			count := 0
			path.each(e, f.node, func(*Evaluation, N) bool { count++; return true })
			return integer(count)
		})
	}
	return numberValue(func(e *Evaluation, f focus[N]) number {
		total := integer(0)
		path.each(e, f.node, func(e *Evaluation, n N) bool {
			total = total.plus(toNumber(l.text(e, n)))
			return true
		})
		return total
	})
}

// callOnTexts compiles the functions of texts.
func (l *dialect[N]) callOnTexts(name string, args []value[N]) value[N] {
	texts := make([]textOf[N], len(args))
	for i := range args {
		texts[i] = l.asText(args[i])
	}
	if of, ok := textPredicates[name]; ok {
		return booleanValue(func(e *Evaluation, f focus[N]) bool { return of(texts[0](e, f), texts[1](e, f)) })
	}
	if of, ok := functionsOfText[name]; ok {
		return textValue(func(e *Evaluation, f focus[N]) string { return e.Read(of(texts[0](e, f))) })
	}
	if of, ok := functionsOfTwoTexts[name]; ok {
		return textValue(func(e *Evaluation, f focus[N]) string { return of(texts[0](e, f), texts[1](e, f)) })
	}
	switch name {
	case "string-length":
		return numberValue(func(e *Evaluation, f focus[N]) number { return length(texts[0](e, f)) })
	case "substring":
		return l.substring(texts[0], args[1:])
	case "translate":
		return textValue(func(e *Evaluation, f focus[N]) string {
			return e.Read(translate(texts[0](e, f), texts[1](e, f), texts[2](e, f)))
		})
	}
	return textValue(func(e *Evaluation, f focus[N]) string { // concat
		var all []byte
		for _, text := range texts {
			all = append(all, text(e, f)...)
		}
		return e.Read(string(all))
	})
}

func (l *dialect[N]) substring(text textOf[N], bounds []value[N]) value[N] {
	from := l.asNumber(bounds[0])
	if len(bounds) == 1 {
		return textValue(func(e *Evaluation, f focus[N]) string { return substringFrom(text(e, f), from(e, f)) })
	}
	count := l.asNumber(bounds[1])
	return textValue(func(e *Evaluation, f focus[N]) string { return substring(text(e, f), from(e, f), count(e, f)) })
}
