// Looks nine plies ahead in awale, with alpha-beta.
//
//   rustc -O -o nine nine.rs
//   sembra check -- ./nine

type Board = [i32; 12]; // the mover's six holes, then the other side's, counter-clockwise

/// Returns the seeds that a move takes, and the board as the other side sees it; None if it is illegal.
fn play(mut board: Board, hole: usize) -> Option<(i32, Board)> {
    let (seeds, mut at, mut taken) = (std::mem::take(&mut board[hole]), hole, 0);
    for _ in 0..seeds {
        at = (at + if (at + 1) % 12 == hole { 2 } else { 1 }) % 12; // this hole stays empty
        board[at] += 1;
    }
    while at >= 6 && (board[at] == 2 || board[at] == 3) {
        taken += std::mem::take(&mut board[at]);
        at -= 1;
    }
    board.rotate_left(6);
    let legal = seeds > 0 && board[..6] != [0; 6]; // the other side must have seeds left
    legal.then_some((taken, board))
}

/// Returns how many seeds the mover can gain on the other side, and the hole that gains most.
fn search(board: &Board, depth: u32, mut alpha: i32, beta: i32) -> (i32, usize) {
    let (mut best, mut moves) = (0, false);
    for hole in 0..6 {
        let Some((taken, after)) = play(*board, hole) else { continue };
        let lost = if depth > 1 { search(&after, depth - 1, taken - beta, taken - alpha).0 } else { 0 };
        moves = true;
        if taken - lost > alpha {
            (alpha, best) = (taken - lost, hole);
        }
        if alpha >= beta {
            break;
        }
    }
    let rows = board[..6].iter().sum::<i32>() - board[6..].iter().sum::<i32>();
    (if moves { alpha } else { rows }, best) // without a move, each side takes its own row
}

fn main() {
    let (mut board, mut side) = ([0; 12], 0);
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"mbi") => println!("id name nine\nplays awale\nwants position\nmbiok"),
            Some(&"isready") => println!("readyok"), // println sends the line immediately
            Some(&"position") => { // position fen ROWS STORES SIDE ...
                words[2].split([',', '/']).zip(&mut board).for_each(|(text, hole)| *hole = text.parse().unwrap());
                side = if words[4] == "S" { 0 } else { 6 };
                board.rotate_left(side);
            }
            Some(&"go") => println!("bestmove {}", &"ABCDEFabcdef"[side + search(&board, 9, -99, 99).1..][..1]),
            Some(&"quit") => break,
            _ => {}
        }
    }
}
