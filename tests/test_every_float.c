/* test_every_float.c - every binary32 input, in every set of kernels, against a record
 * SPDX-License-Identifier: MIT
 *
 * tests/data/every_float.tsv has a hash of the codes of each slice, per format, rounding mode and
 * overflow rule; see every_float.h. make check takes a sample, and one row of one slice.
 *
 * make check-exhaustive takes all slices. Those found right are noted in every_float.done and left
 * out next time, unless this program or the record is newer.
 *
 * PART=5/64 in the environment takes slice 5. With TURNS=7 the scalar set, several times as slow as
 * the others, takes every seventh row alone, other ones in the next slice.
 *
 * FPFMT_WRITE_RECORD=path writes the record, within an hour: by the scalar set, whose codes must be
 * those of fpfmt_encode on every 61st input. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <fpfmt.h>

#include "arrays.h"
#include "every_float.h"
#include "runner.h"

static const char *program;
static const char done_path[] = "every_float.done";

static const char *record_path(void)
{
    return source_path("tests/data/every_float.tsv");
}

static row *find_row(const char *format, const char *mode, const char *overflow)
{
    for (size_t r = 0; r < row_count; r++)
        if (strcmp(rows[r].format->name, format) == 0 && strcmp(rows[r].mode, mode) == 0 &&
            strcmp(rows[r].overflow, overflow) == 0)
            return &rows[r];
    return NULL;
}

/* How many hashes there are, each of a row and a slice. */
static size_t read_record(void)
{
    FILE *file = fopen(record_path(), "r");
    char line[128], format[32], mode[8], overflow[8];
    unsigned slice;
    uint64_t hash;
    size_t count = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        bool read =
            sscanf(line, "%31s %7s %7s %u %" SCNx64, format, mode, overflow, &slice, &hash) == 5;
        row *it = read ? find_row(format, mode, overflow) : NULL;
        if (!CHECK(it != NULL && slice < SLICES, "what row is this? %s", line))
            continue;
        CHECK(it->record[slice] == 0, "a row is there twice: %s", line);
        it->record[slice] = hash;
        count++;
    }
    if (file != NULL)
        fclose(file);
    return count;
}

/* The scalar set's hashes of all slices to a file, unless it errs. */
static int write_record(const char *path)
{
    const effort by_scalar = { 0, 1, false };
    for (unsigned slice = 0; slice < SLICES; slice++) {
        bool done = run_slice(slice, &by_scalar);
        for (size_t r = 0; r < row_count; r++) {
            rows[r].record[slice] = hash_of(&outcomes[r]);
            done = done && outcomes[r].mismatches == 0;
            if (outcomes[r].mismatches > 0)
                fprintf(stderr, "%s\n", outcomes[r].first);
        }
        if (!done)
            return EXIT_FAILURE;
        fprintf(stderr, "slice %u is done\n", slice);
    }
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return EXIT_FAILURE;
    fputs("# Hashes of the codes of every binary32 input: see tests/test_every_float.c.\n"
          "# SPDX-License-Identifier: MIT\n#\n# format mode overflow slice hash\n",
          file);
    for (size_t r = 0; r < row_count; r++)
        for (unsigned slice = 0; slice < SLICES; slice++)
            fprintf(file, "%s\t%s\t%s\t%u\t%016" PRIX64 "\n", rows[r].format->name, rows[r].mode,
                    rows[r].overflow, slice, rows[r].record[slice]);
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void check_outcomes(void)
{
    for (size_t r = 0; r < row_count; r++)
        CHECK(outcomes[r].mismatches == 0, "%s, the first of %" PRIu64 " in this block or slice",
              outcomes[r].first, outcomes[r].mismatches);
}

static bool is_on_record(unsigned slice, size_t r)
{
    uint64_t hash = hash_of(&outcomes[r]);
    return CHECK(hash == rows[r].record[slice],
                 "slice %u of %s %s %s has hash %016" PRIX64 ", on record is %016" PRIX64, slice,
                 rows[r].format->name, rows[r].mode, rows[r].overflow, hash, rows[r].record[slice]);
}

static void whole_record(void)
{
    size_t count = read_record();
    CHECK(count == row_count * SLICES, "%zu hashes are on record, not %zu", count,
          row_count * SLICES);
    printf("# %zu rows of %d slices\n", row_count, SLICES);
}

/* Blocks of inputs: each of about one binade, from 2^-30 on, of both signs by turns; then some of
 * inputs far apart. */
static void sample(void)
{
    enum { COUNT = 64, BINADES = 48, FIRST = 97 };
    static float in[BLOCK];
    const effort whole = { 0, 1, true };
    size_t blocks = 0;
    begin_outcomes();
    for (uint32_t block = 0; block < COUNT; block += SAMPLE, blocks++) {
        if (block < BINADES)
            fill_block(in, block % SLICES, (block % 2) << 25 | (FIRST + block) << 17, 37);
        else
            fill_block(in, block % SLICES, block * 1021, 258577);
        for (size_t r = 0; r < row_count; r++)
            try_block(&rows[r], 0, 0, in, &whole);
    }
    check_outcomes();
    printf("# %zu rows of %zu inputs\n", row_count, blocks * BLOCK);
}

/* One row of one slice in the best set. */
static void one_hash(void)
{
    static float in[BLOCK];
    effort best = { 0, 1, false };
    size_t r = 0;
    unsigned slice = 37;
    if (SAMPLE > 1) {
        skip_test("2^26 inputs take too long in an instrumented build");
        return;
    }
    while (set_here(best.first_set + 1) != NULL)
        best.first_set++;
    while (r + 1 < row_count && strcmp(rows[r].format->name, "e4m3") != 0)
        r++;
    begin_outcomes();
    for (uint32_t block = 0; block < BLOCKS; block++) {
        fill_block(in, slice, block * BLOCK, 1);
        try_block(&rows[r], slice, block * BLOCK, in, &best);
    }
    check_outcomes();
    is_on_record(slice, r);
}

/* Were all hashes of the slice those on record? */
static bool try_slice(unsigned slice, unsigned turns)
{
    const effort whole = { 0, turns, true };
    time_t begun = time(NULL);
    bool done = CHECK(run_slice(slice, &whole), "a process of slice %u went astray", slice);
    check_outcomes();
    for (size_t r = 0; r < row_count; r++)
        done = is_on_record(slice, r) && outcomes[r].mismatches == 0 && done;
    printf("# slice %u of %d: %zu rows of 2^26 inputs in %.0f s\n", slice, SLICES, row_count,
           difftime(time(NULL), begun));
    fflush(stdout);
    return done;
}

/* The slices that were found to be right by this program and with this record, as bits. */
static uint64_t slices_done(void)
{
    struct stat done, made, record;
    uint64_t slices = 0;
    unsigned slice;
    if (stat(done_path, &done) != 0)
        return 0;
    if (stat(program, &made) != 0 || stat(record_path(), &record) != 0 ||
        made.st_mtime >= done.st_mtime || record.st_mtime >= done.st_mtime) {
        remove(done_path);
        return 0;
    }
    FILE *file = fopen(done_path, "r");
    while (file != NULL && fscanf(file, "%u", &slice) == 1)
        slices |= slice < SLICES ? UINT64_C(1) << slice : 0;
    if (file != NULL)
        fclose(file);
    return slices;
}

static void note_done(unsigned slice)
{
    FILE *file = fopen(done_path, "a");
    if (file == NULL)
        return;
    fprintf(file, "%u\n", slice);
    fclose(file);
}

static void every_slice(void)
{
    uint64_t done = slices_done();
    for (unsigned slice = 0; slice < SLICES; slice++)
        if (done >> slice & 1)
            printf("# slice %u of %d was right before, see %s\n", slice, SLICES, done_path);
        else if (try_slice(slice, 1)) {
            note_done(slice);
            done |= UINT64_C(1) << slice;
        }
    CHECK(done == UINT64_MAX, "not all slices are right");
}

static void slices(void)
{
    const char *part = getenv("PART"), *turns = getenv("TURNS");
    unsigned slice, count, every = turns == NULL ? 1 : (unsigned)strtoul(turns, NULL, 10);
    if (part == NULL && is_exhaustive())
        every_slice();
    else if (CHECK(sscanf(part, "%u/%u", &slice, &count) == 2 && slice < SLICES &&
                       count == SLICES && every > 0,
                   "PART=%s is no slice k/%d, or TURNS is 0", part, SLICES))
        try_slice(slice, every);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        { "the record has every slice of every format, mode and rule once", whole_record },
        { "a sample has the codes of fpfmt_encode and their values, in every set", sample },
        { "a slice of one row has its hash on record", one_hash },
        { "slices have their hashes on record, codes their values, in every set", slices },
    };
    const char *path = getenv("FPFMT_WRITE_RECORD");
    bool takes_all = is_exhaustive() || getenv("PART") != NULL;
    program = argc > 0 ? argv[0] : "";
    make_rows();
    return path != NULL
               ? write_record(path)
               : run_tests("every_float", tests, sizeof tests / sizeof tests[0] - !takes_all);
}
