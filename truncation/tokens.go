package truncation

// EstimateTokens estimates.
func EstimateTokens(text string) int { return (len(text) + 3) / 4 }
