package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
)

// recovering is the hook that makes an error of a panic. Nothing of what was gathered before is left: it may have
// secrets. The error shows no secret, nor anything of a panic of what hides them.
func recovering(r *mask.Masker) hook {
	return func(ctx context.Context, c *call, next handler) (rep reply) {
		defer func() {
			if p := recover(); p != nil {
				what := "the call"
				if c.tool != nil {
					what = "the tool " + c.name
				}
				rep = reply{err: bug(what, "a panic that cannot be shown")}
				defer func() { _ = recover() }()
				said, _ := r.String(fmt.Sprint(p))
				rep.err = bug(what, said)
			}
		}()
		return next(ctx, c)
	}
}

// redact is the hook that replaces secrets in updates, results and errors. Those in files and outputs were found where
// these were read; what is left are names, messages and the like.
func redact(r *mask.Masker) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		r.Refresh()
		rep := next(redactProgress(r, ctx), c)
		if rep.gathered != nil {
			redactGathered(r, rep.gathered, rep.shown)
		}
		rep.err = redactError(r, rep.err)
		return rep
	}
}

// redactGathered replaces secrets in what a tool of the library has gathered, of which b is shown.
func redactGathered(r *mask.Masker, own any, b *Shown) {
	shown, found := r.String(b.Text)
	if len(found) > 0 {
		for i := range found {
			found[i].Line = 0 // that of the text is of no use
		}
		b.redacted("", found)
		b.Text = notice.Append(shown, notice.Redacted(mask.Summary(found)))
	}
	redactIn(r, reflect.ValueOf(own).Elem())
}

// redactIn replaces secrets in all strings that a value holds in exported fields, which must be the caller's to change.
func redactIn(r *mask.Masker, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if shown, found := r.String(v.String()); len(found) > 0 && v.CanSet() {
			v.SetString(shown)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			redactIn(r, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				redactIn(r, v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // an image
		}
		for i := range v.Len() {
			redactIn(r, v.Index(i))
		}
	}
}

// redactError replaces secrets in the message of an error.
func redactError(r *mask.Masker, e *Error) *Error {
	if e == nil {
		return nil
	}
	shown, found := r.String(e.Message)
	if len(found) == 0 {
		return e
	}
	with := *e
	with.Message = shown
	return &with
}

// redactProgress returns a context whose updates show no secrets.
func redactProgress(r *mask.Masker, ctx context.Context) context.Context {
	report, _ := ctx.Value(progressKey{}).(func(Update))
	if report == nil {
		return ctx
	}
	return WithProgress(ctx, func(u Update) {
		u.Tail, _ = r.String(u.Tail)
		report(u)
	})
}

// redactResult replaces secrets in the result of a tool that was added, before it is bounded.
func redactResult(r *mask.Masker, res Result) (Result, []mask.Finding) {
	if r.Off() {
		return res, nil
	}
	shown, found := r.String(res.Text)
	res.Text = shown
	if e, ok := res.Details.(*Error); ok {
		with := *e
		with.Message, _ = r.String(e.Message)
		with.details = redactDetails(r, e.details)
		res.Details = &with
	} else {
		res.Details = redactDetails(r, res.Details)
	}
	return res, found
}

// redactDetails returns details as they are if they hold no secret, or else their JSON form without it.
func redactDetails(r *mask.Masker, details any) any {
	if details == nil {
		return nil
	}
	raw, err := json.Marshal(details)
	if err != nil {
		return details // nobody can encode them
	}
	if found := r.Mask(raw); len(found) == 0 {
		return details
	} else if !json.Valid(raw) {
		return nil
	}
	return json.RawMessage(raw)
}
