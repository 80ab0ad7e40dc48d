// Package tools is the read, bash, grep, find and ls of a coding agent. Their
// output is always bounded, and what does not fit stays within reach: the text
// ends in a notice that says how to get it.
//
//	suite, err := tools.New(config.Config{Workspace: "."})
//	if err != nil {
//		return err
//	}
//	defer suite.Close() // ends what bash left running
//
// An agent's loop tells its model of [Suite.Tools] (name, description, JSON
// Schema) and passes the model's calls to [Suite.Call]:
//
//	res, err := suite.Call(ctx, "grep", json.RawMessage(`{"pattern": "TODO"}`))
//
// A program calls a tool with Go values and gets typed results:
//
//	res, err := suite.Grep(ctx, tools.GrepParams{Pattern: "TODO", Limit: 20})
//
// Read [New] and [Suite] first, then [Tool] and [Result]. [config.Config] has the
// options, [Suite.Add] and [Bounded] are for tools of your own, [WithProgress] and
// [Suite.Stats] for watching.
//
// # Results
//
// [Result.Text] is for the model and is enough alone. [Result.Details] are for
// the program: the same facts as numbers, which encode to JSON. A text is at most
// MaxLines lines and MaxBytes bytes, and its notices take no more than 1 KiB on
// top. It is valid UTF-8. Lines are those of sed -n,
// characters are Unicode code points, and both are counted from 1 where they have a
// number.
//
// # Failures
//
// A failure that the model can do something about is a Result with IsError and a
// text that begins with a [Code]: a missing file, a bad argument, a timeout. The
// Go error of [Suite.Call] is for a context that ended; what was gathered until
// then is in the Result. The typed methods return failures as [*Error], beside
// what was gathered.
//
// # Arguments
//
// Arguments are taken as models write them: "100" for 100, "true" for true; null
// and 0 mean the default, keys that are not known are ignored. Paths are relative
// to the workspace or absolute. A name that is not printable or not UTF-8 is
// shown in C quotes, as git does, and taken back in that form.
//
// # Confinement
//
// read, grep, find and ls open nothing outside of the workspace, the spill
// directory and [config.Config.AllowedRoots], whatever links there are. bash is not
// confined: leave it out with [config.Config.ReadOnly], ask a person in
// [config.Config.Guard], or run the program in a sandbox.
package tools
