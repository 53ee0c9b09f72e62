#!/bin/sh
# Packs what `make install` would bring, for machines on which nothing is built.
#
#   archive.sh tar     (make dist)  rubellite-VERSION-ARCH-linux.tar.xz (.gz without xz); runs from wherever it is unpacked
#   archive.sh deb     (make deb)   rubellite_VERSION_ARCH.deb
#
# Environment: BINARY and LIBRARY as in install.sh; OUT, the directory for the file. The same input gives the same bytes: files have the
# time of the last commit, or SOURCE_DATE_EPOCH.
set -eu
umask 022

fail() {
  echo "rubellite: $1" >&2
  exit 1
}

packaging=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$packaging")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -n 1)
machine=$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2> /dev/null || echo 0)}
export SOURCE_DATE_EPOCH
[ -f "${BINARY:?}" ] || fail "$BINARY is missing: make build"
[ -e "${LIBRARY:-}/RELEASE" ] || fail "Ruby's library is missing: cargo xtask library"
mkdir -p "${OUT:?}"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM

# strip_command OPTION FILE: the command without the tables that only debuggers read, or without the names of its functions, too.
strip_command() {
  if command -v strip > /dev/null; then strip "$1" "$2"; fi
}

make_tar() {
  name=rubellite-$version-$machine-linux
  DESTDIR=$stage/$name PREFIX=/ RUBY_NAME= "$packaging/install.sh" install
  tree=$stage/$name
  strip_command --strip-debug "$tree/bin/rubellite"
  # The installation is the directory; whoever removes it has removed all.
  rm -r "$tree/share/rubellite"
  cp "$source/README.md" "$source/LICENSE-APACHE" "$source/LICENSE-MIT" "$tree/"
  if command -v xz > /dev/null; then
    file=$OUT/$name.tar.xz
    compress="xz --threads=0"
  else
    file=$OUT/$name.tar.gz
    compress="gzip --no-name --best"
  fi
  tar -C "$stage" -cf - --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$name" | $compress > "$file.part"
  mv "$file.part" "$file"
  echo "$file"
}

# The newest version of the C library whose symbols the command names.
libc_needed() {
  grep -ao 'GLIBC_2\.[0-9.]*[0-9]' "$1" | sed 's/GLIBC_//' | sort -V | tail -n 1
}

make_deb() {
  command -v dpkg-deb > /dev/null || fail "dpkg-deb is missing (package dpkg)"
  architecture=$(dpkg --print-architecture)
  tree=$stage/deb
  # The programs of the library have the names of those of other Rubies' packages; they run as `rubellite -S gem`.
  DESTDIR=$tree PREFIX=/usr RUBY_NAME= PROGRAMS=no "$packaging/install.sh" install
  strip_command --strip-unneeded "$tree/usr/bin/rubellite"
  rm -r "$tree/usr/share/rubellite"
  mkdir -p "$tree/usr/share/zsh/vendor-completions" "$tree/DEBIAN"
  mv "$tree/usr/share/zsh/site-functions/_rubellite" "$tree/usr/share/zsh/vendor-completions/"
  rmdir "$tree/usr/share/zsh/site-functions"
  gzip --no-name --best "$tree/usr/share/man/man1/rubellite.1"
  size=$(du -sk "$tree/usr" | cut -f 1)
  cat > "$tree/DEBIAN/control" << CONTROL
Package: rubellite
Version: $version
Architecture: $architecture
Maintainer: The Rubellite developers <rubellite@localhost>
Installed-Size: $size
Depends: libc6 (>= $(libc_needed "$tree/usr/bin/rubellite")), libgcc-s1
Suggests: gcc, libc6-dev
Section: interpreters
Priority: optional
Description: Ruby 4.0 runtime with native threads that share well
 A Ruby runtime built around its VM lock: threads that wait for input and output
 are served promptly beside threads that compute, native work runs beside Ruby
 code, and the lock can be observed and its schedules replayed.
 .
 The command is rubellite; "rubellite -S gem" and the like run the programs of
 Ruby's library.
CONTROL
  (cd "$tree" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) > "$tree/DEBIAN/md5sums"
  file=$OUT/rubellite_${version}_$architecture.deb
  dpkg-deb --root-owner-group -Zxz --build "$tree" "$file" > /dev/null
  echo "$file"
}

case ${1:-} in
  tar) make_tar ;;
  deb) make_deb ;;
  *) fail "usage: archive.sh tar|deb" ;;
esac
