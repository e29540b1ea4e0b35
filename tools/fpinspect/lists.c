/* lists.c - help, the formats, the policies
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "options.h"
#include "out.h"

void print_help(void)
{
    fputs("Usage: fpinspect [OPTION]... VALUE...   VALUE: 1e-8 1/3 0x1p-3 bf16:0x322c pi*2\n"
          "Show what a number becomes in a floating-point format, exactly.\n"
          "Expressions: + - * / ^ ( ) sqrt(x) fma(a,b,c) rem(a,b) min(a,b) max(a,b).\n"
          "  fpinspect 1e-8 --as bf16             one value, one format\n"
          "  fpinspect 1e-8                       the usual formats side by side\n"
          "  fpinspect 1e-8 --as fp16 --explain   the rounding step by step\n"
          "  fpinspect bf16:0x322c                decode raw bits\n"
          "  fpinspect 'fma(0.1, 3, -2^-9)' --as bf16,fp64 --stepwise\n"
          "  fpinspect 464.5 --as e4m3 --policy torch,onnx-saturate\n"
          "  seq 1 9 | fpinspect --as fp16 --tsv\n"
          "Formats and rounding:\n"
          "  -a, --as=FORMATS   fp16, bf16, e4m3, e5m3b7, binary8p4se, ieee, mx, all\n"
          "  -f, --from=FORMAT  values are raw bits   --via=FORMAT[:MODE],...  --analyze\n"
          "  -r, --round=MODE   rne rna rnz rtz raz rup rdn rto sr sr-a:N sr-b:N sr-c:N\n"
          "      --overflow=WHAT  spec inf nan max max-finite symmetric      --policy=NAME\n"
          "      --saturate  --ftz  --daz  --tininess=after|before  --seed=N\n"
          "Views:  -e, --explain  --stepwise  -n, --neighbors=N  -x, --exact  -c, --compare\n"
          "  -T, --table=FORMAT -i, --info=FORMAT --diff=A,B --plot=density|error|staircase\n"
          "Sums:   --dot=A.txt,B.txt --from=FORMAT --accumulate=exact,fma,nv-hopper\n"
          "  --init=NUMBER  --explain  --list-accumulators\n"
          "Output: -p, --print=FIELDS  -q, --quiet  --tsv --csv --plain --json --jsonl\n"
          "  --fail-on=WORDS (exit 1)  --color=WHEN  --ascii  --width=N\n"
          "  -l, --list-formats  --list-policies  -h, --help  -V, --version\n"
          "Manual: fpinspect(1), fpfmt_formats(7). VALUE may be negative; '-' reads stdin.\n",
          stdout);
}

void list_formats(void)
{
    table_begin(0);
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const fpfmt_format *row = fpfmt_at(i);
        table_cell(STYLE_NAME, row->name);
        table_cell(STYLE_PLAIN, row->title);
        table_cell(STYLE_DIM, row->aliases != NULL ? row->aliases : "");
        table_row();
    }
    table_flush();
}

void list_policies(void)
{
    table_begin(0);
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++) {
        table_cell(STYLE_NAME, fpfmt_policy_at(i)->name);
        table_cell(STYLE_PLAIN, fpfmt_policy_at(i)->summary);
        table_row();
    }
    table_flush();
}
