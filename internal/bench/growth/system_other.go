//go:build !linux

package main

import (
	"errors"
	"time"
)

func processorTime() time.Duration { return 0 }

func forget(string) error { return errors.New("the cold cache is measured on Linux only") }
