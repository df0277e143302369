#compdef perf-compare
# zsh completion of perf-compare {{VERSION}}: written by `perf-compare --completion zsh`.

typeset -ga _perf_compare_names=({{COMMANDS}})
typeset -ga _perf_compare_valued=({{VALUED}})

_perf-compare_commands() {
  local -a commands=(
{{DESCRIBED}}  )
  _describe -t commands command commands
}

_perf-compare_revisions() {
  local -a refs
  local expl
  refs=(HEAD . baseline ${(f)"$(git -C "$repository" for-each-ref --format='%(refname:short)' \
    refs/heads refs/tags refs/remotes 2>/dev/null)"})
  refs=(${refs:#-*})
  compset -P '*..'  # a range: its second end
  _wanted revisions expl revision compadd -a refs
}

_perf-compare_first() {
  _alternative 'commands:command:_perf-compare_commands' 'revisions:revision:_perf-compare_revisions'
}

# The command may come after options, or be missing (compare). It is removed from the words, so that
# _arguments counts the command's own arguments.
_perf-compare() {
  local command= repository=.
  integer index=2
  while (( index < CURRENT )); do
    if (( ${_perf_compare_valued[(Ie)$words[index]]} )); then
      if [[ $words[index] == (-C|--repo) && index+1 -lt CURRENT ]]; then
        repository=${${(Q)words[index+1]}/#\~\//$HOME/}
      fi
      (( index += 2 ))
    elif [[ $words[index] == --repo=* ]]; then
      repository=${${(Q)words[index]#--repo=}/#\~\//$HOME/}
      (( index++ ))
    elif [[ $words[index] == -?* ]]; then
      (( index++ ))
    else
      break
    fi
  done
  if (( index < CURRENT && ${_perf_compare_names[(Ie)$words[index]]} )); then
    command=$words[index]
    words[index]=()
    (( CURRENT-- ))
  fi
  case $command in
{{BRANCHES}}  esac
}

if [[ $funcstack[1] == _perf-compare ]]; then
  _perf-compare "$@"
else
  compdef _perf-compare perf-compare
fi
