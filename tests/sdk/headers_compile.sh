#!/usr/bin/env bash
# headers_compile.sh INCLUDE_DIRECTORY "C COMPILERS" "C++ COMPILERS": every public header compiles as it is promised to.
set -u
include=$1
# Several names may be one compiler.
c_compilers=$(for compiler in $2; do readlink -f "$(command -v "$compiler")"; done | sort -u)
cxx_compilers=$(for compiler in $3; do readlink -f "$(command -v "$compiler")"; done | sort -u)
warnings=(-Wall -Wextra -Wpedantic -pedantic-errors -Wconversion -Wshadow -Werror)
failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# check COMPILER LANGUAGE STANDARD HEADER...
check() {
  compiler=$1 language=$2 standard=$3
  shift 3
  for header in "$@"; do echo "#include \"$header\""; done >"$scratch/source"
  if ! "$compiler" -x "$language" -std="$standard" "${warnings[@]}" -I"$include" -fsyntax-only "$scratch/source"; then
    echo "FAILED: $compiler -std=$standard: $*"
    failures=$((failures + 1))
  fi
}

cd "$include" || exit 1
shopt -s globstar nullglob
boundary=(cloudai/abi/*.h)
headers=(cloudai/**/*.hpp)
if [ ${#boundary[@]} -eq 0 ] || [ ${#headers[@]} -eq 0 ]; then
  echo "There are no headers in $include."
  exit 1
fi

for header in "${boundary[@]}"; do
  for compiler in $c_compilers; do
    for standard in c99 c11 c17; do check "$compiler" c $standard "$header"; done
  done
  for compiler in $cxx_compilers; do
    for standard in c++11 c++14 c++17 c++20; do check "$compiler" c++ $standard "$header"; done
  done
done

first=$(echo "$cxx_compilers" | head -n 1)
for header in "${headers[@]}"; do check "$first" c++ c++17 "$header"; done
for compiler in $cxx_compilers; do
  for standard in c++17 c++20; do check "$compiler" c++ $standard "${headers[@]}"; done
done

[ "$failures" -eq 0 ]
