// Plays kalah: moves again if it can, or else captures as much as it can.
//
//   javac Again.java
//   sembra check --protocol board --ruleset kalah -- java -Xmx256m -cp . Again
import java.util.Arrays;
import java.util.Scanner;

class Again {
    /** Returns a hole of the own row, from 0. The store is the place after the last one. */
    static int choose(int[] own, int[] other) {
        int holes = own.length, best = -1, most = -1;
        for (int hole = holes - 1; hole >= 0; hole--) {
            int last = (hole + own[hole]) % (2 * holes + 1), worth = 0;
            if (last == holes) {
                worth = 1000;
            } else if (last < holes && own[last] == 0) {
                worth = other[holes - 1 - last]; // captures what lies opposite
            }
            if (own[hole] > 0 && worth > most) {
                best = hole;
                most = worth;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        for (var in = new Scanner(System.in); in.hasNextLine(); ) {
            int[] seeds = Arrays.stream(in.nextLine().split(" ")).mapToInt(Integer::parseInt).toArray();
            int holes = (seeds.length - 2) / 2; // the stores are the last two
            System.out.println(choose(Arrays.copyOf(seeds, holes), Arrays.copyOfRange(seeds, holes, 2 * holes)));
        }
    }
}
