// Plays any legal move, in every game.
//
//   javac First.java
//   sembra check -- java -Xmx256m -cp . First
import java.util.Random;
import java.util.Scanner;

class First {
    public static void main(String[] args) {
        Random random = null;
        String[] legal = {};
        for (var in = new Scanner(System.in); in.hasNextLine(); ) {
            String[] words = in.nextLine().split("\\s+");
            switch (words[0]) {
                case "mbi" -> System.out.println("id name first\nwants legal\nmbiok"); // println sends it immediately
                case "isready" -> System.out.println("readyok");
                case "newmatch" -> random = new Random(Long.parseLong(words[words.length - 1])); // the seed
                case "legal" -> legal = words;
                case "go" -> System.out.println("bestmove " + legal[1 + random.nextInt(legal.length - 1)]);
                case "quit" -> System.exit(0);
            }
        }
    }
}
