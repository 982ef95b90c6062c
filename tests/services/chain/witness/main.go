// Verifies checkpoints as a witness does, with the packages of Go's checksum database.
//
// In: JSON with a verifier key, checkpoints in the order of their sizes, the consistency proofs between them, and the
// entries of the log; also entries with a proof that a checkpoint includes them (C2SP tlog-proof). Out: "ok", or an error and exit code 1.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Verifier    string
	Checkpoints []string
	Proofs      [][]string
	Entries     []string
	Included    []struct{ Entry, Proof string }
}

func main() {
	log.SetFlags(0)
	var given input
	check(json.NewDecoder(os.Stdin).Decode(&given))
	verifier, err := note.NewVerifier(given.Verifier)
	check(err)
	var hashes storage
	for number, entry := range given.Entries {
		stored, err := tlog.StoredHashes(int64(number), []byte(entry), hashes)
		check(err)
		hashes = append(hashes, stored...)
	}
	var before tlog.Tree
	for number, text := range given.Checkpoints {
		opened, err := note.Open([]byte(text), note.VerifierList(verifier))
		check(err)
		tree := parse(opened.Text, verifier.Name())
		if before.N > 0 {
			var proof tlog.TreeProof
			for _, hash := range given.Proofs[number] {
				parsed, err := tlog.ParseHash(hash)
				check(err)
				proof = append(proof, parsed)
			}
			check(tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash))
		}
		own, err := tlog.TreeHash(tree.N, hashes)
		check(err)
		if own != tree.Hash {
			log.Fatal("the entries have another root")
		}
		before = tree
	}
	for _, each := range given.Included {
		head, text, _ := strings.Cut(each.Proof, "\n\n")
		lines := strings.Split(head, "\n")
		if len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
			log.Fatalf("not a proof: %q", head)
		}
		index, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
		check(err)
		var proof tlog.RecordProof
		for _, hash := range lines[2:] {
			parsed, err := tlog.ParseHash(hash)
			check(err)
			proof = append(proof, parsed)
		}
		opened, err := note.Open([]byte(text), note.VerifierList(verifier))
		check(err)
		tree := parse(opened.Text, verifier.Name())
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash([]byte(each.Entry))))
	}
	fmt.Println("ok")
}

func parse(text, origin string) tlog.Tree {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[0] != origin || lines[3] != "" {
		log.Fatalf("not a checkpoint: %q", text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: tlog.Hash(root)}
}

// storage keeps the hashes of a log in memory.
type storage []tlog.Hash

func (all storage) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for number, index := range indexes {
		found[number] = all[index]
	}
	return found, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
