# No screen is wider than it should be, or has other characters than its terminal shows: every command
# of the manuals, and every view of every format.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

make_scratch
find_tool
mkdir "$scratch/bin" "$scratch/work"
for name in fpinspect fpbudget fpcast fplab; do
    ln -s "$(dirname "$tool")/$name" "$scratch/bin/$name"
done
PATH=$scratch/bin:$PATH
LC_ALL=$(utf8_locale)
[ -n "$LC_ALL" ] || skip_all "there is no locale with UTF-8"
TERM=dumb
unset NO_COLOR CLICOLOR_FORCE FORCE_COLOR
export PATH LC_ALL TERM

# manual_commands PAGE: the commands that it shows, without those for programs and with a width
manual_commands() {
    sed -n 's/^[.]Dl [$] //p' "$srcdir/man/$1" |
        sed -e "s/\\\\(aq/'/g" -e 's/\\(ha/^/g' -e 's/\\(ti/~/g' -e 's/\\-/-/g' -e 's/\\e/\\/g' |
        grep -v -e '--width' -e '--json' -e '--tsv' -e '--csv' -e '--jsonl' -e '| *fpinspect --as'
}

# views_of_formats: a command for each view of each format
views_of_formats() {
    for format in $(fpinspect --list-formats --tsv | sed 1d | cut -f 1); do
        for value in 0.1 1e-8 -1.5 1e300 0x1p-1074 inf nan 1/3; do
            echo "fpinspect $value --as $format"
        done
        echo "fpinspect 0.1 --as $format --explain"
        echo "fpinspect 5e-324 --as $format --exact"
        echo "fpinspect -1/3 --as $format --explain --round sr --seed 3"
        echo "fpinspect '0.1 + 0.2' --as $format --stepwise"
        echo "fpinspect 0.1 --as $format --neighbors 2"
        echo "fpinspect 1.0626 --via fp32,bf16 --as $format"
        echo "fpinspect 0.1 1e300 --as $format --policy default,torch,cuda-satfinite,onnx-saturate"
        echo "fpinspect 0.1 1e300 --as $format --round rne,rtz,rup,rdn"
        echo "fpinspect 0.1 1e300 inf nan 5e-324 -7 --as $format"
        echo "fpinspect 0x3 0x1 --from $format"
        echo "fpinspect $format:0x3"
        echo "fpinspect --info $format"
        echo "fpinspect --diff $format,fp16"
        echo "fpinspect 1 --compare --as $format"
        echo "fpinspect --plot staircase --as $format --round rne,rtz,rna"
    done
}

# other_views: those of all formats together, of block formats, lists, pictures, and files
other_views() {
    for format in e4m3 e2m1 e8m0 binary8p3se e3m4 int8; do
        echo "fpinspect --table $format"
    done
    echo "fpinspect --diff fp64,fp32"
    for value in 0.1 1e-8 -1 0 inf nan 'snan(3)' 1e300 5e-324 'pi * 1e5' fp64:0x3ff123456789abcd; do
        echo "fpinspect '$value' --as all"
        echo "fpinspect '$value'"
        echo "fpinspect '$value' 2 --as all"
    done
    for block in $(fpinspect --list-blocks --tsv | sed 1d | cut -f 1); do
        echo "fpinspect 0.3 -1.2 0.007 2.5 --as $block"
        echo "fpinspect 1e300 pi 1/3 -0 --as $block --explain"
        echo "fpinspect --info $block"
    done
    echo "fpinspect 0.3 -1.2 0.007 2.5 --as nvfp4 --recipe te-nvfp4,torchao-nvfp4,four-over-six,amax"
    echo "fpinspect nan inf 1 --as mxfp8-e5m2,mxint8"
    echo "fpinspect --from nvfp4 --scale 0x38 --tensor-scale 0.3 0x5 0xc"
    for book in nf4 bnb-fp4 offset4; do
        echo "fpinspect --table $book"
    done
    for list in formats policies modes accumulators blocks recipes; do
        echo "fpinspect --list-$list"
    done
    for picture in density error staircase; do
        echo "fpinspect --plot $picture --as ieee"
        echo "fpinspect --plot $picture"
    done
    echo "fpinspect 1e-8 --compare --as all"
    echo "printf '1\\n-3\\n0.1\\n' >v; fpinspect --dot v,v --from e4m3"
    echo "fpinspect --dot v,v --from fp64 --explain --exact"
    echo "fpinspect --dot v,v --from e4m3 --explain --accumulate nv-hopper,fma,fma:bf16"
    echo "fpinspect --analyze --via fp64,fp32 --as fp16,bf16"
    grads="'$(cd "$srcdir/tests/data" && pwd)/grads.npy'"
    echo "fpinspect --scan $grads --as all"
    echo "fpinspect --scan $grads --as bf16,e4m3 --round rne,sr --worst 3"
    echo "fpinspect --scan $grads --as mxfp4,nvfp4,deepseek-128x128 --worst 3"
    echo "fpinspect --scan $grads --as mxfp4 --recipe ceil,even --worst 3"
    echo "fpinspect --scan $grads --as bf16,e4m3 --axis 1"
    echo "fpinspect --list $grads"
    echo "fpcast $grads o.npy --as e4m3 --report"
    echo "fpcast $grads o.safetensors --as nvfp4 --report"
}

for page in fpinspect.1 fpbudget.1 fpcast.1 fplab.1; do
    manual_commands "$page" >"$scratch/$page"
    require "$scratch/$page" "commands in man/$page"
done
other_views >"$scratch/others"
{ views_of_formats && cat "$scratch/others"; } >"$scratch/views"

# too_wide FILE COLUMNS: the lines of the screens of its commands that are wider, with the command
too_wide() {
    while IFS= read -r command; do
        (cd "$scratch/work" && COLUMNS=$2 && export COLUMNS && eval "$command") \
            </dev/null >"$scratch/screen" 2>"$scratch/err"
        [ -s "$scratch/screen" ] || [ -s "$scratch/err" ] || echo "nothing from $command"
        LC_ALL=C tr -d '\200-\277' <"$scratch/screen" |
            awk -v command="$command" -v most="$2" 'length > most {
                if (!told++)
                    print "$ " command
                print length ": " $0
            }
            / $/ && !blanks++ { print "$ " command; print "blanks at the end: " $0 "." }'
    done <"$1"
}

# not_ascii FILE: the lines of its commands' screens that a terminal of ASCII cannot show
tab=$(printf '\t')
not_ascii() {
    while IFS= read -r command; do
        (cd "$scratch/work" && LC_ALL=C && export LC_ALL && eval "$command") \
            </dev/null >"$scratch/screen" 2>"$scratch/err"
        LC_ALL=C grep -n "[^ -~$tab]" "$scratch/screen" "$scratch/err" >"$scratch/lines" &&
            { echo "$ $command" && head -n 3 "$scratch/lines"; }
    done <"$1"
}

plan 15
for columns in 80 60; do
    for page in fpinspect.1 fpbudget.1 fpcast.1 fplab.1; do
        verdict "no command of man/$page draws more than $columns columns" \
            "$(too_wide "$scratch/$page" "$columns")"
    done
    verdict "no view of any format draws more than $columns columns" \
        "$(too_wide "$scratch/views" "$columns")"
done
for page in fpinspect.1 fpbudget.1 fpcast.1 fplab.1; do
    verdict "no command of man/$page draws what ASCII lacks in a locale that has no more" \
        "$(not_ascii "$scratch/$page")"
done
verdict "nor does any view of all formats, block formats, lists, pictures and files" \
    "$(not_ascii "$scratch/others")"
