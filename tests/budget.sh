# fpbudget: every block of data/budget*.txt says what one command prints and how it ends; its
# manual, its completions, and its counts against other integers.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"
. "$srcdir/tests/commands.sh"

find_tool
tool=${tool%fpinspect}fpbudget
[ -x "$tool" ] || { echo "Bail out! there is no $tool"; exit 1; }
make_scratch
blocks=$scratch/blocks
cat "$srcdir"/tests/data/budget*.txt >"$blocks"
require "$blocks" "blocks of commands"
use_tool fpbudget "$tool"

plan $(($(tests_of "$blocks") + 10))
run_blocks "$blocks" 210

# What is counted, in the integers of another language and from formats typed here: models of many
# sizes under every recipe and optimizer, and their activations.
cat >"$scratch/count.py" <<'END'
import itertools, json, subprocess, sys

# name: bits of an element, bits of a scale, elements that share it, bits for a tensor
kept = {"fp32": (32, 0, 1, 0), "bf16": (16, 0, 1, 0), "e4m3": (8, 0, 1, 0), "int8": (8, 0, 1, 0),
        "mxfp8": (8, 8, 32, 0), "mxfp4": (4, 8, 32, 0), "nvfp4": (4, 8, 16, 32),
        "eight": (8, 32, 2048, 0)}
# weights, copies, gradients, master copy, state, activations, inputs, what is divided
recipes = {"fp32-adamw": ("fp32", 0, "fp32", None, "fp32", "fp32", "fp32", ""),
           "mixed-adamw": ("bf16", 0, "bf16", "fp32", "fp32", "bf16", "bf16", ""),
           "bf16-sr": ("bf16", 0, "bf16", None, "bf16", "bf16", "bf16", ""),
           "fp8-te": ("bf16", 2, "bf16", "fp32", "fp32", "bf16", "e4m3", ""),
           "zero-1": ("bf16", 0, "bf16", "fp32", "fp32", "bf16", "bf16", "s"),
           "zero-2": ("bf16", 0, "bf16", "fp32", "fp32", "bf16", "bf16", "sg"),
           "zero-3": ("bf16", 0, "bf16", "fp32", "fp32", "bf16", "bf16", "sgp")}
states = {"sgd": 0, "momentum": 1, "adagrad": 1, "rmsprop": 1, "adam": 2, "adamw": 2,
          "adamw-8bit": 2}


def upward(a, b):
    return -(-a // b)


def size(form, n):
    width, scale, block, tensor = kept[form]
    blocks = upward(n, block) if scale else 0
    return upward(n * width + blocks * scale + tensor, 8)


def parts(recipe, optimizer, weights, n, devices):
    main, copies, gradients, master, state, _, _, divided = recipes[recipe]
    share = upward(n, devices)
    of = lambda letter: share if letter in divided else n
    total = size(weights or main, of("p")) + copies * size("e4m3", of("p"))
    total += size(gradients, of("g")) + (size(master, of("s")) if master else 0)
    kept_in = "eight" if optimizer == "adamw-8bit" else state
    return total + states[optimizer] * size(kept_in, of("s"))


def activations(recipe, layers, hidden, heads, sequence, batch, recompute):
    plain, inputs = recipes[recipe][5:7]
    sbh, assb = sequence * batch * hidden, heads * sequence * sequence * batch
    if recompute == "full":
        return layers * size(plain, sbh)
    layer = sum(size(plain, k * sbh) for k in (1, 2, 1, 1, 4))
    layer += sum(size(inputs, k * sbh) for k in (1, 1, 1, 4)) + 2 * sbh
    if recompute == "none":
        layer += 2 * size(plain, assb) + assb
    return layers * layer


def told(*arguments):
    run = subprocess.run(["fpbudget", "memory", "--json", *map(str, arguments)],
                         capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else {"bytes": run.stderr}


checked = 0
for (recipe, optimizer), weights in zip(itertools.product(recipes, states),
                                        itertools.cycle([None, "mxfp8", "nvfp4", "mxfp4"])):
    for n, devices in ((1, 1), (31, 2), (6738415617, 7), (999999999999999999, 1000)):
        given = ["--params", n, "--recipe", recipe, "--optimizer", optimizer, "--devices", devices]
        if weights:
            given += ["--weights", weights]
        expected = parts(recipe, optimizer, weights, n, devices)
        shape = (3, 24 * devices, 8, 5 * devices, devices)
        recompute = ("none", "selective", "full")[checked % 3]
        names = ("--layers", "--hidden", "--heads", "--sequence", "--batch")
        given += [x for pair in zip(names, shape) for x in pair] + ["--recompute", recompute]
        expected += activations(recipe, *shape, recompute)
        got = told(*given)["bytes"]
        checked += 1
        # 10^16 and above are written with an exponent: digits and zeros make the integer again
        digits, _, power = got.partition("e")
        whole, _, fraction = digits.partition(".")
        if power:
            fraction = fraction.ljust(int(power), "0")
        if not (whole + fraction).isdigit() or int(whole + fraction) != expected:
            print(*given, "gives", got, "and not", expected)

# The largest model fits, and one more parameter does not.
for recipe, devices, memory in itertools.product(recipes, (1, 3), (1000, 10**9 + 7, 80 * 10**9)):
    given = ["--recipe", recipe, "--devices", devices, "--memory", memory, "--weights", "mxfp8"]
    largest = int(told(*given)["parameters"])
    fits = [parts(recipe, "adamw", "mxfp8", n, devices) <= memory for n in (largest, largest + 1)]
    checked += 1
    if fits != [True, False]:
        print(*given, "gives", largest)
if checked < 200:
    print("only", checked, "were checked")
END
sentence="bytes are those that other integers give, and the largest model is the largest"
if command -v python3 >/dev/null; then
    verdict "$sentence" "$(python3 "$scratch/count.py" 2>&1 | head -n 20)"
else
    skip "$sentence" "there is no python3"
fi

# What the manual says.
"$tool" --complete -- | cut -f 1 | LC_ALL=C sort >"$scratch/options"
[ "$(wc -l <"$scratch/options")" -ge 30 ] || echo "Bail out! options were not found"
# listed LIST: the names of a list, sorted
listed() {
    "$tool" "--list-$1" --tsv | sed 1d | cut -f 1 | LC_ALL=C sort
}
for list in recipes optimizers devices formats; do
    listed "$list"
done | LC_ALL=C sort -u >"$scratch/names"
require "$scratch/names" "names of lists"
verdict "fpbudget --help names every option" "$(
    "$tool" --help | words '--[a-z][a-z0-9-]*' >"$scratch/told"
    diff "$scratch/options" "$scratch/told")"
if command -v mandoc >/dev/null; then
    page fpbudget.1 | words '--[a-z][a-z0-9-]*' >"$scratch/told"
    verdict "man/fpbudget.1 names every option, and no other" \
        "$(diff "$scratch/options" "$scratch/told")"
    page fpbudget.1 | words '[a-z0-9]+([_-][a-z0-9]+)*' >"$scratch/told"
    verdict "man/fpbudget.1 names every recipe, optimizer, device and format" \
        "$(only_in_first "$scratch/names" "$scratch/told")"
    verdict "mandoc finds nothing wrong with man/fpbudget.1" \
        "$(mandoc -T lint -W warning "$srcdir/man/fpbudget.1")"
else
    for sentence in "man/fpbudget.1 names every option, and no other" \
        "man/fpbudget.1 names every recipe, optimizer, device and format" \
        "mandoc finds nothing wrong with man/fpbudget.1"; do
        skip "$sentence" "there is no mandoc"
    done
fi
sh "$srcdir/man/screens.sh" "$srcdir/man/fpbudget.1" >"$scratch/page"
verdict "man/fpbudget.1 shows the screens that fpbudget draws" "$(
    diff "$srcdir/man/fpbudget.1" "$scratch/page"
    [ "$(grep -A 1 '^[.]Bd -literal$' "$scratch/page" | grep -c '^memory\|^flops')" -ge 5 ] ||
        echo "there are too few screens")"

# What the completions offer, each shell asked in its own way: offered_by_SHELL WORD... prints what may
# stand in place of the last word, a line each. Of zsh the functions that show candidates are ours.
cat >"$scratch/complete.bash" <<'END'
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_fpbudget "$2"
printf '%s\n' "${COMPREPLY[@]}"
END
cat >"$scratch/complete.zsh" <<'END'
compadd() {
    while [[ $1 != -a ]]; do
        shift
    done
    print -l -- "${(P@)2}"
}
script=$1
shift
ask() {
    local -a words=("$@")
    local CURRENT=$#words service=$1
    source "$script"
}
ask "$@"
END
offered_by_bash() {
    bash "$scratch/complete.bash" completions/fpbudget.bash fpbudget "$@" | LC_ALL=C sort
}
offered_by_zsh() {
    zsh -f "$scratch/complete.zsh" "$PWD/completions/_fpbudget" fpbudget "$@" | LC_ALL=C sort
}
offered_by_fish() {
    HOME=$scratch fish -c "source completions/fpbudget.fish; complete -C'fpbudget $*'" |
        cut -f 1 | LC_ALL=C sort
}

# offers WHAT WORD...: complains unless a shell offers the lines of a text, and nothing else
offers() {
    printf '%s\n' "$1" >"$scratch/wanted"
    shift
    "offered_by_$shell" "$@" | diff "$scratch/wanted" - >"$scratch/differences" ||
        { echo "$*:" && cat "$scratch/differences"; }
}
formats=$({
    listed formats
    "$(dirname "$tool")/fpinspect" --complete --diff '' | cut -f 1
} | LC_ALL=C sort -u)

for shell in bash zsh fish; do
    sentence="$shell is offered every option, and what options take"
    if command -v "$shell" >/dev/null; then
        verdict "$sentence" "$(
            offers "$(cat "$scratch/options")" --
            offers memory me
            offers "$(printf 'flops\nmemory')" ''
            offers "$(printf '%s\n' --recipe --recompute)" memory --rec
            offers --recompute flops --rec
            for pair in recipe:recipes optimizer:optimizers device:devices; do
                offers "$(listed "${pair#*:}")" "--${pair%:*}" ''
            done
            offers "$formats" --weights ''
            offers "$(printf 'full\nnone\nselective\nselective-paper')" --recompute '')"
    else
        skip "$sentence" "there is no $shell"
    fi
done
sentence="bash goes on behind = and commas, of which it makes words"
if command -v bash >/dev/null; then
    shell=bash
    verdict "$sentence" "$(
        offers "$(printf 'selective\nselective-paper')" --recompute = s
        offers "$(printf 'full\nnone\nselective\nselective-paper')" --recompute =
        offers gradients= memory --store gra
        offers mxfp4 memory --store gradients = mxfp4
        offers none,gradients= memory --store master = none,gra
        offers nvfp4 memory --store = master = nvf
        offers '' --params '')"
else
    skip "$sentence" "there is no bash"
fi
