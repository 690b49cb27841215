// Looks seven plies ahead in awale, with alpha-beta.
//
//   c++ -std=c++17 -O2 -o seven seven.cpp
//   sembra check -- ./seven
#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <sstream>

using Board = std::array<int, 12>; // the mover's six holes, then the other side's, counter-clockwise
int sum(const Board& board, int from) { return std::accumulate(&board[from], &board[from] + 6, 0); }

// Plays a move and turns the board to the other side. Returns the seeds taken, or -1 if that is illegal.
int play(Board& board, int hole) {
    int at = hole, taken = 0, seeds = board[hole];
    for (board[hole] = 0; seeds > 0; seeds--) {
        do at = (at + 1) % 12; while (at == hole); // this hole stays empty
        board[at]++;
    }
    for (; at >= 6 && (board[at] == 2 || board[at] == 3); board[at--] = 0) taken += board[at];
    if (sum(board, 6) == 0) return -1; // the other side must have seeds left
    std::rotate(board.begin(), board.begin() + 6, board.end());
    return taken;
}

// Returns how many seeds the mover can gain on the other side, and sets the hole that gains most.
int search(const Board& board, int depth, int alpha, int beta, int& best) {
    bool moves = false;
    for (int hole = 0, reply; hole < 6 && alpha < beta; hole++) {
        Board after = board;
        int taken = board[hole] > 0 ? play(after, hole) : -1;
        if (taken < 0) continue;
        moves = true;
        int gain = taken - (depth > 1 ? search(after, depth - 1, taken - beta, taken - alpha, reply) : 0);
        if (gain > alpha) alpha = gain, best = hole;
    }
    return moves ? alpha : sum(board, 0) - sum(board, 6); // without a move, each takes its own row
}

int main() {
    Board board{};
    for (std::string line, word, side; word != "quit" && std::getline(std::cin, line); ) {
        std::replace_if(line.begin(), line.end(), [](char c) { return c == ',' || c == '/'; }, ' ');
        std::istringstream words(line);
        if (!(words >> word)) continue;
        if (word == "mbi") std::cout << "id name seven\nplays awale\nwants position\nmbiok" << std::endl;
        if (word == "isready") std::cout << "readyok" << std::endl; // endl sends the line immediately
        if (word == "position") { // fen ROWS STORES SIDE, here without the commas
            words >> word;
            for (int& seeds : board) words >> seeds;
            if (words >> word >> side; side == "N") std::rotate(board.begin(), board.begin() + 6, board.end());
        }
        if (int best = 0; word == "go") {
            search(board, 7, -99, 99, best);
            std::cout << "bestmove " << (side == "S" ? "ABCDEF" : "abcdef")[best] << std::endl;
        }
    }
}
