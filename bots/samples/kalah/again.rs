// Plays kalah: moves again if it can, or else captures as much as it can.
//
//   rustc -O -o again again.rs
//   sembra check --protocol board --ruleset kalah -- ./again

/// Returns a hole of the own row, from 0. The store is the place after the last one.
fn choose(own: &[usize], other: &[usize]) -> usize {
    let holes = own.len();
    let worth = |hole: usize| match (hole + own[hole]) % (2 * holes + 1) {
        last if last == holes => 1000,
        last if last < holes && own[last] == 0 => other[holes - 1 - last], // captures what lies opposite
        _ => 0,
    };
    (0..holes).filter(|&hole| own[hole] > 0).max_by_key(|&hole| worth(hole)).unwrap()
}

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let seeds: Vec<usize> = line.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let holes = (seeds.len() - 2) / 2; // the stores are the last two
        println!("{}", choose(&seeds[..holes], &seeds[holes..2 * holes])); // println sends it immediately
    }
}
