# Lines and branches of lib/ that the unit tests reach, and each branch that they do not.
# Run by ./dev coverage, which sets build to a folder built with --enable-coverage.
#
# SPDX-License-Identifier: MIT

cd "$build" || exit 2
command -v gcov >/dev/null || { echo "fpfmt: there is no gcov" >&2; exit 2; }

tests=$(find tests -name 'test_*' -type f ! -name '*.*' | sort | tr '\n' ' ')
rm -f lib/*.gcda
make -s check TESTS="$tests" >coverage.log 2>&1 || tail -n 20 coverage.log >&2
ls lib/*.gcda >/dev/null || exit 2

# gcov gives a line "count:number:source" and below it "branch N taken COUNT" for each branch.
for object in lib/*.gcda; do
    gcov --stdout --branch-probabilities --branch-counts "$object" 2>/dev/null
done | awk '
    function percent(part, whole) {
        return whole ? sprintf("%.1f %%", 100 * part / whole) : "-"
    }
    function row(name, lines, seen, branches, taken) {
        printf "%-20s %5d %9s %9d %9s\n", name, lines, percent(seen, lines), branches,
            percent(taken, branches)
    }
    /^ *-: *0:Source:/ {
        file = $0
        sub(/.*lib\//, "lib/", file)
        if (file !~ /^lib\/[a-z]*\.[ch]$/)
            file = ""
        else if (!(file in lines))
            order[++files] = file
        next
    }
    file == "" { next }
    /^ *[0-9#=*-]+:/ {
        split($0, part, ":")
        count = part[1]
        where = file ":" part[2] + 0
        source[where] = $0
        sub(/^[^:]*:[^:]*: */, "", source[where])
        if (count ~ /[0-9#=]/ && !(where in counted)) {
            counted[where]
            lines[file]++
        }
        if (count ~ /[0-9]/ && !(where in reached)) {
            reached[where]
            seen[file]++
        }
        next
    }
    /^branch / {
        key = where " " $2
        if (!(key in branch)) {
            branch[key] = 0
            branches[file]++
            at[++all] = key
        }
        if ($3 == "taken" && $4 > 0 && !branch[key]) {
            branch[key] = 1
            taken[file]++
        }
    }
    END {
        for (i = 1; i <= all; i++)
            if (!branch[at[i]]) {
                split(at[i], part, " ")
                if (++missed[part[1]] == 1)
                    listed[++n] = part[1]
            }
        for (i = 1; i <= n; i++)
            printf "%s: %d not taken: %s\n", listed[i], missed[listed[i]], source[listed[i]]
        printf "\n%-20s %5s %9s %9s %9s\n", "", "lines", "reached", "branches", "taken"
        for (i = 1; i <= files; i++) {
            file = order[i]
            row(file, lines[file], seen[file], branches[file], taken[file])
            sum_lines += lines[file]
            sum_seen += seen[file]
            sum_branches += branches[file]
            sum_taken += taken[file]
        }
        row("all", sum_lines, sum_seen, sum_branches, sum_taken)
    }'
