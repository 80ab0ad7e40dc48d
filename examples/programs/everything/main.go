// Command everything has all parts of tools/all, and takes its options from the environment.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

func main() {
	cfg, err := config.FromEnv(config.Config{}) // SPILLWAY_REDACT=secrets, SPILLWAY_RULES_DENY='bash(rm *)', ...
	if err != nil {
		log.Fatal(err)
	}
	suite, err := tools.New(cfg, all.Parts()...)
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	res, _ := suite.Call(context.Background(), os.Args[1], []byte(os.Args[2]))
	fmt.Println(res.Text)
}
