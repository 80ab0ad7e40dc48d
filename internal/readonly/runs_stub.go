package readonly

import "github.com/spillway-go/spillway/internal/commandline"

func Runs(words []commandline.Word) (argument string) { return "" }
