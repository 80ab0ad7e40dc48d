package gitdir

const (
	MaxConfig      = maxConfig
	MaxConfigFiles = maxConfigFiles
	MaxIncludes    = maxIncludes
)

var ParseConfig = parseConfig
