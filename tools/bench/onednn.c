/* onednn.c - the peer that prepares: reorders of oneDNN
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <oneapi/dnnl/dnnl.h>

/* Since version 3 a description of memory is an object behind a pointer. */
#if DNNL_VERSION_MAJOR >= 3
#define DESCRIBE dnnl_memory_desc_create_with_tag
#define GIVEN(description) (description)
#define FORGET(description) dnnl_memory_desc_destroy(description)
#else
#define DESCRIBE dnnl_memory_desc_init_by_tag
#define GIVEN(description) (&(description))
#define FORGET(description) ((void)(description))
#endif

/* The reorder that was asked for last, and the memory that it reads and writes. */
typedef struct {
    void *to;
    const void *from;
    size_t n;
    dnnl_data_type_t reads, writes;
    dnnl_exec_arg_t arguments[2];
    dnnl_primitive_t reorder;
} preparation;

/* OpenMP's, of which not every compiler has the header. It counted processors before the program
 * chose one. */
void omp_set_num_threads(int count);

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static bool prepare_memory(dnnl_memory_t *memory, dnnl_memory_desc_t *description, size_t n,
                           dnnl_data_type_t type, void *array)
{
    dnnl_dims_t dimensions = { (dnnl_dim_t)n };
    return DESCRIBE(description, 1, dimensions, type, dnnl_a) == dnnl_success &&
           dnnl_memory_create(memory, GIVEN(*description), engine, array) == dnnl_success;
}

static bool prepare(preparation *it)
{
    dnnl_memory_desc_t from, to;
    dnnl_primitive_desc_t description;
    omp_set_num_threads(1);
    it->arguments[0].arg = DNNL_ARG_FROM;
    it->arguments[1].arg = DNNL_ARG_TO;
    if ((engine == NULL && dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success) ||
        (stream == NULL &&
         dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success) ||
        !prepare_memory(&it->arguments[0].memory, &from, it->n, it->reads,
                        (void *)(uintptr_t)it->from) ||
        !prepare_memory(&it->arguments[1].memory, &to, it->n, it->writes, it->to) ||
        dnnl_reorder_primitive_desc_create(&description, GIVEN(from), engine, GIVEN(to), engine,
                                           NULL) != dnnl_success)
        return false;
    FORGET(from);
    FORGET(to);
    bool made = dnnl_primitive_create(&it->reorder, description) == dnnl_success;
    return dnnl_primitive_desc_destroy(description) == dnnl_success && made;
}

static void forget(preparation *it)
{
    dnnl_primitive_destroy(it->reorder);
    dnnl_memory_destroy(it->arguments[0].memory);
    dnnl_memory_destroy(it->arguments[1].memory);
}

static bool reorder(void *to, dnnl_data_type_t writes, const void *from, dnnl_data_type_t reads,
                    size_t n)
{
    static preparation last;
    if (last.n != n || last.to != to || last.from != from || last.reads != reads ||
        last.writes != writes) {
        if (last.n != 0)
            forget(&last);
        last = (preparation){ .to = to, .from = from, .n = n, .reads = reads, .writes = writes };
        if (!prepare(&last))
            return false;
    }
    return dnnl_primitive_execute(last.reorder, stream, 2, last.arguments) == dnnl_success &&
           dnnl_stream_wait(stream) == dnnl_success;
}

#define REORDER(name, writes, reads)                                                               \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        (void)it;                                                                                  \
        return reorder(to, writes, from, reads, n);                                                \
    }
REORDER(encode_f16, dnnl_f16, dnnl_f32)
REORDER(encode_bf16, dnnl_bf16, dnnl_f32)
REORDER(decode_f16, dnnl_f32, dnnl_f16)
REORDER(decode_bf16, dnnl_f32, dnnl_bf16)

const peer onednn_peers[] = {
    { "onednn", "encode_f32", "fp16", encode_f16 },
    { "onednn", "encode_f32", "bf16", encode_bf16 },
    { "onednn", "decode_f32", "fp16", decode_f16 },
    { "onednn", "decode_f32", "bf16", decode_bf16 },
    { NULL, NULL, NULL, NULL },
};
