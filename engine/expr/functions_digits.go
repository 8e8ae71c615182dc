package expr

import (
	"errors"

	"github.com/google/cel-go/common/types"
)

// Functions of check digits, beside mod97.
var digitFunctions = []function{
	{"checksum", "The remainder by a modulus of the sum of all digits of a text, each times its weight: the first weight is that of the last digit, the second that of the digit before it, and so on; after the last weight comes the first again. -1 for a text that holds anything but digits.",
		`"4000001000005".checksum([1, 3], 10) == 0 && "12".checksum([10, 1], 7) == 0 && "1-2".checksum([1], 10) == -1`,
		[]overload{{member: true, args: []*types.Type{types.StringType, types.NewListType(types.IntType), types.IntType}, result: types.IntType, compile: compileChecksum}}},
	{"luhn", "Whether a text is digits, of which the last is the check digit that the algorithm of Luhn (ISO/IEC 7812-1) gives.",
		`"79927398713".luhn() && !"79927398714".luhn() && !"".luhn()`,
		[]overload{ofText(fromText(luhn), asBool, types.BoolType)}},
	{"mod11_10", "Whether a text is digits, of which the last is the check digit of ISO/IEC 7064 by the system MOD 11,10, as the Croatian OIB and the German VAT number have it.",
		`"94577403194".mod11_10() && !"94577403195".mod11_10() && !"".mod11_10()`,
		[]overload{ofText(fromText(mod11And10), asBool, types.BoolType)}},
}

func compileChecksum(_ *Environment, args []compiled) (compiled, error) {
	modulus, ok := args[2].literal.(int64)
	if !ok || modulus <= 0 || modulus > 1000 {
		return compiled{}, errors.New("the modulus must be a literal from 1 to 1000")
	}
	text, list := args[0].text, args[1].list
	return asInt(func(act *Activation) (int64, bool) {
		s, ok := text(act)
		if !ok || !act.pay(len(s)) {
			return 0, false
		}
		l, ok := list(act)
		if !ok {
			return 0, false
		}
		weights := l.all().integers
		if len(weights) == 0 {
			act.fail(errOther, nil, "a checksum needs at least one weight")
			return 0, false
		}
		return checksum(s, weights, modulus), true
	}), nil
}

func checksum(s string, weights []int64, modulus int64) int64 {
	sum := int64(0)
	for i := range len(s) {
		c := s[len(s)-1-i]
		if c < '0' || c > '9' {
			return -1
		}
		sum = (sum + int64(c-'0')*(weights[i%len(weights)]%modulus)) % modulus
	}
	return sum
}

// luhn doubles every second digit from the last but one on, and adds the digits of
// what that gives.
func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		c := s[len(s)-1-i]
		if c < '0' || c > '9' {
			return false
		}
		digit := int(c - '0')
		if i%2 == 1 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return s != "" && sum%10 == 0
}

// mod11And10 adds each digit to what the one before it left, by 10, and doubles that by 11;
// with the check digit the sum is 1 by 10.
func mod11And10(s string) bool {
	if len(s) < 2 {
		return false
	}
	rest := 10
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		sum := (rest + int(s[i]-'0')) % 10
		if i == len(s)-1 {
			return sum == 1
		}
		if sum == 0 {
			sum = 10
		}
		rest = sum * 2 % 11
	}
	return false
}
