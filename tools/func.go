package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/args"
)

// Func makes a tool from a Go function. P is the struct of its arguments. The schema that the model sees is made from
// the fields, their json tags, and their jsonschema tags, which describe them. Arguments are decoded like those of the
// suite's own tools ("100" is accepted for 100, "true" for true). A field whose json tag lacks omitempty is required.
//
// [Suite.Add] and [Truncate] bound the text that f returns; Func does not. An [*Error] of f keeps its code. Any other
// error, and a panic, gets one. Text returned beside an error is shown too. Func panics if P is not a struct of types
// that have a schema.
//
// The tool has the sum of the effects given. Without any it is assumed to have every effect.
func Func[P any](
	name, description string, f func(ctx context.Context, args P) (string, error), effects ...config.Effects,
) Tool {
	if reflect.TypeFor[P]().Kind() != reflect.Struct {
		panic(fmt.Sprintf("tools: the arguments of %s must be a struct, but they are %s", name, reflect.TypeFor[P]()))
	}
	may := everything
	if len(effects) > 0 {
		may = config.Effects{}
	}
	for _, e := range effects {
		may.Reads, may.Writes, may.Executes = may.Reads || e.Reads, may.Writes || e.Writes, may.Executes || e.Executes
	}
	schema := args.Schema(reflect.TypeFor[P](), func(text string) string { return text })
	return &function[P]{spec{name: name, description: description, effects: may}, schema, f}
}

type function[P any] struct {
	spec
	schema json.RawMessage
	call   func(context.Context, P) (string, error)
}

func (f *function[P]) Schema() json.RawMessage { return f.schema }

func (f *function[P]) Effects() config.Effects { return f.effects }

func (f *function[P]) Call(ctx context.Context, raw json.RawMessage) (Result, error) {
	text, err := f.do(ctx, raw)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	res := Result{Text: text}
	if err != nil {
		res = failed(res, failure(err, ""))
	}
	return res, ended(ctx, res)
}

func (f *function[P]) do(ctx context.Context, raw json.RawMessage) (text string, err error) {
	defer recovered("the tool "+f.name, &err)
	var params P
	missing, bad := args.Decode(f.name, raw, &params, false)
	switch {
	case bad != nil:
		return "", bad
	case len(missing) > 0:
		return "", errorf(CodeInvalidInput, "%s is required", strings.Join(missing, ", "))
	}
	return f.call(ctx, params)
}
