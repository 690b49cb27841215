// The page for play.
