// ci: nightly

module github.com/spillway-go/spillway/internal/quickjs/translate

go 1.26.0

tool github.com/ncruces/wasm2go

require (
	github.com/ncruces/wasm2go v0.4.22 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
