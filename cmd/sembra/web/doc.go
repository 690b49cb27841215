// Package web shows tournaments in a browser. A person can also play a bot there.
//
// A Server answers the requests of browsers. It reads tournaments from a Library and never writes to a database.
//
// A Report writes the same pages as files, which need no server.
//
// Each kind of page has a file of its own, named after it: tournaments_page.go is the list of tournaments,
// match_page.go is a match. It makes a view: all that the page shows. The template of the same name in the folder
// templates turns a view into the main part of a page; layout.html puts everything else around it. A view has the
// addresses of other pages as texts, which links write, so the same view and template also serve a report on the disk.
//
// The package computes nothing that other packages compute: figures and their texts come from the packages results and
// report, moves and boards from engine.
package web
