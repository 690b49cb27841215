#!/bin/sh
# Plays kalah: moves again if it can, or else captures as much as it can.
#
#   sembra check --protocol board --ruleset kalah -- sh again.sh

# seeds prints the seeds of a place of the line, from 0: the own row, then the other one.
seeds() { shift "$1"; echo "$2"; }

# choose prints a hole of the own row, from 0. The store is the place after the last one.
choose() {
    holes=$((($# - 2) / 2)) most=-1
    hole=$holes
    while [ "$hole" -gt 0 ]; do
        hole=$((hole - 1)) worth=0
        own=$(seeds "$hole" "$@")
        last=$(((hole + own) % (2 * holes + 1)))
        if [ "$last" -eq "$holes" ]; then
            worth=1000
        elif [ "$last" -lt "$holes" ] && [ "$(seeds "$last" "$@")" -eq 0 ]; then
            worth=$(seeds $((2 * holes - 1 - last)) "$@") # captures what lies opposite
        fi
        if [ "$own" -gt 0 ] && [ "$worth" -gt "$most" ]; then
            best=$hole most=$worth
        fi
    done
    echo "$best"
}

while read -r line; do
    choose $line
done
