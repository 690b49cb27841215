// Plays any legal move, in every game.
//
//   c++ -std=c++17 -O2 -o first first.cpp
//   sembra check -- ./first
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::mt19937 random;
    std::vector<std::string> legal;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word, rest;
        words >> word;
        if (word == "mbi") { // who are you?
            std::cout << "id name first\nwants legal\nmbiok" << std::endl; // endl sends the lines immediately
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (word == "newmatch") { // the seed is the last word
            while (words >> rest) {}
            random.seed(std::stoul(rest));
        } else if (word == "legal") {
            legal.clear();
            while (words >> rest) legal.push_back(rest);
        } else if (word == "go") { // your move
            std::cout << "bestmove " << legal[random() % legal.size()] << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
