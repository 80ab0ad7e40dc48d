package redaction_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/redaction"
)

// A placeholder is as long as its secret.
func ExamplePart() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, ".env"), []byte("DATABASE_URL=postgres://shop:h7Rk2mQz9wLtb4@db/shop\nPORT=5432\n"), 0o600)
	suite, err := tools.New(config.Config{Workspace: dir, Redact: config.RedactSecrets}, redaction.Part())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer suite.Close()
	res, _ := suite.Call(context.Background(), "read", []byte(`{"path": ".env"}`))
	fmt.Println(res.Text)
	// Output:
	// DATABASE_URL=postgres://shop:[redacted]    @db/shop
	// PORT=5432
	//
	// [1 secret was redacted (password in a URL)]
}
