// Command reviewer has the tools that change nothing: what an agent needs that reads code.
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
	suite, err := tools.New(config.Config{ReadOnly: true, Hidden: []string{".env", "*.pem"}})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()
	res, err := suite.Call(context.Background(), os.Args[1], []byte(os.Args[2])) // such as: grep '{"pattern": "TODO"}'
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Text)
}
