// Looks five plies ahead in awale.
//
//   javac Five.java
//   sembra check -- java -Xmx256m -cp . Five
import java.util.*;
import java.util.stream.IntStream;

class Five {
    /** The mover's six holes and then the other side's, and what the last move took. */
    record Board(int[] holes, int taken) {
        /** Returns the board after a move, or null if the move is illegal. */
        Board play(int hole) {
            int[] board = holes.clone();
            int at = hole, won = 0;
            board[hole] = 0;
            for (int seeds = holes[hole]; seeds > 0; seeds--) {
                do at = (at + 1) % 12; while (at == hole); // this hole stays empty
                board[at]++;
            }
            int across = Arrays.stream(board, 6, 12).sum(), first = at + 1;
            while (first > 6 && (board[first - 1] == 2 || board[first - 1] == 3)) won += board[--first];
            if (holes[hole] == 0 || won == across) return null; // the other side must have seeds left
            if (won > 0) Arrays.fill(board, first, at + 1, 0);
            return new Board(IntStream.range(6, 18).map(i -> board[i % 12]).toArray(), won);
        }

        /** Returns the hole that gains most, and how many seeds that gains on the other side. */
        int[] best(int depth) {
            int[] best = {-1, Arrays.stream(holes, 0, 6).sum() - Arrays.stream(holes, 6, 12).sum()};
            for (int hole = 0; hole < 6; hole++) {
                Board after = play(hole);
                if (after == null) continue;
                int gain = after.taken - (depth > 1 ? after.best(depth - 1)[1] : 0);
                if (best[0] < 0 || gain > best[1]) best = new int[] {hole, gain};
            }
            return best; // without a move, each side takes its own row
        }
    }

    public static void main(String[] args) {
        Board board = null;
        String names = "";
        for (var in = new Scanner(System.in); in.hasNextLine(); ) {
            String[] words = in.nextLine().split("\\s+");
            switch (words[0]) {
                case "mbi" -> System.out.println("id name five\nplays awale\nwants position\nmbiok");
                case "isready" -> System.out.println("readyok");
                case "position" -> { // position fen ROWS STORES SIDE ...
                    int[] row = Arrays.stream(words[2].split("[,/]")).mapToInt(Integer::parseInt).toArray();
                    int from = words[4].equals("S") ? 0 : 6;
                    board = new Board(IntStream.range(from, from + 12).map(i -> row[i % 12]).toArray(), 0);
                    names = from == 0 ? "ABCDEF" : "abcdef";
                }
                case "go" -> System.out.println("bestmove " + names.charAt(board.best(5)[0]));
                case "quit" -> System.exit(0);
            }
        }
    }
}
