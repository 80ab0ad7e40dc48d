package proc

// A 32-bit program may run 64-bit commands. Their numbers belong to system calls that do not block here.
func init() {
	for number, call := range map[int]systemCall{0: read, 19: read, 270: selects, 61: waits, 202: locks} {
		systemCalls[number] = call
	}
}
