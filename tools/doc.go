// Package tools provides the tools of a coding agent: read, bash, grep, find and ls; write
// and edit; and job, for commands that go on. The part of package tools/patch brings apply_patch. Their output is always bounded,
// and what does not fit stays within reach: the text ends in a notice that says how to get
// it.
//
//	suite, err := tools.New(config.Config{Workspace: "."})
//	if err != nil {
//		return err
//	}
//	defer suite.Close() // ends what bash left running
//
// An agent's loop shows its model the name, description and JSON Schema of each of
// [Suite.Tools], and passes the model's calls to [Suite.Call]:
//
//	res, err := suite.Call(ctx, "grep", json.RawMessage(`{"pattern": "TODO"}`))
//
// A program calls a tool with Go values and gets typed results:
//
//	res, err := suite.Grep(ctx, tools.GrepParams{Pattern: "TODO", Limit: 20})
//
// Read [New] and [Suite] first, then [Tool] and [Result]. [config.Config] has the
// options. [Func], [Suite.Add] and [Truncate] are for tools of your own, [WithProgress]
// and [Suite.Stats] for watching.
//
// # Results
//
// [Result.Text] is for the model, and complete without the rest. [Result.Details] gives
// the same facts to the program, and encodes to JSON. A text has at most MaxLines lines
// and MaxBytes bytes, and up to 1 KiB of notices. It is valid UTF-8. Lines are those of
// sed -n, characters are Unicode code points, and both are numbered from 1.
//
// # Failures
//
// A failure that the model can act on (a missing file, a bad argument, a timeout) is a
// Result with IsError and a text that begins with its [Code]. [Suite.Call] returns a Go
// error only if the context ended; the Result then holds what was gathered before. The
// typed methods return failures as [*Error], beside what was gathered.
//
// # Arguments
//
// Arguments are decoded as models write them: "100" for 100, "true" for true. null
// and 0 mean the default. Names that other agents' tools have for an argument are
// understood (file_path, head_limit, -i); any other unknown key is an error. Paths are relative to the workspace
// or absolute. A name that is not printable or not UTF-8 is shown in C quotes, as git
// does, and accepted in that form.
//
// # Parts
//
// What not every agent needs is a [Part], which a program imports and hands to [New]: tools/sandbox, tools/permission and
// others below this package; tools/all has all of them.
//
//	suite, err := tools.New(cfg, sandbox.Part(), permission.Part())
//
// # Confinement
//
// read, grep, find and ls open nothing outside the workspace, the spill directory,
// [config.Config.AllowedRoots] and [config.Config.WritableRoots], through links either. write,
// edit and apply_patch change files in the workspace and in WritableRoots alone, but for what
// [config.Config.ReadOnlyRoots] names. bash is not confined: confine it with
// [config.Bash.Sandbox], leave it out with [config.Config.ReadOnly], or ask a person in
// [config.Config.Ask] or [config.Config.Guard].
package tools
