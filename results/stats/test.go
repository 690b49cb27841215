package stats

// Model is what the two hypotheses of a sequential test are stated in.
type Model string

// The models.
const (
	Normalized Model = "normalized" // normalized Elo: the difference by the spread of results
	Logistic   Model = "logistic"   // logistic Elo: the expected score alone
)

// Test is a sequential probability ratio test (Wald 1945) of H0, that the first player is stronger by
// Elo0, against H1, that it is stronger by Elo1.
type Test struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"` // chance of taking H1 where H0 holds
	Beta  float64 `json:"beta"`  // chance of taking H0 where H1 holds
	Model Model   `json:"model"`
}
