//go:build !unix

package main

func smallBuffer(uintptr) error { return nil }
