#!/bin/sh
# Installs what has been built, and takes it away again.
#
#   install.sh install      (make install)
#   install.sh uninstall    (make uninstall)
#
# Environment: PREFIX, an absolute directory; DESTDIR, put in front of it while files are copied; BINARY, the command that was built;
# LIBRARY, Ruby's library, which may be missing; RUBY_NAME, a second name for the command; PROGRAMS=no leaves gem, rake ... out of bin.
#
# What was brought is listed in PREFIX/share/rubellite/manifest, one path below PREFIX per line; directories end with a slash. Nothing that was there before and is not listed is overwritten or removed.
set -eu
umask 022

fail() {
  echo "rubellite: $1" >&2
  exit 1
}

packaging=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$packaging")
PREFIX=${PREFIX:-/usr/local}
case $PREFIX in
  /) PREFIX= ;;
  /*) PREFIX=${PREFIX%/} ;;
  *) fail "PREFIX must be an absolute directory: $PREFIX" ;;
esac
root=${DESTDIR:-}$PREFIX
manifest=share/rubellite/manifest

# Removes what an earlier installation brought.
uninstall() {
  grep -v '/$' "$root/$manifest" | while IFS= read -r path; do
    rm -f "$root/$path"
  done
  # Deepest first; those that hold something else now stay.
  directories=$(grep '/$' "$root/$manifest" | sort -r)
  rm -f "$root/$manifest"
  printf '%s\n' "$directories" | while IFS= read -r path; do
    [ -z "$path" ] || rmdir "$root/$path" 2> /dev/null || true
  done
}

# make_directory PATH: makes it with its parents, and notes those that are new or by their names ours.
make_directory() {
  case $1 in
    lib/rubellite* | share/rubellite | include/rubellite-*) ;;
    *) [ ! -d "$root/$1" ] || return 0 ;;
  esac
  case $1 in */*) make_directory "${1%/*}" ;; esac
  [ -d "$root/$1" ] || mkdir "$root/$1"
  echo "$1/" >> "$list"
}

# put FILE PATH MODE
put() {
  make_directory "${2%/*}"
  install -m "$3" "$1" "$root/$2"
  echo "$2" >> "$list"
}

# put_tree DIRECTORY PATH: the files below DIRECTORY.
put_tree() {
  make_directory "$2"
  (cd "$1" && find . -type d ! -name . | sort) | while IFS= read -r path; do make_directory "$2/${path#./}"; done
  (cd "$1" && find . ! -type d | sort) | sed "s|^\.|$2|" >> "$list"
  cp -R "$1/." "$root/$2"
}

# A program of the library runs with the command beside it, wherever both lie.
put_program() {
  program=${1##*/}
  if [ -e "$root/bin/$program" ] || [ -h "$root/bin/$program" ]; then
    echo "$root/bin/$program is not ours and stays as it is; ours runs as: rubellite -S $program"
    return
  fi
  { cat "$packaging/program_header"; sed 1d "$1"; } > "$work"
  put "$work" "bin/$program" 755
}

# Whether something is at PATH that an earlier installation did not bring.
is_foreign() {
  { [ -e "$root/$1" ] || [ -h "$root/$1" ]; } && ! grep -qxF "$1" "$root/$manifest" 2> /dev/null
}

install_all() {
  [ -f "${BINARY:?}" ] || fail "$BINARY is missing: make build"
  name=${RUBY_NAME:-}
  case $name in
    */* | .* | -*) fail "RUBY_NAME must be the name of a command: $name" ;;
  esac
  [ "$name" != rubellite ] || name=
  [ -z "$name" ] || ! is_foreign "bin/$name" || fail "$root/bin/$name is not ours: choose another RUBY_NAME or PREFIX"
  for path in bin/rubellite lib/rubellite/RELEASE; do
    ! is_foreign "$path" || fail "$root/$path is there, and no manifest lists it: remove it first"
  done
  [ ! -f "$root/$manifest" ] || uninstall
  mkdir -p "$root"
  list=$(mktemp)
  work=$(mktemp)
  trap finish EXIT
  trap 'exit 1' HUP INT TERM
  copy_all
  complete=yes
}

# Also when the installation has broken off, what there is can be taken away.
finish() {
  mkdir -p "$root/share/rubellite" && cp "$list" "$root/$manifest" && chmod 644 "$root/$manifest"
  rm -f "$list" "$work"
  [ "${complete:-}" = yes ] || fail "the installation is not complete; make uninstall takes away what there is"
}

copy_all() {
  make_directory share/rubellite
  put "$BINARY" bin/rubellite 755
  put_tree "$source/crates/cext/include/ruby-4.0.0" include/rubellite-4.0.0
  put_library
  put "$packaging/rubellite.1" share/man/man1/rubellite.1 644
  put "$packaging/completions/rubellite.bash" share/bash-completion/completions/rubellite 644
  put "$packaging/completions/_rubellite" share/zsh/site-functions/_rubellite 644
  put "$packaging/completions/rubellite.fish" share/fish/vendor_completions.d/rubellite.fish 644
  put "$packaging/copyright" share/doc/rubellite/copyright 644
  if [ -n "$name" ]; then
    ln -s rubellite "$root/bin/$name"
    echo "bin/$name" >> "$list"
  fi
}

put_library() {
  if [ ! -e "${LIBRARY:-}/RELEASE" ]; then
    echo "Ruby's library is not built (cargo xtask library): that of the system's libruby takes its place"
    return 0
  fi
  put_tree "$LIBRARY" lib/rubellite
  if [ "${PROGRAMS:-}" != no ]; then
    for file in "$LIBRARY"/bin/*; do put_program "$file"; done
  fi
}

case ${1:-} in
  install) install_all ;;
  uninstall)
    [ -f "$root/$manifest" ] || fail "nothing is installed in $root: there is no $manifest"
    uninstall
    ;;
  *) fail "usage: install.sh install|uninstall" ;;
esac
