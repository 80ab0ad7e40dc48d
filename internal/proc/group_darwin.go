package proc

import (
	"slices"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB of <sys/proc.h>

// groupMembers returns the pids of the living processes of a group, ascending.
func groupMembers(group int) []int {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", group)
	if err != nil {
		return nil
	}
	var pids []int
	for _, p := range list {
		if p.Proc.P_stat != zombie {
			pids = append(pids, int(p.Proc.P_pid))
		}
	}
	slices.Sort(pids)
	return pids
}
