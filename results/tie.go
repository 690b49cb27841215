package results

// Tie is what two bots made of their meeting in a knockout.
type Tie struct {
	Stage  int        `json:"stage"`   // from 1
	Bots   [2]string  `json:"bots"`    // the better seed first; the second is "" for a bye
	Points [2]float64 `json:"points"`  // of each
	Pairs  int        `json:"pairs"`   // whose matches are all recorded
	Winner string     `json:"winner"`  // "" as long as it goes on
	BySeed bool       `json:"by_seed"` // it was level to the end, and the better seed went on
}
