package permission_test

import (
	"context"
	"fmt"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/permission"
)

// A person is asked about what no rule decides.
func ExamplePart() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	suite, err := tools.New(config.Config{
		Workspace: dir,
		Rules:     config.Rules{Allow: []string{"bash(readonly)", "edit(src/**)"}, Deny: []string{"read(**/.env)"}},
		Ask: func(_ context.Context, call config.Call) (config.Answer, error) {
			fmt.Println(call.Why)
			return config.Answer{Decision: config.DecisionNo, Reason: "not today"}, nil
		},
	}, permission.Part())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer suite.Close()
	for _, args := range []string{`{"command": "echo hello"}`, `{"command": "rm -r src"}`, `{"command": "cat sub/.env"}`} {
		res, _ := suite.Call(context.Background(), "bash", []byte(args))
		fmt.Println(res.Text)
	}
	// Output:
	// hello
	//
	// no rule allows rm -r src
	// denied: the user said no: not today
	// denied: the rule deny read(**/.env) refuses cat sub/.env. Do it without that, or ask the user
}
