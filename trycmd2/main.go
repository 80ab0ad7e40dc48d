package main

import (
	"fmt"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

func main() {
	s, err := tools.New(config.Config{Workspace: "/tmp/w/ws"})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	sum := 0
	for _, t := range s.Tools() {
		fmt.Println(t.Name(), len(t.Description()), len(t.Schema()))
		sum += len(t.Description()) + len(t.Schema())
	}
	fmt.Println(sum)
	for _, t := range s.Tools() {
		fmt.Println("==", t.Name(), t.Description(), "\n", string(t.Schema()))
	}
}
