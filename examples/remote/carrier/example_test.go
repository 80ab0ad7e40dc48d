package carrier_test

import (
	"context"
	"fmt"
	"log"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/remote/carrier"
	"github.com/spillway-go/spillway/tools"
)

// work calls a tool in a container.
func work(ctx context.Context) error {
	remote, err := carrier.Connect(ctx, "docker://web/app", carrier.Options{Binary: func(goos, goarch string) (string, error) {
		return fmt.Sprintf("dist/spillway-%s-%s", goos, goarch), nil
	}})
	if err != nil {
		return err
	}
	defer remote.Close()
	suite, err := tools.New(config.Config{Workspace: ".", Tools: []string{config.NoTools}})
	if err != nil {
		return err
	}
	defer suite.Close()
	if err := suite.Add(remote.Tools...); err != nil {
		return err
	}
	res, err := suite.Call(ctx, "bash", []byte(`{"command": "hostname"}`))
	fmt.Println(res.Text)
	return err
}

func ExampleConnect() {
	if err := work(context.Background()); err != nil {
		log.Fatal(err)
	}
}
