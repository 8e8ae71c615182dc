package font

// BuiltInNames are the names of the program's fonts: for plain and for bold text, and those
// for characters that they do not have.
var BuiltInNames = [4]string{"LiberationSans", "LiberationSans-Bold", "DejaVuSans", "DejaVuSans-Bold"}
