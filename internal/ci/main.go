// Command ci checks what must hold before a change lands. .ci/run starts it:
//
//	.ci/run                      # what must hold before a change lands
//	.ci/run nightly              # what rarely fails alone: Windows under wine, 386, systems that lack something
//	.ci/run all                  # both
//	.ci/run quick                # gofmt, vet, staticcheck and go test -short: for a change in progress
//	.ci/run race vet:linux/386   # the steps of a kind, or one of them
//	.ci/run -list                # the names of all steps
//
// It installs missing Debian packages with CI=true in its environment, and never otherwise.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	list := flag.Bool("list", false, "print the names of the steps")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: .ci/run [-list] [quick | nightly | all | STEP...]")
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *list, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ci:", err)
		os.Exit(1)
	}
}

// run runs the steps of these names, and all that there are by default if there is none.
func run(ctx context.Context, list bool, names []string) error {
	began := time.Now()
	tree, err := openTree(ctx)
	if err != nil {
		return err
	}
	defer tree.close()
	steps, err := tree.steps()
	if err != nil {
		return err
	}
	if list {
		for _, s := range steps {
			name := s.name
			if s.nightly {
				name += " (nightly)"
			}
			fmt.Println(name)
		}
		return nil
	}
	if steps, err = named(steps, names); err != nil {
		return err
	}
	if len(names) != 1 || names[0] != quickName {
		if err := install(ctx); err != nil {
			return err
		}
		required()
	}
	if err := runSteps(ctx, os.Stdout, steps); err != nil {
		return err
	}
	fmt.Printf("ci: %d steps, %ds\n", len(steps), int(time.Since(began).Seconds()))
	return nil
}

// named returns the steps of these names or kinds; without any, those that run by default.
func named(all []step, names []string) (chosen []step, err error) {
	asked := map[string]bool{}
	for _, name := range names {
		asked[name] = true
	}
	for _, s := range all {
		kind, _, _ := strings.Cut(s.name, ":")
		byDefault := len(names) == 0 && !s.nightly || asked[nightlyName] && s.nightly || asked[allName]
		if asked[s.name] || asked[kind] || byDefault && !s.onlyAsked {
			chosen = append(chosen, s)
		}
	}
	delete(asked, nightlyName)
	delete(asked, allName)
	for _, s := range all {
		kind, _, _ := strings.Cut(s.name, ":")
		delete(asked, kind)
		delete(asked, s.name)
	}
	for name := range asked {
		return nil, fmt.Errorf("there is no step %s; .ci/run -list names them", name)
	}
	return chosen, nil
}

// seed returns what a variable of the environment says, so that a run can be repeated, or a number by chance.
func seed(variable string) string {
	if s := os.Getenv(variable); s != "" {
		return s
	}
	return fmt.Sprint(rand.IntN(1 << 15))
}
