/* view.c - a tensor is memory, a shape and strides: what operations do to them
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/distance.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/say.h"
#include "lab.h"
#include "layout.h"

enum { MOST_STEPS = 32, MOST_WORDS = 64, TEXT = 400, SHOWN = 48 };

typedef struct {
    common_settings common;
    fpfmt_format target; /* without a name: bf16 */
} view_settings;
BEGINS_WITH_COMMON(view_settings);

/* clang-format off */
static const option_row options[] = {
    { .name = "as", .takes = "FORMAT", .target = offsetof(view_settings, target),
      .read = set_format, .offer = offer_formats,
      .summary = "format that the view is converted to; bf16 without it" },
    { .name = NULL },
};
/* clang-format on */

static const lab_column columns[] = {
    { "operation", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_NAME },
    { "shape", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "strides", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "offset", NULL, LAB_EVERYWHERE, ALIGN_RIGHT, STYLE_PLAIN },
    { "elements", NULL, LAB_MACHINE, ALIGN_RIGHT, STYLE_PLAIN },
    { "memory", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "why", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "values", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "codes", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

static const struct {
    const char *name;
    bool (*apply)(layout *of, const char *text, copying *made_copy);
    const char *summary;
} operations[] = {
    { "transpose", apply_transpose, "swap two axes" },
    { "permute", apply_permute, "put all axes in another order" },
    { "slice", apply_slice, "take a part of each axis" },
    { "reshape", apply_reshape, "give the elements another shape" },
    { "rearrange", apply_rearrange, "divide, reorder and join axes by name" },
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static void offer_operations(const completion *now, const option_row *row)
{
    (void)row;
    for (int i = 0; i < OPERATIONS; i++)
        offer_word(now, operations[i].name, operations[i].summary);
}

/* A step of the way, and the tensor after it. */
typedef struct {
    int operation; /* -1: the shape that it begins with */
    char text[TEXT];
    copying copied;
    layout now;
} step;

/* ---- reading: SHAPE, then operations with their arguments, with | between them or not ---- */

static int find_operation(const char *text)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (strcmp(operations[i].name, text) == 0)
            return i;
    return -1;
}

static bool add_word(step *steps, size_t *count, const char *added)
{
    int found = find_operation(added);
    if (found >= 0 && *count == MOST_STEPS) {
        complain("view takes %d operations at the most", MOST_STEPS - 1);
        return false;
    }
    if (found >= 0) {
        steps[*count] = (step){ .operation = found };
        ++*count;
        return true;
    }
    char *text = steps[*count - 1].text;
    if (strlen(text) + strlen(added) + 2 > TEXT) {
        complain("view: '%s' is too long: the words of an operation have %d characters together at "
                 "the most",
                 quoted(added, strlen(added)), TEXT - 1);
        return false;
    }
    sprintf(text + strlen(text), "%s%s", *text != '\0' ? " " : "", added);
    return true;
}

/* A text after | that is no operation was meant to be one. */
static bool complain_about_operation(const char *text)
{
    name_search search = { .typed = text };
    for (int i = 0; i < OPERATIONS; i++)
        consider_name(&search, operations[i].name);
    complain("unknown operation '%s'%s", quoted(text, strlen(text)), hint_of(&search, ""));
    return false;
}

/* The words of an operand, between blanks. fresh: an operation must come next. */
static bool read_operand(step *steps, size_t *count, const char *operand, bool *fresh)
{
    bool good = true;
    for (const char *at = operand + strspn(operand, " \t"); *at != '\0' && good;) {
        size_t length = strcspn(at, " \t");
        char *found = copy_text(at, length);
        bool bar = strcmp(found, "|") == 0, begun = *steps[0].text != '\0';
        if ((*fresh || (begun && *count == 1)) && !bar && find_operation(found) < 0)
            good = complain_about_operation(found);
        else if (!bar)
            good = add_word(steps, count, found);
        *fresh = bar;
        release(found);
        at += length;
        at += strspn(at, " \t");
    }
    return good;
}

static bool read_steps(step *steps, size_t *count, char **operands, size_t operand_count)
{
    bool fresh = false, good = true;
    steps[0] = (step){ .operation = -1 };
    *count = 1;
    for (size_t i = 0; i < operand_count && good; i++)
        good = read_operand(steps, count, operands[i], &fresh);
    return good;
}

/* ---- what lies where ---- */

/* The element that is number which of all when the last index is the fastest. */
static ptrdiff_t place_of(const layout *of, size_t which)
{
    ptrdiff_t place = of->offset;
    for (int i = of->rank - 1; i >= 0; i--) {
        place += (ptrdiff_t)(which % of->shape[i]) * of->strides[i];
        which /= of->shape[i];
    }
    return place;
}

/* New memory with the elements of a view one after the other, in place of the old. */
static void copy(float **memory, const layout *view)
{
    size_t count = elements_of(view);
    float *elements = allocate(count, sizeof *elements);
    for (size_t i = 0; i < count; i++)
        elements[i] = (*memory)[place_of(view, i)];
    release(*memory);
    *memory = elements;
}

/* From the last step to the next; false after a complaint. */
static bool take_step(step *next, const step *last, float **memory)
{
    next->now = last->now;
    if (!operations[next->operation].apply(&next->now, next->text, &next->copied))
        return false;
    if (next->copied.needed)
        copy(memory, &next->copied.source);
    return true;
}

/* The first step: elements numbered from 0 lie one after the other. */
static bool begin(step *first, float **memory)
{
    if (!read_shape(&first->now, first->text, "SHAPE", 0))
        return false;
    make_contiguous(&first->now);
    size_t count = elements_of(&first->now);
    *memory = allocate(count, sizeof **memory);
    for (size_t i = 0; i < count; i++)
        (*memory)[i] = fpfmt_to_f32(fpfmt_from_u64(i), NULL, NULL);
    return true;
}

/* ---- the conversion of the view as it lies ---- */

/* The last step's elements, where they lie, and one after the other as codes of a format. */
typedef struct {
    const float *memory;
    const layout *view;
    const fpfmt_format *target;
    void *codes;
} converted_view;

static converted_view convert(const float *memory, const layout *view, const fpfmt_format *target)
{
    fpfmt_plan plan;
    void *codes = allocate(elements_of(view), fpfmt_code_bytes(target));
    const fpfmt_view in = { .data = (float *)memory + view->offset,
                            .rank = view->rank,
                            .shape = view->shape,
                            .strides = view->strides };
    const fpfmt_view out = { .data = codes, .rank = view->rank, .shape = view->shape };
    if (!fpfmt_prepare(&plan, target, NULL, NULL) ||
        !fpfmt_plan_view(&plan, FPFMT_VIEW_ENCODE_F32, out, in, 0, NULL))
        complain("the view was not converted");
    return (converted_view){ memory, view, target, codes };
}

/* Element i of the view as text: its place in the first memory, and its code. Both return text. */
static char *spell_place(char text[24], const converted_view *of, size_t i)
{
    snprintf(text, 24, "%.0f", (double)of->memory[place_of(of->view, i)]);
    return text;
}

static char *spell_code(char text[24], const converted_view *of, size_t i)
{
    return show_code(text, of->target, fpfmt_load_code(of->target, of->codes, i));
}

/* ---- what is printed ---- */

/* "-" for a single element, which has no axes. */
static char *write_shape(char text[TEXT], const layout *of)
{
    strcpy(text, of->rank == 0 ? "-" : "");
    for (int i = 0; i < of->rank; i++)
        sprintf(text + strlen(text), "%s%zu", i > 0 ? "," : "", of->shape[i]);
    return text;
}

static char *write_strides(char text[TEXT], const layout *of)
{
    strcpy(text, of->rank == 0 ? "-" : "");
    for (int i = 0; i < of->rank; i++)
        sprintf(text + strlen(text), "%s%td", i > 0 ? "," : "", of->strides[i]);
    return text;
}

static void print_step(lab_page *page, const step *taken, const char *values, const char *codes)
{
    char text[TEXT + 20];
    bool first = taken->operation < 0;
    lab_cellf(page, "%s %s", first ? "tensor" : operations[taken->operation].name, taken->text);
    lab_cell(page, write_shape(text, &taken->now), NULL);
    lab_cell(page, write_strides(text, &taken->now), NULL);
    lab_cellf(page, "%td", taken->now.offset);
    lab_cellf(page, "%zu", elements_of(&taken->now));
    lab_cell(page, first ? "new" : taken->copied.needed ? "copy" : "same", NULL);
    lab_cell(page, taken->copied.needed ? taken->copied.why : "-", NULL);
    lab_cell(page, values, NULL);
    lab_cell(page, codes, NULL);
    lab_end_row(page);
}

/* All elements by one of the spellings above, with commas between. */
static char *list_elements(const converted_view *of,
                           char *(*spell)(char text[24], const converted_view *of, size_t i))
{
    enum { EACH = 24 };
    size_t count = elements_of(of->view);
    char *list = allocate(count, EACH), *end = list, text[EACH];
    for (size_t i = 0; i < count; i++)
        end += sprintf(end, "%s%s", i > 0 ? "," : "", spell(text, of, i));
    return list;
}

/* Elements first to end, a row of their places in the first memory and one of their codes. */
static void draw_run(const converted_view *of, size_t first, size_t end, bool cut)
{
    char text[24];
    for (size_t i = first; i < end; i++) {
        table_align((int)(i - first), ALIGN_RIGHT);
        table_cell(STYLE_NAME, spell_place(text, of, i));
    }
    table_row();
    for (size_t i = first; i < end; i++)
        table_cell(STYLE_DIM, spell_code(text, of, i));
    if (cut)
        table_cell(STYLE_DIM, "…");
    table_row();
}

/* The first of the view for people, index by index but for the last one, which runs. */
static void draw(const lab_page *page, const converted_view *of)
{
    const layout *view = of->view;
    size_t count = elements_of(view), shown = count < SHOWN ? count : SHOWN;
    size_t run = view->rank > 0 ? view->shape[view->rank - 1] : 1;
    size_t most = fpfmt_code_bytes(of->target) > 4 ? 3 : 6;
    lab_gap(page);
    lab_say(page,
            "The elements in the order of their indices, by their place in the first memory, and "
            "their codes in %s, converted as they lie:",
            of->target->name);
    table_begin(2);
    for (size_t i = 0; i < shown; i += run) {
        size_t end = i + run < shown ? i + run : shown;
        bool cut = end - i > most;
        draw_run(of, i, cut ? i + most : end, cut);
    }
    table_flush();
    if (shown < count)
        lab_say(page, "There are %zu more.", count - shown);
}

static void print_all(lab_page *page, const step *steps, size_t count, const converted_view *last)
{
    lab_say(page,
            "A tensor is memory, a shape, and a stride for each axis: element [i][k] lies at "
            "offset + i x stride 0 + k x stride 1. An operation that only changes these copies "
            "nothing.");
    lab_gap(page);
    lab_rows(page, columns);
    for (size_t i = 0; i + 1 < count; i++)
        print_step(page, &steps[i], "-", "-");
    print_step(page, &steps[count - 1], list_elements(last, spell_place),
               list_elements(last, spell_code));
    lab_flush(page);
    for (size_t i = 0; i < count; i++)
        if (steps[i].copied.needed)
            lab_say(page, "%s copies: %s.", operations[steps[i].operation].name,
                    steps[i].copied.why);
    if (lab_on_screen(page))
        draw(page, last);
}

/* ---- the experiment ---- */

static void run(void *settings, lab_page *page, char **operands, size_t operand_count)
{
    view_settings *asked = settings;
    step *steps = allocate(MOST_STEPS, sizeof *steps);
    float *memory = NULL;
    size_t count;
    if (*asked->target.name == '\0')
        asked->target = *fpfmt_named("bf16");
    bool good = read_steps(steps, &count, operands, operand_count) && begin(&steps[0], &memory);
    for (size_t i = 1; i < count && good; i++)
        good = take_step(&steps[i], &steps[i - 1], &memory);
    if (!good)
        return;
    converted_view last = convert(memory, &steps[count - 1].now, &asked->target);
    print_all(page, steps, count, &last);
}

const experiment view_experiment = {
    .name = "view",
    .usage = "SHAPE [OPERATION ARGUMENT]...",
    .summary = "a tensor as memory, shape and strides: what copies and what does not",
    .example = "fplab view 2,3,4 transpose 0,1 slice 0:2 reshape 4,4",
    .options = options,
    .size = sizeof(view_settings),
    .least = 1,
    .most = MOST_WORDS,
    .offer_operand = offer_operations,
    .run = run,
};
