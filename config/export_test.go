package config

// Forget leaves out where the values come from, to compare them alone.
func Forget(c Config) Config {
	c.origins = nil
	return c
}

// SplitRules divides a list of rules.
var SplitRules = splitRules
