/* test_mutated_files.c - files of tensors that were damaged at random, and what is done about them
 * SPDX-License-Identifier: MIT
 *
 * Each is opened and read to the end of every tensor. It is read, or told to be wrong in sentences;
 * it never ends the program, and no length that it claims is allocated. */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <fpfmt.h>

#include "kit/run.h"
#include "runner.h"
#include "sound_files.h"
#include "tensor_files.h"

enum { TRIALS = 600 / SAMPLE, TRIALS_OF_ALL = 100000 };

static uint64_t state;

/* SplitMix64, a number below this. */
static uint64_t below(uint64_t limit)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % limit;
}

static const file_reading *reading_of(const sound_file *of)
{
    static file_reading from = { .count = UINT64_MAX };
    from.from = fpfmt_named("bf16");
    return of->needs_from ? &from : NULL;
}

/* ---- damage ---- */

/* n bytes of the content at a place become these. */
static void replace(bytes *of, size_t at, size_t n, const void *by, size_t length)
{
    bytes made = { 0 };
    put(&made, of->at, at);
    put(&made, by, length);
    put(&made, of->at + at + n, of->size - at - n);
    drop(of);
    *of = made;
}

static void damage(bytes *of)
{
    static const unsigned char ends[] = { 0, 1, 0x7f, 0x80, 0xff, '"', '{', '}', '(', '9' };
    size_t at = below(of->size), most = of->size - at < 40 ? of->size - at : 40;
    size_t n = 1 + below(most);
    uint64_t number = below(2) == 0 ? UINT64_MAX >> below(64) : UINT64_C(1) << below(64);
    unsigned char raw[8], *kept = malloc(n);
    memcpy(kept, of->at + at, n);
    for (size_t i = 0; i < 8; i++)
        raw[i] = (unsigned char)(number >> 8 * i);
    switch (below(7)) {
    case 0: of->at[at] ^= (unsigned char)(1U << below(8)); break;
    case 1: of->at[at] = ends[below(sizeof ends)]; break;
    case 2: replace(of, at, n, NULL, 0); break;             /* a part is gone */
    case 3: replace(of, at, 0, kept, n); break;             /* a part is there twice */
    case 4: replace(of, at, of->size - at, NULL, 0); break; /* it is cut */
    case 5: replace(of, at, n < 8 ? n : 8, raw, n < 8 ? n : 8); break;
    default: of->at[at] = (unsigned char)(of->at[at] + 1 - 2 * below(2)); break;
    }
    free(kept);
}

static void try_damaged(const sound_file *of, uint64_t seed)
{
    bytes made = { 0 };
    of->make(&made);
    state = seed;
    for (uint64_t times = 1 + below(3); times > 0 && made.size > 0; times--)
        damage(&made);
    write_file(of->name, &made);
    read_all_of(of->name, reading_of(of));
    drop(&made);
}

/* ---- tests ---- */

/* Of a build without the library that reads a kind, there is nothing to be seen. */
static bool is_closed(const sound_file *of)
{
    return strstr(told_of(of->name, reading_of(of)), "was built without") != NULL;
}

static void write_sound(const sound_file *of)
{
    bytes made = { 0 };
    of->make(&made);
    write_file(of->name, &made);
    drop(&made);
}

static void sound(void)
{
    for (size_t i = 0; i < sound_file_count; i++) {
        write_sound(&sound_files[i]);
        const char *told = told_of(sound_files[i].name, reading_of(&sound_files[i]));
        CHECK(strchr(told, '!') == NULL || is_closed(&sound_files[i]), "%s tells %s",
              sound_files[i].name, told);
    }
}

/* Standard input is kept in a file, and read as that one. An index names files beside it. */
static void sound_input(void)
{
    for (size_t i = 0; i < sound_file_count; i++) {
        const sound_file *of = &sound_files[i];
        char expected[2000];
        bytes made = { 0 };
        if (strstr(of->name, ".json") != NULL || is_closed(of))
            continue;
        of->make(&made);
        snprintf(expected, sizeof expected, "%s", told_of(of->name, reading_of(of)));
        const char *told = told_of_input(&made, reading_of(of));
        CHECK(strcmp(told, expected) == 0, "%s by standard input tells\n%snot\n%s", of->name, told,
              expected);
        drop(&made);
    }
}

/* The beginning of a file is none, but of raw codes, which it may be by luck. */
static void cut(void)
{
    for (size_t i = 0; i < sound_file_count; i++) {
        const sound_file *of = &sound_files[i];
        bytes made = { 0 };
        of->make(&made);
        for (size_t n = 0; n < made.size; n += SAMPLE) {
            write_file(of->name, &(bytes){ made.at, n });
            int status = read_all_of(of->name, reading_of(of));
            CHECK(status == EXIT_TROUBLE || of->needs_from, "%s: its first %zu bytes are read",
                  of->name, n);
        }
        drop(&made);
        write_sound(of);
    }
}

static void damaged(void)
{
    uint64_t trials = is_exhaustive() ? TRIALS_OF_ALL : TRIALS;
    for (size_t i = 0; i < sound_file_count; i++) {
        for (uint64_t seed = 0; seed < trials; seed++)
            try_damaged(&sound_files[i], seed);
        write_sound(&sound_files[i]);
    }
}

/* What a claimed length takes does not fit. Instrumented programs have more than that. */
static void limit_memory(void)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0) {
        limit.rlim_cur = (rlim_t)256 << 20;
        setrlimit(RLIMIT_AS, &limit);
    }
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "a dozen small files are sound", sound },
        { "they are read through a pipe as they are from a disk", sound_input },
        { "each of them, cut at any byte, is refused in sentences", cut },
        { "each of them, damaged at random, is read or refused in sentences", damaged },
    };
    limit_memory();
    begin_files();
    int status = run_tests("damaged files", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
