package credential

// Class is a set of bytes.
type Class [256]bool

// ClassOf returns the class of the bytes in a list, where a-z is a range.
func ClassOf(list string) *Class {
	c := new(Class)
	for i := 0; i < len(list); i++ {
		if i+2 < len(list) && list[i+1] == '-' {
			for x := int(list[i]); x <= int(list[i+2]); x++ {
				c[x] = true
			}
			i += 2
			continue
		}
		c[list[i]] = true
	}
	return c
}

// Classes of bytes in most credentials.
var (
	Word   = ClassOf("A-Za-z0-9_")
	Token  = ClassOf("A-Za-z0-9_-")
	Base62 = ClassOf("A-Za-z0-9")
	Base64 = ClassOf("A-Za-z0-9+/=")
	Digits = ClassOf("0-9")
)

var (
	hexes      = ClassOf("0-9a-fA-F")
	lowerHexes = ClassOf("0-9a-f")
	dotted     = ClassOf("A-Za-z0-9_.-")
	bech32     = ClassOf("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")
	base32     = ClassOf("A-Z2-7")
	urlBase64  = ClassOf("A-Za-z0-9%+/=_-")
	slashed    = ClassOf("A-Za-z0-9/_-")
	slack      = ClassOf("A-Za-z0-9.%_-")
	labels     = ClassOf("A-Z0-9 -") // of a private key
	azureClass = ClassOf("A-Za-z0-9_.~-")

	// notWord has the bytes that may precede a token with a literal too short to be looked for alone: no letter, digit
	// or underscore. It has only ASCII, which keeps the redactor's table of literals small.
	notWord = ClassOf(" \t\r\n\x00\a!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~")
)
