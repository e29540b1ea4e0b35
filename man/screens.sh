# Prints a manual page with every screen as the fpinspect on PATH draws it now. A screen is the
# literal display right after a line ".Dl $ command", which runs in a folder of its own. To bring a
# page up to date:
#     PATH=$PWD/build:$PATH sh man/screens.sh man/fpinspect.1 >page && mv page man/fpinspect.1
#
# SPDX-License-Identifier: MIT

LC_ALL=C
TERM=dumb
export LC_ALL TERM
unset COLUMNS CLICOLOR_FORCE FORCE_COLOR

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

awk -v folder="$folder" '
    function written(text) {
        gsub(/\\\(aq/, "\047", text)
        gsub(/\\\(ha/, "^", text)
        gsub(/\\\(ti/, "~", text)
        gsub(/\\-/, "-", text)
        gsub(/\\e/, "\\", text)
        return text
    }
    function escaped(text) {
        gsub(/\\/, "\\e", text)
        gsub(/\047/, "\\(aq", text)
        gsub(/\^/, "\\(ha", text)
        gsub(/~/, "\\(ti", text)
        gsub(/-/, "\\-", text)
        return text ~ /^[.]/ ? "\\\&" text : text
    }
    /^[.]Ed/ { inside = 0 }
    !inside { print }
    /^[.]Bd -literal/ && command != "" {
        command = "cd \"" folder "\" && { " command "; }"
        while ((command | getline line) > 0)
            print escaped(line)
        close(command)
        inside = 1
    }
    { command = /^[.]Dl [$] / ? written(substr($0, 7)) : "" }' "$1"
