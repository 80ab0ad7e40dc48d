package proc

// A 32-bit program may run commands of 64 bits. Their numbers are those of system calls that do not block here.
func init() {
	for number, call := range map[int]systemCall{0: read, 19: read, 270: selects, 61: waits, 202: locks} {
		systemCalls[number] = call
	}
}
