package create_test

const suites = "../../../shared/suites"
