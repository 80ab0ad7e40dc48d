// Package config defines every option of a tool suite: its default, its floor, and the ways to
// set it.
//
// The zero [Config] works: each zero field means its default. A suite refuses a
// value under its floor when it is built, with an [OptionError] that names the option,
// the value and the floor.
//
// Options come from four places, each overriding the one before: the default, a
// JSON file ([Load]), the environment ([FromEnv]), and code, with [Config.Set] for flags.
//
//	cfg, err := config.Load("spillway.json") // a file that somebody else edits
//	cfg, err = config.FromEnv(cfg)           // SPILLWAY_MAX_BYTES=64KB and the like
//	cfg.Workspace = "."                      // what the program decides
//	suite, err := tools.New(cfg)
//
// Read [Config] first. [Config.Describe] prints the options in force and where they come
// from, and [Options] lists every option with its names, default and floor.
//
// In a file and in the environment a size may be written as 30720, "30KB" or
// "128MiB" (KB and KiB are both 1024 bytes), a duration as a number of
// milliseconds or as "90s".
package config
