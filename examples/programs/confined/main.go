// Command confined runs commands in a sandbox, refuses what rules deny, and masks secrets.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/permission"
	"github.com/spillway-go/spillway/tools/redaction"
	"github.com/spillway-go/spillway/tools/sandbox"
)

func main() {
	cfg := config.Config{Redact: config.RedactSecrets}
	cfg.Rules = config.Rules{Allow: []string{"*"}, Deny: []string{"edit(.git/**)", "bash(git push *)"}}
	cfg.Bash.Sandbox = config.SandboxAuto
	suite, err := tools.New(cfg, sandbox.Part(), permission.Part(), redaction.Part())
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	res, _ := suite.Call(context.Background(), os.Args[1], []byte(os.Args[2]))
	fmt.Println(res.Text)
}
