package results

import (
	"encoding/json"
	"io"
)

// writeObject writes one JSON object, indented.
func writeObject(w io.Writer, object any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(object)
}
