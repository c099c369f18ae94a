#!/usr/bin/env bash
# install-packages.sh GROUP…: installs the packages of these groups of packages.txt that are missing. Needs root or sudo only
# if there is something to install.
set -euo pipefail
list="$(dirname "$0")/packages.txt"

packages=()
for group in "$@"; do
  line=$(grep "^$group:" "$list") || { echo "install-packages: no group '$group' in $list" >&2; exit 2; }
  read -ra names <<<"${line#*:}"
  packages+=("${names[@]}")
done
[ ${#packages[@]} -gt 0 ] || { echo "usage: install-packages.sh GROUP…" >&2; exit 2; }

if ! command -v dpkg-query >/dev/null; then
  echo "install-packages: this is not a Debian system; please install by its own means: ${packages[*]}" >&2
  exit 0
fi

installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package installed" <<<"$installed" && continue
  # A command that came by other means will do: Debian's npm conflicts with the Node.js of other sources.
  command -v "$package" >/dev/null || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-packages: these packages are missing, and without root or sudo they cannot be installed: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends "${missing[@]}"
