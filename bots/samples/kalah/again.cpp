// Plays kalah: moves again if it can, or else captures as much as it can.
//
//   c++ -std=c++17 -O2 -o again again.cpp
//   sembra check --protocol board --ruleset kalah -- ./again
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Row = std::vector<int>;

// Returns a hole of the own row, from 0. The store is the place after the last one.
int choose(const Row& own, const Row& other) {
    int holes = own.size(), best = -1, most = -1;
    for (int hole = holes - 1; hole >= 0; hole--) {
        int last = (hole + own[hole]) % (2 * holes + 1), worth = 0;
        if (last == holes) worth = 1000;
        else if (last < holes && own[last] == 0) worth = other[holes - 1 - last]; // captures what lies opposite
        if (own[hole] > 0 && worth > most) best = hole, most = worth;
    }
    return best;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream numbers(line);
        Row seeds;
        for (int n; numbers >> n;) seeds.push_back(n);
        auto middle = seeds.begin() + (seeds.size() - 2) / 2; // the stores are the last two
        int hole = choose({seeds.begin(), middle}, {middle, seeds.end() - 2});
        std::cout << hole << std::endl; // endl sends it immediately
    }
}
