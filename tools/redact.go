package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
)

// recovering is the hook that turns a panic into an error. It drops everything gathered before, and the panic's text
// if redaction panicked, because either may have secrets.
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

// redact is the hook that replaces secrets in updates, results and errors. The readers of files and outputs have
// replaced the secrets there; this covers names, messages and the like.
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

func redactGathered(r *mask.Masker, own any, b *Shown) {
	shown, found := r.String(b.Text)
	if len(found) > 0 {
		for i := range found {
			found[i].Line = 0 // a line number in the text means nothing in the file
		}
		b.redacted("", found)
		b.Text = notice.Append(shown, notice.Redacted(mask.Summary(found)))
	}
	redactIn(r, reflect.ValueOf(own).Elem())
}

// redactIn replaces secrets in all strings in exported fields of a value. The value is changed in place.
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
			return // the data of an image
		}
		for i := range v.Len() {
			redactIn(r, v.Index(i))
		}
	}
}

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

// redactResult replaces secrets in the result of an added tool. It runs before the result is cut, because half a
// secret is not recognized.
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

// redactDetails returns details unchanged if they hold no secret, else their JSON form with placeholders.
func redactDetails(r *mask.Masker, details any) any {
	if details == nil {
		return nil
	}
	raw, err := json.Marshal(details)
	if err != nil {
		return details // what does not encode cannot leak through JSON
	}
	if found := r.Mask(raw); len(found) == 0 {
		return details
	} else if !json.Valid(raw) {
		return nil
	}
	return json.RawMessage(raw)
}
