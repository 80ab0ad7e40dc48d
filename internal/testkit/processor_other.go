//go:build !unix

package testkit

import "time"

var began = time.Now()

// Processor returns how long this process has run.
func Processor() time.Duration { return time.Since(began) }
