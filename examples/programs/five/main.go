// Command five has five tools and no part: the smallest program that an agent needs.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

func main() {
	suite, err := tools.New(config.Config{Tools: []string{"read", "bash", "grep", "find", "ls"}})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	res, err := suite.Call(context.Background(), os.Args[1], []byte(os.Args[2])) // such as: read '{"path": "go.mod"}'
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Text)
}
