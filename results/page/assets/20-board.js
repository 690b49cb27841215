// The board.
