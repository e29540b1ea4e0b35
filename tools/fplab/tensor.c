/* tensor.c - a tensor is memory, a shape and strides: what operations do to them
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fpinspect/distance.h"
#include "../fpinspect/number.h"
#include "lab.h"
#include "layout.h"

enum { MOST_STEPS = 32, TEXT = 400, SHOWN = 48 };

static fpfmt_format target;

static const lab_option own_options[] = {
    { "as", "FORMAT", "format that the view is converted to; bf16 without it", LAB_FORMAT, &target,
      0, 0 },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

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
} operations[] = {
    { "transpose", apply_transpose }, { "permute", apply_permute },     { "slice", apply_slice },
    { "reshape", apply_reshape },     { "rearrange", apply_rearrange },
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* A step of the way, and the tensor after it. */
typedef struct {
    int operation; /* -1: the shape that it begins with */
    char text[TEXT];
    copying copied;
    layout now;
} step;

/* ---- reading: SHAPE, then operations with their arguments, with | between them or not ---- */

static int find_operation(const char *word)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (strcmp(operations[i].name, word) == 0)
            return i;
    return -1;
}

static bool add_word(step *steps, size_t *count, const char *word)
{
    int found = find_operation(word);
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
    if (strlen(text) + strlen(word) + 2 > TEXT) {
        complain("view: '%s' is too long", quoted(text, strlen(text)));
        return false;
    }
    sprintf(text + strlen(text), "%s%s", *text != '\0' ? " " : "", word);
    return true;
}

/* A word after | that is no operation was meant to be one. */
static bool complain_about_operation(const char *word)
{
    int nearest = 0;
    for (int i = 1; i < OPERATIONS; i++)
        if (kit_distance(operations[i].name, word) <
            kit_distance(operations[nearest].name, word))
            nearest = i;
    complain("unknown operation '%s'; did you mean '%s'?", quoted(word, strlen(word)),
             operations[nearest].name);
    return false;
}

static bool read_steps(step *steps, size_t *count, int argc, char **argv)
{
    bool fresh = false, good = true;
    steps[0] = (step){ .operation = -1 };
    *count = 1;
    for (int i = 0; i < argc && good; i++)
        for (char *word = strtok(argv[i], " \t"); word != NULL && good;
             word = strtok(NULL, " \t")) {
            bool bar = strcmp(word, "|") == 0, begun = *steps[0].text != '\0';
            if ((fresh || (begun && *count == 1)) && !bar && find_operation(word) < 0)
                good = complain_about_operation(word);
            else if (!bar)
                good = add_word(steps, count, word);
            fresh = bar;
        }
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
    size_t count = count_elements(view);
    float *elements = lab_allocate(count, sizeof *elements);
    for (size_t i = 0; i < count; i++)
        elements[i] = (*memory)[place_of(view, i)];
    free(*memory);
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
    size_t count = count_elements(&first->now);
    *memory = lab_allocate(count, sizeof **memory);
    for (size_t i = 0; i < count; i++)
        (*memory)[i] = fpfmt_to_f32(fpfmt_from_u64(i), NULL, NULL);
    return true;
}

/* ---- the conversion of the view as it lies ---- */

static void *convert(const float *memory, const layout *view)
{
    static fpfmt_plan plan;
    void *codes = lab_allocate(count_elements(view), lab_code_bytes(&target));
    const fpfmt_view in = { .data = (float *)memory + view->offset,
                            .rank = view->rank,
                            .shape = view->shape,
                            .strides = view->strides };
    const fpfmt_view out = { .data = codes, .rank = view->rank, .shape = view->shape };
    if (!fpfmt_prepare(&plan, &target, NULL, NULL) ||
        !fpfmt_plan_view(&plan, FPFMT_VIEW_ENCODE_F32, out, in, 0, NULL))
        complain("the view was not converted");
    return codes;
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

static void print_step(const step *taken, const char *values, const char *codes)
{
    char text[TEXT + 20];
    bool first = taken->operation < 0;
    snprintf(text, sizeof text, "%s %s", first ? "tensor" : operations[taken->operation].name,
             taken->text);
    lab_cell(text, NULL);
    lab_cell(write_shape(text, &taken->now), NULL);
    lab_cell(write_strides(text, &taken->now), NULL);
    lab_cellf("%td", taken->now.offset);
    lab_cellf("%zu", count_elements(&taken->now));
    lab_cell(first ? "new" : taken->copied.needed ? "copy" : "same", NULL);
    lab_cell(taken->copied.needed ? taken->copied.why : "-", NULL);
    lab_cell(values, NULL);
    lab_cell(codes, NULL);
    lab_end_row();
}

/* Elements first to end of a view, as numbers or as codes, in list with commas between. */
static void list_elements(char *list, const float *memory, const layout *view, const void *codes,
                          size_t first, size_t end)
{
    char code[24];
    *list = '\0';
    for (size_t i = first; i < end; i++) {
        list += sprintf(list, "%s", i > first ? "," : "");
        if (codes != NULL)
            list += sprintf(list, "%s", show_code(code, &target, lab_load(codes, i, &target)));
        else
            list += sprintf(list, "%.0f", (double)memory[place_of(view, i)]);
    }
}

/* Elements first to end, a row of their places in the first memory and one of their codes. */
static void draw_run(const float *memory, const layout *view, const void *codes, size_t first,
                     size_t end, bool cut)
{
    char text[24];
    for (size_t i = first; i < end; i++) {
        snprintf(text, sizeof text, "%.0f", (double)memory[place_of(view, i)]);
        table_align((int)(i - first), ALIGN_RIGHT);
        table_cell(STYLE_NAME, text);
    }
    table_row();
    for (size_t i = first; i < end; i++)
        table_cell(STYLE_DIM, show_code(text, &target, lab_load(codes, i, &target)));
    if (cut)
        table_cell(STYLE_DIM, "…");
    table_row();
}

/* The first of the view for people, index by index but for the last one, which runs. */
static void draw(const float *memory, const layout *view, const void *codes)
{
    size_t count = count_elements(view), shown = count < SHOWN ? count : SHOWN;
    size_t run = view->rank > 0 ? view->shape[view->rank - 1] : 1;
    size_t most = lab_code_bytes(&target) > 4 ? 3 : 6;
    lab_gap();
    lab_say("The elements in the order of their indices, by their place in the first memory, and "
            "their codes in %s, converted as they lie:",
            target.name);
    table_begin(2);
    for (size_t i = 0; i < shown; i += run) {
        size_t end = i + run < shown ? i + run : shown;
        bool cut = end - i > most;
        draw_run(memory, view, codes, i, cut ? i + most : end, cut);
    }
    table_flush();
    if (shown < count)
        lab_say("There are %zu more.", count - shown);
}

static void print_all(const step *steps, size_t count, const float *memory)
{
    enum { EACH = 24 };
    const layout *view = &steps[count - 1].now;
    size_t elements = count_elements(view);
    void *codes = convert(memory, view);
    char *values = lab_allocate(elements, EACH), *list = lab_allocate(elements, EACH);
    list_elements(values, memory, view, NULL, 0, elements);
    list_elements(list, memory, view, codes, 0, elements);
    lab_say("A tensor is memory, a shape, and a stride for each axis: element [i][k] lies at "
            "offset + i x stride 0 + k x stride 1. An operation that only changes these copies "
            "nothing.");
    lab_gap();
    lab_rows(columns);
    for (size_t i = 0; i < count; i++)
        print_step(&steps[i], i + 1 == count ? values : "-", i + 1 == count ? list : "-");
    lab_flush();
    for (size_t i = 0; i < count; i++)
        if (steps[i].copied.needed)
            lab_say("%s copies: %s.", operations[steps[i].operation].name, steps[i].copied.why);
    if (lab_on_screen())
        draw(memory, view, codes);
    free(codes);
    free(values);
    free(list);
}

static void run(int argc, char **argv)
{
    static step steps[MOST_STEPS];
    float *memory = NULL;
    size_t count;
    if (*target.name == '\0')
        target = *fpfmt_named("bf16");
    bool good = read_steps(steps, &count, argc, argv) && begin(&steps[0], &memory);
    for (size_t i = 1; i < count && good; i++)
        good = take_step(&steps[i], &steps[i - 1], &memory);
    if (good)
        print_all(steps, count, memory);
    free(memory);
}

const experiment view_experiment = {
    .name = "view",
    .usage = "SHAPE [OPERATION ARGUMENT]...",
    .summary = "a tensor as memory, shape and strides: what copies and what does not",
    .example = "fplab view 2,3,4 transpose 0,1 slice 0:2 reshape 4,4",
    .options = own_options,
    .least = 1,
    .most = 64,
    .run = run,
};
