package convert_test

const suites = "../../../shared/suites"
