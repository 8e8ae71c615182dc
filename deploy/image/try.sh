#!/bin/sh
# Starts the program of an image (docker load's form) with nothing but what is in the image
# around it, as its user, and has it validate nothing but its own version.
set -eu
image=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar -xf "$image" -C "$root"
mkdir "$root/image"
layer=$(tar -tf "$image" | grep 'tar.gz$\|layer.tar$')
tar -xf "$root/$layer" -C "$root/image"
echo "$image: $(wc -c <"$image") bytes, files: $(cd "$root/image" && find . -type f | tr '\n' ' ')"
if [ "$(id -u)" = 0 ]; then
  chroot --userspec=65532:65532 "$root/image" /einvoice --version
else
  echo "skipped: only root can start the program in a root of its own; it is started in this one"
  "$root/image/einvoice" --version
fi
