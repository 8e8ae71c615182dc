package xpath

// A signature is what a function takes and gives. Arguments convert to what it
// wants, but to a path nothing does.
type signature struct {
	least, most int
	result      kind
	byNode      bool // without an argument, it is about the context node
	ofPath      bool // its argument is a path
}

// many is how many arguments concat takes.
const many = 100

// functions are those that can be called: all of XPath 1.0 but id and lang, and
// two of XPath 2.0 that published rules use.
var functions = map[string]signature{
	"last":     {result: kindNumber},
	"position": {result: kindNumber},
	"count":    {least: 1, most: 1, result: kindNumber, ofPath: true},

	"name":          {most: 1, result: kindText, byNode: true, ofPath: true},
	"local-name":    {most: 1, result: kindText, byNode: true, ofPath: true},
	"namespace-uri": {most: 1, result: kindText, byNode: true, ofPath: true},

	"string":           {most: 1, result: kindText, byNode: true},
	"concat":           {least: 2, most: many, result: kindText},
	"starts-with":      {least: 2, most: 2, result: kindBoolean},
	"ends-with":        {least: 2, most: 2, result: kindBoolean},
	"contains":         {least: 2, most: 2, result: kindBoolean},
	"substring-before": {least: 2, most: 2, result: kindText},
	"substring-after":  {least: 2, most: 2, result: kindText},
	"substring":        {least: 2, most: 3, result: kindText},
	"string-length":    {most: 1, result: kindNumber, byNode: true},
	"normalize-space":  {most: 1, result: kindText, byNode: true},
	"translate":        {least: 3, most: 3, result: kindText},
	"upper-case":       {least: 1, most: 1, result: kindText},

	"boolean": {least: 1, most: 1, result: kindBoolean},
	"not":     {least: 1, most: 1, result: kindBoolean},
	"true":    {result: kindBoolean},
	"false":   {result: kindBoolean},

	"number":  {most: 1, result: kindNumber, byNode: true},
	"sum":     {least: 1, most: 1, result: kindNumber, ofPath: true},
	"floor":   {least: 1, most: 1, result: kindNumber},
	"ceiling": {least: 1, most: 1, result: kindNumber},
	"round":   {least: 1, most: 1, result: kindNumber},
}

// instead says what to write in place of functions that people expect and that
// are not there.
var instead = map[string]string{
	"id":           "compare an attribute: //*[@id = 'a']",
	"lang":         "compare the attribute: [@languageID = 'de']",
	"exists":       "write its argument alone, [cbc:ID]",
	"empty":        "write not(...)",
	"lower-case":   "compare with upper-case(...), or write translate(...)",
	"matches":      "ask matches() in the CEL assertion",
	"replace":      "use replace() in the CEL assertion, or translate(...)",
	"tokenize":     "use split() in the CEL assertion",
	"abs":          "use abs() in the CEL assertion",
	"string-join":  "write concat(...)",
	"current-date": "rules decide alike on every day: compare with a date of the invoice",
}
