package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/script"
)

// A model counts files by directory, and pays for three words.
func ExampleNew() {
	suite, err := tools.New(config.Config{Workspace: "../../examples/manual"})
	if err != nil {
		panic(err)
	}
	defer suite.Close()
	tool, err := script.New(suite, script.Options{})
	if err == nil {
		err = suite.Add(tool)
	}
	if err != nil {
		panic(err)
	}
	args, _ := json.Marshal(map[string]string{"code": `
const {paths} = await tools.find({pattern: "*.go"});
print(paths.length, "Go files");
return (await tools.grep({pattern: "^package main"})).lines.map((l) => l.path);`})
	res, err := suite.Call(context.Background(), script.Name, args)
	fmt.Println(res, err)
	// Output:
	// 3 Go files
	// ["cmd/shop/main.go"]
	//
	// [A search skipped 2 binary files and 1 ignored entry. The field skipped of a result has its counts] <nil>
}

// Who is asked about a call sees which line of the script makes it.
func ExampleAt() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	suite, err := tools.New(config.Config{
		Workspace: dir,
		Guard: func(ctx context.Context, call config.Call) error {
			if line, text, ok := script.At(ctx); ok && call.Effects.Writes {
				fmt.Printf("%s, in line %d: %s\n", call.Tool, line, text)
			}
			return nil
		},
	})
	if err != nil {
		panic(err)
	}
	defer suite.Close()
	tool, err := script.New(suite, script.Options{})
	if err == nil {
		err = suite.Add(tool)
	}
	if err != nil {
		panic(err)
	}
	args, _ := json.Marshal(map[string]string{"code": "const content = 'hello';\nawait tools.write({path: 'a.txt', content});"})
	res, _ := suite.Call(context.Background(), script.Name, args)
	fmt.Println(res)
	// Output:
	// write, in line 2: await tools.write({path: 'a.txt', content});
	// (the script printed and returned nothing)
	//
	// The script did this:
	// - changed a.txt: created, 1 line added
}
