# fish completion of perf-compare {{VERSION}}: written by `perf-compare --completion fish`.

set -g __perf_compare_names {{COMMANDS}}
set -g __perf_compare_valued {{VALUED}}

# Sets the command, the number of its arguments before the cursor, and the repository. An empty
# command means compare.
function __perf_compare_look
    set -g __perf_compare_command ''
    set -g __perf_compare_count 0
    set -g __perf_compare_repository .
    set -l words (commandline -opc)
    set -e words[1]
    set -l option ''
    for word in $words
        if test -n "$option"
            contains -- $option -C --repo
            and set -g __perf_compare_repository (string replace -r '^~/' "$HOME/" -- $word)
            set option ''
        else if contains -- $word $__perf_compare_valued
            set option $word
        else if string match -q -- '-?*' $word
            continue
        else if test -z "$__perf_compare_command" -a $__perf_compare_count = 0
            and contains -- $word $__perf_compare_names
            set -g __perf_compare_command $word
        else
            set -g __perf_compare_count (math $__perf_compare_count + 1)
        end
    end
end

function __perf_compare_needs_command
    __perf_compare_look
    test -z "$__perf_compare_command" -a $__perf_compare_count = 0
end

# COMMAND: whether the command, by default compare, is this one.
function __perf_compare_in
    __perf_compare_look
    test "$__perf_compare_command" = $argv[1]
    or test -z "$__perf_compare_command" -a $argv[1] = compare
end

# COMMAND COUNT: whether COUNT arguments, or more, come before the cursor.
function __perf_compare_at
    __perf_compare_in $argv[1]
    and test $__perf_compare_count = $argv[2]
end

function __perf_compare_from
    __perf_compare_in $argv[1]
    and test $__perf_compare_count -ge $argv[2]
end

function __perf_compare_revisions
    __perf_compare_look
    set -l typed (commandline -ct)
    set -l before (string match -r '^.*\.\.' -- $typed)
    for name in HEAD . baseline (git -C $__perf_compare_repository for-each-ref \
            --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)
        string match -q -- '-*' $name
        or printf '%s\n' "$before$name"
    end
end

complete -c perf-compare -f
{{COMPLETIONS}}