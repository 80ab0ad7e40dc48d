"""fortranfiles.py COUNT writes a model in Fortran and its makefile; one file assigns text to a number, and calls with too few arguments."""
import os
import sys

from words import noun, rand, unique

os.makedirs("src")
names = unique(lambda: f"{noun()}_{noun()}", int(sys.argv[1]))
objects = " ".join(f"src/{n}.o" for n in names)
open("Makefile", "w").write(f"FFLAGS = -O0 -Wall -Wextra -fimplicit-none\n\nall: {objects}\n\nsrc/%.o: src/%.f90\n\tgfortran $(FFLAGS) -c $< -o $@\n")
for n, name in enumerate(names):
    text = f"module {name}_m\n  implicit none\ncontains\n  subroutine {name}(cells, total)\n    real, intent(in) :: cells(:)\n    real, intent(out) :: total\n    integer :: i"
    text += f", {noun()}_unused\n" if rand.random() < 0.3 else "\n"
    text += "    total = 0\n    do i = 1, size(cells)\n      total = total + cells(i)\n    end do\n"
    if n == 98:
        text += "    call redistribute(total\n    i = 'last cell'\n"
    text += f"  end subroutine\nend module\n"
    open(f"src/{name}.f90", "w").write(text)
