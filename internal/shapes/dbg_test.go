package shapes

import (
	"fmt"
	"os/exec"
	"testing"
)

func TestDbg(t *testing.T) {
	for _, s := range []string{"bin/opens-summary.sh:10:14: error: Decimals are not supported. Either use integers only, or use bc or awk to compare. [SC2072]", "[ERROR] com.example.shop.feed.ScheduleErrorPortTest.readsRateOfTheDay -- Time elapsed: 0.004 s <<< ERROR!"} {
		j := judge([]byte(s))
		fmt.Printf("%+v %s\n", j, s[j.at:])
	}
	for _, n := range []string{"third/shellcheck-gcc", "third/maven-reactor"} {
		text, _ := exec.Command("zcat", "../bench/needles/testdata/"+n+".txt.gz").Output()
		r := report(string(text), len(text))
		for _, l := range r.Lines {
			fmt.Println(l.Number, l.Rank, l.Leader, l.family, string(l.Text))
		}
		fmt.Printf("%+v rep %v order %v\n", r.Totals, r.Repeats, r.Order())
	}
}
