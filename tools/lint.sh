#!/usr/bin/env bash
# lint.sh [REGEX]: format, module order, and clang-tidy on the sources whose path matches REGEX (all of them). Needs the
# preset lint configured, in which no precompiled header hides a missing include. Reports everything before it fails.
set -uo pipefail
cd "$(dirname "$0")/.."
sources=${1:-/(src|tests)/}
failed=()

mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h')
clang-format-19 --dry-run -Werror "${files[@]}" || failed+=(clang-format)
python3 tools/check-layers.py || failed+=(check-layers)

# Headers are reached through the links in build/lint/modules, so they are told from foreign ones by that folder too.
findings=$(run-clang-tidy-19 -quiet -p build/lint -j "${JOBS:-2}" -header-filter='(build/lint/modules|src|tests)/.*\.h$' \
  "$sources.*\.cpp\$" 2>/dev/null) || failed+=(clang-tidy)
grep -vE '^(clang-tidy-19 |Running clang-tidy|\[ *[0-9]+/[0-9]+\]|[0-9]+ warnings? |$)' <<<"$findings"

[ ${#failed[@]} -eq 0 ] || { echo "lint: failed: ${failed[*]}" >&2; exit 1; }
echo "lint: clean"
