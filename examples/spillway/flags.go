package main

import (
	"flag"
	"fmt"
	"strings"
)

// parse sets the flags that stand anywhere among args, and returns the other arguments. Behind "--" there are no flags.
func parse(flags *flag.FlagSet, args []string) (operands []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return append(operands, args...), nil
		}
		if !isFlag(arg) {
			operands = append(operands, arg)
			continue
		}
		given, name := []string{arg}, flagName(arg)
		if flags.Lookup(name) == nil && name != "h" && name != "help" {
			return nil, unknownFlag(flags, operands, arg, name)
		}
		if takesValue(flags, name) && !strings.Contains(arg, "=") {
			if len(args) == 0 {
				return nil, fmt.Errorf("a value is missing behind %s", arg)
			}
			given = append(given, args[0])
			args = args[1:]
		}
		if err := flags.Parse(given); err != nil {
			return nil, err
		}
	}
	return operands, nil
}

// isFlag reports whether an argument is a flag: "-" stands for stdin elsewhere, and is none.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// flagName is the name in a flag that is written as -name, --name or -name=value.
func flagName(arg string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return name
}

// unknownFlag says what a flag that there is none of may have been meant to be. operands stand before it.
func unknownFlag(flags *flag.FlagSet, operands []string, arg, name string) error {
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	meant := didYouMean(names, "-"+name)
	if flags.Name() != "call" {
		return fmt.Errorf("%s has no flag %s%s", flags.Name(), arg, strings.TrimSuffix(meant, "."))
	}
	written := name + "=VALUE"
	if len(operands) > 0 {
		if written = asArgument(operands[0], arg); written == "" {
			if command := strings.Join(append(operands[1:], arg), " "); operands[0] == "bash" && !strings.Contains(command, "'") {
				return fmt.Errorf("there is no flag %s. Put quotes around a whole command: spillway call bash '%s'", arg, command)
			}
			return fmt.Errorf("there is no flag %s, and no argument of %s like it (spillway tools %s lists them). "+
				"What begins with - goes behind --", arg, operands[0], operands[0])
		}
	}
	return fmt.Errorf("there is no flag %s%s An argument of a tool is written %s, and what begins with - goes behind --",
		arg, meant, written)
}

// takesValue reports whether the next argument belongs to a flag.
func takesValue(flags *flag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}
