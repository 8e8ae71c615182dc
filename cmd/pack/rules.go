package main

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"

	"einvoice/rulesets"

	"github.com/klauspost/compress/zstd"
)

// packRules writes all that package rulesets embeds into an archive, file by file, so that
// a program unpacks only the files that it reads. Equal files give equal bytes.
func packRules(target string) error {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor(zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1)))
	err := fs.WalkDir(rulesets.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			return err
		}
		file, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zstd.ZipMethodWinZip})
		if err != nil {
			return err
		}
		_, err = io.Copy(file, bytes.NewReader(data))
		return err
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return writeNew(target, archive.Bytes())
}
