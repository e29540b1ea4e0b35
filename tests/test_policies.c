/* test_policies.c - the named policies, row by row as their ecosystems state them
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "tsv.h"

enum { MOST_POLICIES = 64 };

/* The index of a policy by its very name, and its row; that past the last, and NULL, without. */
static size_t index_of(const char *name)
{
    size_t i = 0;
    while (fpfmt_policy_at(i) != NULL && strcmp(fpfmt_policy_at(i)->name, name) != 0)
        i++;
    return i;
}

static const fpfmt_policy_row *row_named(const char *name)
{
    return fpfmt_policy_at(index_of(name));
}

static fpfmt_value value_of(const char *input)
{
    size_t length = strlen(input);
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
    if (length == 8 && strspn(input, "0123456789ABCDEF") == 8)
        return fpfmt_decode(fpfmt_named("fp32"), strtoul(input, NULL, 16));
    CHECK(fpfmt_parse(&value, input, length, NULL) == length, "%s is no number", input);
    return value;
}

/* Flags by their words, with commas between them; - for none. */
static unsigned flags_of(char *list)
{
    unsigned flags = 0;
    for (char *name = strtok(list, ","); name != NULL; name = strtok(NULL, ",")) {
        const fpfmt_word *word = fpfmt_word_named(FPFMT_WORDS_FLAG, name);
        if (strcmp(name, "-") != 0 && CHECK(word != NULL, "there is no flag %s", name))
            flags |= word->meaning;
    }
    return flags;
}

static size_t expectations_of[MOST_POLICIES];

static void check_code(char *cell[], unsigned line)
{
    enum { POLICY, FORMAT, INPUT, CODE, FLAGS, SOURCE };
    fpfmt_format format;
    fpfmt_policy policy;
    if (!CHECK(fpfmt_find(&format, cell[FORMAT]) == FPFMT_FOUND, "line %u: no format %s", line,
               cell[FORMAT]) ||
        !CHECK(fpfmt_find_policy(&format, &policy, cell[POLICY]), "line %u: no policy %s", line,
               cell[POLICY]))
        return;
    uint64_t code, expected = strtoull(cell[CODE], NULL, 16);
    unsigned flags = 0, expected_flags = flags_of(cell[FLAGS]);
    code = fpfmt_encode(&format, value_of(cell[INPUT]), &policy, &flags);
    CHECK(code == expected && flags == expected_flags,
          "line %u: %s: %s as %s is 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x (%s)", line,
          cell[POLICY], cell[INPUT], cell[FORMAT], code, flags, expected, expected_flags,
          cell[SOURCE]);
    expectations_of[index_of(cell[POLICY]) % MOST_POLICIES]++;
}

static void expectations(void)
{
    memset(expectations_of, 0, sizeof expectations_of);
    each_tsv_row("tests/data/policy_codes.tsv", 6, check_code);
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++)
        CHECK(expectations_of[i] >= 4, "%s has %zu expectations", fpfmt_policy_at(i)->name,
              expectations_of[i]);
}

/* Sets the field that a row of policies.tsv names to the meaning of a word. */
static bool set_field(fpfmt_policy *policy, const char *name, const char *text)
{
    const struct {
        const char *name;
        fpfmt_words family;
        uint8_t *field;
    } fields[] = {
        { "rounding", FPFMT_WORDS_ROUNDING, &policy->rounding },
        { "overflow", FPFMT_WORDS_OVERFLOW, &policy->overflow },
        { "overflow-test", FPFMT_WORDS_OVERFLOW_TEST, &policy->overflow_test },
        { "subnormal", FPFMT_WORDS_SUBNORMAL, &policy->subnormal },
        { "nan", FPFMT_WORDS_NAN, &policy->nan },
        { "negative", FPFMT_WORDS_NEGATIVE, &policy->negative },
        { "tininess", FPFMT_WORDS_TININESS, &policy->tininess },
        { "specials", FPFMT_WORDS_SPECIALS, &policy->specials },
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const fpfmt_word *word = fpfmt_word_named(fields[i].family, text);
        if (strcmp(fields[i].name, name) == 0 && word != NULL) {
            *fields[i].field = (uint8_t)word->meaning;
            return true;
        }
    }
    return false;
}

/* The next name=text of a list separated by blanks; false at its end, or where it is -. */
static bool next_pair(char **list, const char **name, const char **text)
{
    char *pair = *list, *equals = strchr(pair, '=');
    if (*pair == '\0' || strcmp(pair, "-") == 0 ||
        !CHECK(equals != NULL, "'%s' has no equals sign", pair))
        return false;
    *equals = '\0';
    *name = pair;
    *text = equals + 1;
    *list = equals + 1 + strcspn(equals + 1, " ");
    if (**list != '\0')
        *(*list)++ = '\0';
    return true;
}

enum { POLICY, FIELDS, EXCEPTIONS, SOURCE, CELLS };

static size_t rows_of[MOST_POLICIES];

static void check_row(char *cell[], unsigned line)
{
    const fpfmt_policy_row *row = row_named(cell[POLICY]);
    fpfmt_policy expected = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    const char *name, *text;
    if (!CHECK(row != NULL, "line %u: there is no policy %s", line, cell[POLICY]))
        return;
    while (next_pair(&cell[FIELDS], &name, &text))
        CHECK(set_field(&expected, name, text), "line %u: there is no %s=%s", line, name, text);
    CHECK(memcmp(&row->policy, &expected, sizeof expected) == 0, "line %u: %s is another policy",
          line, row->name);
    CHECK(strlen(cell[SOURCE]) > 3, "line %u has no source", line);
    rows_of[index_of(cell[POLICY]) % MOST_POLICIES]++;
}

static void table(void)
{
    size_t count = 0;
    memset(rows_of, 0, sizeof rows_of);
    size_t rows = each_tsv_row("tests/data/policies.tsv", CELLS, check_row);
    for (; fpfmt_policy_at(count) != NULL; count++) {
        const fpfmt_policy_row *named = fpfmt_policy_at(count);
        CHECK(rows_of[count] == 1, "%s has %zu rows", named->name, rows_of[count]);
        CHECK(strlen(named->summary) > 20, "%s has no summary", named->name);
        CHECK(fpfmt_policy_defect(&named->policy) == NULL, "%s is not sound", named->name);
        CHECK(fpfmt_policy_named(named->name) == named, "%s is not found", named->name);
    }
    CHECK(count == rows && count <= MOST_POLICIES && fpfmt_policy_at(SIZE_MAX) == NULL,
          "there are %zu rows, not %zu", count, rows);
    static const fpfmt_policy standard;
    CHECK(fpfmt_policy_named("default") == fpfmt_policy_at(0) &&
              memcmp(&fpfmt_policy_at(0)->policy, &standard, sizeof standard) == 0,
          "row 0 is not the default");
}

static void names(void)
{
    static const struct {
        const char *spelling, *name;
    } spellings[] = {
        { "ML-DTYPES", "ml_dtypes" },
        { "mldtypes", "ml_dtypes" },
        { "Onnx_Saturate", "onnx-saturate" },
        { "onnxnosaturate", "onnx-nosaturate" },
        { "X86_VCVTNEPS2BF16", "x86-vcvtneps2bf16" },
        { "P3109-SatPropagate-", "p3109-satpropagate" },
        { "torc", NULL },
        { "torch2", NULL },
        { "", NULL },
        { "cuda nosat", NULL },
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        const fpfmt_policy_row *expected =
            spellings[i].name == NULL ? NULL : row_named(spellings[i].name);
        CHECK(fpfmt_policy_named(spellings[i].spelling) == expected, "'%s' is not %s",
              spellings[i].spelling, spellings[i].name == NULL ? "refused" : spellings[i].name);
    }
    CHECK(fpfmt_policy_named(NULL) == NULL, "NULL is a policy");
}

/* A format, and the row whose exceptions it shares; NULL for none. */
typedef struct {
    fpfmt_format format;
    const char *row;
} target;

enum { MOST_TARGETS = 128 };
static target targets[MOST_TARGETS];
static size_t target_count;

static void add_target(const fpfmt_format *format, const char *row)
{
    if (CHECK(target_count < MOST_TARGETS, "there are too many targets"))
        targets[target_count++] = (target){ *format, row };
}

/* A row under another name, with everything else that decides no code's meaning changed. */
static void add_disguised(const char *name)
{
    fpfmt_format format = *fpfmt_named(name);
    strcpy(format.name, "mine");
    format.overflow = FPFMT_OVERFLOW_MAX_FINITE;
    format.tie = !format.tie;
    format.specials = FPFMT_SPECIALS_P3109;
    format.title = format.aliases = format.sets = format.caution = NULL;
    add_target(&format, name);
}

static void add_targets(void)
{
    /* By the grammar: tf32 itself, and what is as wide as tf32 or E8M0 but for one thing. */
    static const struct {
        const char *name, *row;
    } made[] = {
        { "e8m10ieee", "tf32" },   { "e8m10b127", "tf32" }, { "e8m10", "tf32" },
        { "e8m0fnu", "e8m0" },     { "e8m10fnuz", NULL },   { "e8m10fn", NULL },
        { "e8m10none", NULL },     { "e8m10b126", NULL },   { "e8m10u", NULL },
        { "binary19p11se", NULL }, { "binary8p1uf", NULL }, { "binary8p1ue", NULL },
        { "binary9p1se", NULL },   { "e8m0none", NULL },    { "e8m0fnu_", "e8m0" },
        { "e8m1", NULL },          { "e7m10", NULL },       { "e8m9", NULL },
    };
    const fpfmt_format *row;
    target_count = 0;
    for (size_t i = 0; (row = fpfmt_at(i)) != NULL; i++)
        add_target(row, row->name);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        fpfmt_format format;
        if (CHECK(fpfmt_find(&format, made[i].name) == FPFMT_FOUND, "no format %s", made[i].name))
            add_target(&format, made[i].row);
    }
    add_disguised("tf32");
    add_disguised("e8m0");
}

static void check_target(const char *name, const target *to, int rounding)
{
    const fpfmt_policy_row *row = row_named(name);
    fpfmt_policy policy = fpfmt_policy_for(&to->format, row), found;
    CHECK(policy.rounding == rounding, "%s rounds to %s in mode %d, not %d", name, to->format.name,
          policy.rounding, rounding);
    CHECK(fpfmt_find_policy(&to->format, &found, name) &&
              memcmp(&found, &policy, sizeof policy) == 0,
          "%s for %s has another policy by name", name, to->format.name);
    policy.rounding = row->policy.rounding;
    CHECK(memcmp(&policy, &row->policy, sizeof policy) == 0, "%s for %s changes more", name,
          to->format.name);
}

static void check_exceptions(char *cell[], unsigned line)
{
    const fpfmt_policy_row *row = row_named(cell[POLICY]);
    int roundings[MOST_TARGETS];
    const char *format, *mode;
    if (!CHECK(row != NULL, "line %u: there is no policy %s", line, cell[POLICY]))
        return;
    for (size_t i = 0; i < target_count; i++)
        roundings[i] = row->policy.rounding;
    while (next_pair(&cell[EXCEPTIONS], &format, &mode)) {
        const fpfmt_word *word = fpfmt_word_named(FPFMT_WORDS_ROUNDING, mode);
        CHECK(fpfmt_named(format) != NULL && word != NULL, "line %u: there is no %s=%s", line,
              format, mode);
        for (size_t i = 0; i < target_count; i++)
            if (targets[i].row != NULL && strcmp(targets[i].row, format) == 0 && word != NULL)
                roundings[i] = (int)word->meaning;
    }
    for (size_t i = 0; i < target_count; i++)
        check_target(cell[POLICY], &targets[i], roundings[i]);
}

static void exceptions(void)
{
    add_targets();
    each_tsv_row("tests/data/policies.tsv", CELLS, check_exceptions);
}

/* An exception must name a row, or it would be none. */
static void named_rows(void)
{
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++) {
        const fpfmt_policy_exception *except = fpfmt_policy_at(i)->exceptions;
        for (; except != NULL && except->format != NULL; except++) {
            const fpfmt_format *row = fpfmt_named(except->format);
            CHECK(row != NULL && strcmp(row->name, except->format) == 0,
                  "%s makes an exception of %s, which is no row", fpfmt_policy_at(i)->name,
                  except->format);
        }
    }
}

static void unknown(void)
{
    const fpfmt_policy before = { .rounding = FPFMT_ROUND_TO_ODD, .seed = 7 };
    fpfmt_policy policy = before;
    CHECK(!fpfmt_find_policy(fpfmt_at(0), &policy, "torc") &&
              !fpfmt_find_policy(fpfmt_at(0), &policy, NULL) &&
              !fpfmt_find_policy(NULL, &policy, "torch"),
          "what is no policy is found");
    CHECK(memcmp(&policy, &before, sizeof policy) == 0, "what is not found is written");
}

/* Beyond the largest value P3109 has NaN, the others stay. */
static void specials(void)
{
    fpfmt_format format;
    CHECK(fpfmt_find(&format, "binary8p4se") == FPFMT_FOUND, "no format binary8p4se");
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++) {
        const fpfmt_policy_row *row = fpfmt_policy_at(i);
        uint64_t expected = strncmp(row->name, "p3109-", 6) == 0 ? 0x80 : 0x7F;
        uint64_t code = fpfmt_next_up(&format, 0x7F, &row->policy, NULL);
        CHECK(code == expected, "%s: 0x%" PRIx64 " is next above Inf", row->name, code);
    }
}

static uint8_t *field(fpfmt_policy *policy, size_t index)
{
    uint8_t *fields[] = { &policy->rounding, &policy->overflow,  &policy->overflow_test,
                          &policy->nan,      &policy->subnormal, &policy->negative,
                          &policy->tininess, &policy->specials };
    return index < sizeof fields / sizeof fields[0] ? fields[index] : &policy->reserved[index - 8];
}

static void defects(void)
{
    static const unsigned members[15] = { 13, 7, 2, 4, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1 };
    for (size_t i = 0; i < 15; i++)
        for (unsigned n = 0; n < 256; n++) {
            fpfmt_policy policy = { .random_bits = 8, .seed = UINT64_MAX, .first = UINT64_MAX };
            *field(&policy, i) = (uint8_t)n;
            bool sound = fpfmt_policy_defect(&policy) == NULL;
            CHECK(sound == (n < members[i]), "field %zu: %u is %s", i, n,
                  sound ? "sound" : "a defect");
        }
    for (unsigned mode = 0; mode < FPFMT_ROUND_COUNT; mode++)
        for (unsigned bits = 0; bits < 256; bits++) {
            fpfmt_policy policy = { .rounding = (uint8_t)mode, .random_bits = (uint8_t)bits };
            bool few = mode == FPFMT_ROUND_STOCHASTIC_A || mode == FPFMT_ROUND_STOCHASTIC_B ||
                       mode == FPFMT_ROUND_STOCHASTIC_C;
            bool sound = fpfmt_policy_defect(&policy) == NULL;
            CHECK(sound == (!few || (bits >= 1 && bits <= 32)), "mode %u: %u random bits are %s",
                  mode, bits, sound ? "sound" : "a defect");
        }
}

int main(void)
{
    static const struct test tests[] = {
        { "each named policy does what its source says", expectations },
        { "every row is as its source has it, and found by its name; row 0 is the default", table },
        { "names are compared without case, '_' and '-'", names },
        { "exceptions hit the formats of their rows and nothing that looks like them", exceptions },
        { "every exception names a row of the table of formats", named_rows },
        { "an unknown policy, or none for no format, is not found", unknown },
        { "P3109's specials belong to its policies alone", specials },
        { "a field out of range is a defect, everything else is sound", defects },
    };
    return run_tests("policies", tests, sizeof tests / sizeof tests[0]);
}
