/* records.h - facts as records of named fields, for programs: TSV, CSV, JSON and their like
 * SPDX-License-Identifier: MIT
 *
 * Facts are structs, and a schema says of each member that programs see what it is called, of what
 * kind it is and where it stands. One writer prints any struct with a schema in every form, row by
 * row: nothing is kept, however many rows there are. What does not exist is null in JSON and "-"
 * elsewhere. All numbers are texts, exact. */

#ifndef FPFMT_KIT_RECORDS_H
#define FPFMT_KIT_RECORDS_H

#include <fpfmt.h>
#include <limits.h>

#include "kit/json.h"
#include "kit/number.h"
#include "kit/words.h"

/* ---- members of facts ---- */

/* A code of a format; format NULL: there is none. */
typedef struct {
    const fpfmt_format *format;
    uint64_t code;
} coded;

enum { NO_INTEGER = INT_MIN };

typedef struct {
    bool exists;
    fpfmt_ratio ratio;
} maybe_ratio;

typedef struct {
    bool exists;
    fpfmt_value value;
} maybe_value;

/* An array of structs that have a schema of their own. */
typedef struct {
    const void *rows;
    size_t count;
} fact_list;

/* ---- schemas ---- */

typedef enum {
    FIELD_TEXT,     /* const char *; NULL does not exist */
    FIELD_STRING,   /* char array, a text inside the facts; "" does not exist */
    FIELD_NAMES,    /* const char *, words separated by blanks; a list in JSON, else with commas */
    FIELD_INTEGER,  /* int; NO_INTEGER does not exist */
    FIELD_POSITIVE, /* int; 0 does not exist */
    FIELD_COUNT,    /* uint64_t */
    FIELD_BOOL,     /* bool: true or false */
    FIELD_WORD,     /* unsigned, which a word of the table words means */
    FIELD_FLAGS,    /* unsigned, FPFMT_FLAG_...; a list in JSON, else with commas, "-" for none */
    FIELD_VALUE,    /* fpfmt_value, as an exact decimal */
    FIELD_MAYBE,    /* maybe_value, as an exact decimal */
    FIELD_RATIO,    /* fpfmt_ratio, as a decimal where a finite one exists, else as p/q */
    FIELD_DECIMAL,  /* maybe_ratio, as a decimal where a finite one exists, else as p/q */
    FIELD_FRACTION, /* maybe_ratio, as p/q */
    FIELD_FORMAT,   /* coded: the name of its format; from here on all are of coded */
    FIELD_CODE,     /* 0x3c00, as wide as the format */
    FIELD_BITS,     /* all bits */
    FIELD_SIGN,     /* bits of a field; "-" where the format has no such field */
    FIELD_EXPONENT,
    FIELD_MANTISSA,
    FIELD_CLASS,    /* zero, subnormal, normal, inf or nan */
    FIELD_EXACT,    /* the exact decimal */
    FIELD_SHORTEST, /* the fewest digits that read back */
    FIELD_HEXFLOAT,
    FIELD_OBJECT, /* a struct with a schema: an object in JSON, else "name_member" for each */
    FIELD_LIST    /* fact_list of structs with a schema; JSON alone has it */
} field_kind;

typedef struct field {
    const char *name; /* NULL ends a schema */
    field_kind kind;
    size_t offset;           /* in the facts */
    const struct field *of;  /* OBJECT, LIST: the schema */
    const word_table *words; /* WORD */
    size_t size;             /* LIST: bytes of a struct */
    size_t exists;           /* OBJECT: offset of a bool in the facts, plus 1; 0: always */
    bool line;               /* in JSON a new line begins here, where lines are broken at all */
    bool flat;               /* JSON leaves this one out: an object of its own has it */
    const char *aliases;     /* other names, separated by blanks, by which users may ask for it */
} field;

/* A field of a schema whose facts are of this type: FIELD("code", FIELD_CODE, report, stored). */
#define FIELD(field_name, field_kind, type, member)                                                \
    {                                                                                              \
        .name = field_name, .kind = field_kind, .offset = offsetof(type, member)                   \
    }

/* ---- forms ---- */

typedef enum {
    FORM_SCREEN, /* no form of this writer */
    FORM_QUIET,  /* nor is this one */
    FORM_PRINT,  /* tabs between the fields, and no line of names */
    FORM_PLAIN,  /* blanks between the fields, and no line of names */
    FORM_TSV,
    FORM_CSV, /* RFC 4180 */
    FORM_JSON,
    FORM_JSONL
} form;

typedef struct {
    form how;
    const field *const *fields;
    size_t count; /* of fields, and rows so far */
    size_t rows;
    json_writer writer;
} records;

/* Begins the output of a tool in a form, whose JSON says which schema of the tool it follows, as
 * "fpinspect/1". */
void records_open(records *made, form how, const char *schema);

/* Something about all rows: a member of the whole in JSON, and nowhere else. */
void records_about(records *made, const char *name, const char *text);

/* These fields follow, row by row: a list of this name in JSON, a line of names in TSV and CSV. The
 * array of pointers must stay until records_close. */
void records_begin(records *made, const char *list, const field *const *fields, size_t count);

void records_row(records *made, const void *facts);

void records_close(records *made);

/* All of that for an array of facts, with all fields of a schema. */
void print_records(form how, const char *schema, const char *list, const field *fields,
                   fact_list facts, size_t size);

/* As print_records, and JSON says which format all of it is about, unless that is NULL. */
void print_records_about(form how, const char *schema, const char *format, const char *list,
                         const field *fields, fact_list facts, size_t size);

/* ---- pieces ---- */

/* An object of JSON with all fields of a schema, in one line; it is the writer's next value. */
void json_facts(json_writer *to, const field *schema, const void *facts);

/* The text of a field that is no object and no list; false if it does not exist. */
bool field_text(number text, const field *of, const void *facts);

/* zero, subnormal, normal, inf or nan. */
const char *class_name(fpfmt_value value);

/* The names of flags, with this between them; "" if there is none. */
enum { FLAGS_SIZE = 80 };
void name_flags(char text[FLAGS_SIZE], unsigned flags, const char *between);

/* A field of a line in a flat form, index-th of it. */
void put_field(form how, const char *text, size_t index);

#endif
