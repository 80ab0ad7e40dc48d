package picture

// Memory is what Decode is expected to take, in bytes.
func (p *Picture) Memory() int64 { return p.bytes }
