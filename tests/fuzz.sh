# The reader of tensor files under clang's libFuzzer and sanitizers, for a minute or $1 seconds.
# ./dev fuzz runs this; what is found lies in build/fuzz, as crash-..., and is an input of
# build/fuzz/fuzz_tensors.
#
# SPDX-License-Identifier: MIT

cd "$build" || exit 1
. "$srcdir/tests/tap.sh"

seconds=${1:-60}
mkdir -p fuzz && cd fuzz || exit 1
echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' >empty.c
clang -fsanitize=fuzzer,address,undefined empty.c -o empty >log 2>&1 ||
    skip_all "there is no clang with libFuzzer and sanitizers: clang and libclang-rt-dev of Debian"
for library in jansson libzip; do
    pkg-config --exists $library || skip_all "there is no $library"
done

# The library itself is the one that was built, without instruments: it reads no files.
build_target() {
    # shellcheck disable=SC2046
    clang -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -I"$srcdir/include" -I"$srcdir/tools" \
        $(pkg-config --cflags jansson libzip) -o fuzz_tensors "$srcdir/tests/fuzz_tensors.c" \
        "$srcdir/tests/sound_files.c" "$srcdir/tests/bytes.c" "$srcdir"/tools/kit/*.c \
        $(ls "$srcdir"/tools/kit/tensorfile/*.c | grep -v '_closed\.c$') \
        ../.libs/libfpfmt-core.a $(pkg-config --libs jansson libzip) -lm >log 2>&1 ||
        tail -n 20 log
}

plan 2
verdict "the reader is built for libFuzzer" "$(build_target)"
verdict "no input of $seconds seconds ends it, or takes 512 MB" "$(
    ./fuzz_tensors seeds -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=512 -print_final_stats=1 >log 2>&1 || tail -n 40 log)"
sed -n 's/^stat::number_of_executed_units: */# files that were read: /p; s/^.* DONE *cov: \([0-9]*\).*/# branches: \1/p' log
