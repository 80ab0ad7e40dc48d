// Package record has the file of a record: lines that are appended to it, by several suites and processes, and read.
package record
