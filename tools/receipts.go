package tools

import "github.com/spillway-go/spillway/internal/receipt"

// Without this file, and the folder internal/receipt, read shows every line however often it is asked for it.
func init() { newReceipts = func() receipts { return new(receipt.Store) } }
