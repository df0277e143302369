# bash completion of perf-compare {{VERSION}}: written by `perf-compare --completion bash`.

# Words from the repository are quoted by `printf %q` before COMPREPLY: readline inserts them
# unchanged, and Return runs the line.
_perf_compare_offer() {  # WORD...: offers those that match
  local word quoted
  for word in "$@"; do
    printf -v quoted %q "$word"
    if [[ $word == "$typed"* || $quoted == "$typed"* ]]; then
      COMPREPLY+=("$before$quoted")
    fi
  done
}

_perf_compare_revisions() {
  local ref
  case $typed in
    *..*) before=${typed%..*}.. typed=${typed##*..} ;;  # a range: its second end
  esac
  _perf_compare_offer HEAD . baseline
  while IFS= read -r ref; do
    [[ $ref == -* ]] || _perf_compare_offer "$ref"
  done < <(git -C "$repository" for-each-ref --format='%(refname:short)' \
      refs/heads refs/tags refs/remotes 2>/dev/null)
}

_perf_compare_paths() {  # -f (files) or -d (folders)
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$typed")
}

_perf_compare_by_kind() {  # KIND [CHOICE...]
  case $1 in
    choice) _perf_compare_offer "${@:2}" ;;
    file) _perf_compare_paths -f ;;
    folder) _perf_compare_paths -d ;;
    revision) _perf_compare_revisions ;;
  esac
}

_perf_compare_commands() {
  _perf_compare_offer {{COMMANDS}}
}

_perf_compare_is_command() {
  case $1 in
    {{COMMAND_PATTERN}}) return 0 ;;
  esac
  return 1
}

_perf_compare_takes_value() {
  case $1 in
    {{VALUED_PATTERN}}) return 0 ;;
  esac
  return 1
}

_perf_compare_options() {  # COMMAND
  case $1 in
{{OPTIONS}}  esac
}

_perf_compare_value() {  # COMMAND OPTION
  case "$1 $2" in
{{VALUES}}  esac
}

_perf_compare_argument() {  # COMMAND COUNT of arguments before
  case "$1 $2" in
{{ARGUMENTS}}  esac
}

_perf_compare() {
  COMPREPLY=()
  local typed=${COMP_WORDS[COMP_CWORD]} before= previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= count=0 repository=. index word option
  if [[ $typed == = ]]; then
    typed=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]} option=
    _perf_compare_takes_value "$word" && option=$word
    if [[ -n $option ]]; then
      ((index++))
      [[ ${COMP_WORDS[index]} == = ]] && ((index++))
      if [[ ($option == -C || $option == --repo) && index -lt COMP_CWORD ]]; then
        repository=${COMP_WORDS[index]/#\~\//$HOME/}
      fi
    elif [[ $word == -?* ]]; then
      :
    elif [[ -z $command && count -eq 0 ]] && _perf_compare_is_command "$word"; then
      command=$word
    else
      ((count++))
    fi
  done
  if _perf_compare_takes_value "$previous"; then
    _perf_compare_value "${command:-compare}" "$previous"
  elif [[ $typed == -* ]]; then
    _perf_compare_options "$command"
  else
    if [[ -z $command && count -eq 0 ]]; then
      _perf_compare_commands
    fi
    _perf_compare_argument "${command:-compare}" "$count"
  fi
}

complete -F _perf_compare perf-compare
