package main

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// file is a file of an archive, or a directory if its name ends in "/".
type file struct {
	name  string
	mode  int64
	data  []byte
	owner int // the user and the group, in an image
}

// permissions are the mode as Go has it.
func (f file) permissions() fs.FileMode {
	mode := fs.FileMode(f.mode).Perm()
	if f.mode&0o1000 != 0 {
		mode |= os.ModeSticky
	}
	return mode
}

// below puts files into a directory.
func below(dir string, files []file) (list []file) {
	for _, f := range files {
		f.name = dir + "/" + f.name
		list = append(list, f)
	}
	return list
}

func tarGz(w io.Writer, files []file, written time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return cmp.Or(tarred(packed, files, written), packed.Close())
}

func tarred(w io.Writer, files []file, written time.Time) (err error) {
	archive := tar.NewWriter(w)
	for _, f := range files {
		header := &tar.Header{
			Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: written, Format: tar.FormatUSTAR,
			Uid: f.owner, Gid: f.owner, Typeflag: tar.TypeReg,
		}
		if strings.HasSuffix(f.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		err = cmp.Or(err, archive.WriteHeader(header))
		_, broken := archive.Write(f.data)
		err = cmp.Or(err, broken)
	}
	return cmp.Or(err, archive.Close())
}

func zipped(w io.Writer, files []file, written time.Time) (err error) {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: written}
		header.SetMode(f.permissions())
		part, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}
