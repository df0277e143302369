# zsh -f complete_in_zsh.zsh FUNCTIONS LINE: prints what Tab makes of LINE in an interactive zsh that
# finds the completion function _perf-compare in the folder FUNCTIONS.
zmodload zsh/zpty || exit 2
zpty shell "HISTFILE= TERM=dumb PS1= zsh -f -i"
zpty -w shell "fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -D -u; \
dump() { print -r -- \"<<\$BUFFER>>\"; exit }; zle -N dump; bindkey '^X' dump; \
bindkey '^I' complete-word; PS1=REA''DY"
zpty -r -m shell output '*READY*'
zpty -w -n shell "$2"$'\t\x18'
local all=
while zpty -r shell output; do all+=$output; done
print -r -- ${${all##*<<}%%>>*}
