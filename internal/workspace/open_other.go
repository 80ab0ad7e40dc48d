//go:build !unix

package workspace

const nonBlocking = 0
