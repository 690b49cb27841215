// Plays any legal move, in every game.
//
//   rustc -O -o first first.rs
//   sembra check -- ./first

fn main() {
    let mut random: u64 = 0;
    let mut legal: Vec<String> = Vec::new();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("mbi") => println!("id name first\nwants legal\nmbiok"), // println sends the line immediately
            Some("isready") => println!("readyok"),
            Some("newmatch") => random = words.last().unwrap().parse().unwrap(), // the seed
            Some("legal") => legal = words.map(String::from).collect(),
            Some("go") => {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                println!("bestmove {}", legal[(random >> 33) as usize % legal.len()]);
            }
            Some("quit") => break,
            _ => {}
        }
    }
}
