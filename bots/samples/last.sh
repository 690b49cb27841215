#!/bin/sh
# Plays the last of the legal moves, in every game. It runs in any POSIX shell.
#
#   sembra check -- sh last.sh

cr=$(printf '\r')
while read -r word rest; do
    rest=${rest%"$cr"} # a line may end with CR LF
    case ${word%"$cr"} in
    mbi) printf 'id name last\nwants legal\nmbiok\n' ;; # who are you?
    isready) echo readyok ;;
    legal) last=${rest##* } ;;
    go) echo "bestmove $last" ;; # your move
    quit) exit ;;
    esac
done
