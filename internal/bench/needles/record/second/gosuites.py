"""gosuites.py panic|race|lint TESTS writes a Go module of packages with plain tests, one of which has what is planted."""
import os
import sys

from words import camel, noun, rand, trait, unique, verb

planted, count = sys.argv[1], int(sys.argv[2])
PACKAGES = ["api/v1", "cmd/fleetd", "internal/auth", "internal/planner", "internal/queue", "internal/routes", "pkg/geo"]
LOGS = [
    't.Log("seeded with", {n})', 't.Logf("%d vehicles, %.1f km", {n}, {n}*1.7)', 'log.Printf("worker %d started", {n}%8)',
    'fmt.Println("GET /v1/vehicles/{n} 200", len(t.Name()))', 't.Logf("got %q", "r-{n}")', 'slog.Info("assigned", "route", {n}, "stops", {n}%13)',
    't.Logf("waiting for %s", t.TempDir()[:4])',
]
PANIC = """
type stop struct{ next *stop; label string }

func (s *stop) last() string {
	if s.next.next == nil {
		return s.next.label
	}
	return s.next.last()
}

func resolve(stops chan *stop, done chan string) {
	for s := range stops {
		done <- s.last()
	}
}

func TestPlanKeepsLastStop(t *testing.T) {
	stops, done := make(chan *stop), make(chan string)
	go resolve(stops, done)
	stops <- &stop{next: &stop{label: "depot"}}
	t.Log(<-done)
	stops <- &stop{label: "depot"}
	t.Log(<-done)
}
"""
RACE = """
type limiter struct{ used map[string]int }

func (l *limiter) take(name string) { l.used[name]++ }

func TestLimiterSharesBudget(t *testing.T) {
	l := &limiter{used: map[string]int{}}
	done := make(chan bool)
	go func() { l.take("eu-west"); done <- true }()
	l.take("eu-central")
	<-done
}
"""
LINT = """
func decode(lines []string) (n int, err error) {
	for _, line := range lines {
		n, err = fmt.Sscan(line, &n)
	}
	if len(lines) > 0 {
		err = fmt.Errorf("no lines")
	}
	return n, nil
}

func unusedBudget(vehicles []int) int {
	for i := range vehicles {
		return i
	}
	return 0
}

var _ = decode
"""

open("go.mod", "w").write("module example.com/fleet\n\ngo 1.22\n")
names = unique(lambda: camel(noun(), verb(), rand.choice([noun(), trait()])), count)
per = -(-count // len(PACKAGES))
for p, package in enumerate(PACKAGES):
    mine, name = names[p * per:(p + 1) * per], os.path.basename(package)
    os.makedirs(package)
    code = f"package {name}\n"
    if planted == "lint" and name == "planner":
        code += '\nimport "fmt"\n' + LINT
    open(f"{package}/{name}.go", "w").write(code)
    for f in range(0, len(mine), 12):
        text = f'package {name}\n\nimport (\n\t"fmt"\n\t"log"\n\t"log/slog"\n\t"testing"\n)\n\nvar _ = fmt.Sprint(log.Flags(), slog.LevelInfo)\n'
        for i, test in enumerate(mine[f:f + 12]):
            if f == 12 and i == 4 and (planted, name) == ("panic", "planner"):
                text += PANIC
            if f == 12 and i == 4 and (planted, name) == ("race", "auth"):
                text += RACE
            lines = "".join("\t" + rand.choice(LOGS).format(n=rand.randrange(2, 900)) + "\n" for _ in range(rand.randrange(0, 14)))
            text += f"\nfunc Test{test}(t *testing.T) {{\n{lines}}}\n"
        open(f"{package}/{noun()}{f}_test.go", "w").write(text)
