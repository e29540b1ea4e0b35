# What a user of the installed library does.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

is_instrumented && skip_all "an instrumented library wants instrumented programs"

plan 7
make_scratch
cxx=${CXX:-c++}

# The tests run under make: what it told its children is not for this one.
unset MAKEFLAGS MAKELEVEL MFLAGS
verdict "make install works below DESTDIR" \
    "$($make -s install DESTDIR="$scratch/root" >"$scratch/log" 2>&1 || tail -n 20 "$scratch/log")"

cat >"$scratch/program.c" <<'END'
#include <fpfmt.h>
#include <stdio.h>
int main(void)
{
    const fpfmt_format *format = fpfmt_named("bf16");
    if (format == NULL || fpfmt_round(format, 1.5) != 1.5)
        return 1;
    return puts(fpfmt_version()) < 0;
}
END
cp "$scratch/program.c" "$scratch/program.cc"

# complaint COMMAND...: what it said, if it failed
complaint() {
    "$@" >"$scratch/log" 2>&1 && return
    echo "$*"
    cat "$scratch/log"
}

have_cxx() {
    command -v "$cxx" >/dev/null
}

# alone LANGUAGE COMPILER...: each public header compiles with no other one before it
alone() {
    language=$1
    shift
    for header in "$srcdir"/include/*.h; do
        printf '#include <%s>\n#include <fpfmt.h>\n' "${header##*/}" >"$scratch/header.$language"
        grep -q '^#include <mpfr.h>' "$header" && [ -z "$have_mpfr" ] && continue
        complaint "$@" -Wall -Wextra -Wpedantic -Werror -I"$srcdir/include" $MPFR_CFLAGS \
            -c -o "$scratch/header.o" "$scratch/header.$language"
    done
}

verdict "every header compiles alone as C11" "$(alone c $CC -std=c11)"
echo '#include <fpfmt_inline.h>' >"$scratch/header.c"
verdict "fpfmt_inline.h compiles as C99" "$(complaint $CC -std=c99 -Wall -Wextra -Wpedantic -Werror \
    -I"$srcdir/include" -c -o "$scratch/header.o" "$scratch/header.c")"
if have_cxx; then
    verdict "every header compiles alone as C++11" "$(alone cc "$cxx" -std=c++11 -Wold-style-cast)"
else
    skip "every header compiles alone as C++11" "there is no C++ compiler"
fi

if ! command -v pkg-config >/dev/null; then
    for sentence in "pkg-config knows the version" "a C program builds and runs" \
        "a C++ program builds and runs"; do
        skip "$sentence" "there is no pkg-config"
    done
    exit
fi

# The paths in libfpfmt.pc are those of the prefix: below DESTDIR it is a system root.
export PKG_CONFIG_SYSROOT_DIR="$scratch/root"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
PKG_CONFIG_PATH=$(find "$scratch/root" -type d -name pkgconfig)
export PKG_CONFIG_PATH
found=$(pkg-config --modversion libfpfmt 2>&1)
verdict "pkg-config knows the version" "$([ "$found" = "$version" ] || echo "$found, not $version")"

flags=$(pkg-config --cflags --libs libfpfmt 2>&1)
libraries=$(find "$scratch/root" -name 'libfpfmt.*' -exec dirname {} \; | grep -v pkgconfig |
    sort -u | tr '\n' ':')

# runs COMPILER SOURCE: compiles with pkg-config's flags and expects the version as output
runs() {
    said=$(complaint $1 -o "$scratch/program" "$2" $flags)
    if [ -n "$said" ]; then
        echo "$said"
        return
    fi
    said=$(LD_LIBRARY_PATH="$libraries" DYLD_LIBRARY_PATH="$libraries" "$scratch/program" 2>&1)
    [ "$said" = "$version" ] || echo "printed '$said', not '$version'"
}

verdict "a C program builds and runs" "$(runs "$CC" "$scratch/program.c")"
if have_cxx; then
    verdict "a C++ program builds and runs" "$(runs "$cxx" "$scratch/program.cc")"
else
    skip "a C++ program builds and runs" "there is no C++ compiler"
fi
