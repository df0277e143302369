# shellcheck shell=bash
# Sourced by scripts that write to GitHub: text that others wrote becomes inert Markdown.

# Disables Markdown: links, images, mentions, references, formulas, diagrams, HTML beyond the folding
# of perf-compare's own reports. A zero-width space breaks the syntax and is invisible.
inert() {
  # Control bytes stand in for the syntax that stays, while the rest is broken.
  local z=$'\xe2\x80\x8b' tag=$'\x01' end=$'\x02' entity=$'\x03' number=$'\x04'
  tr -d '\000-\010\013-\037\177' | { iconv -c -f UTF-8 -t UTF-8 || true; } | sed -E \
    -e 's/\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c|\xc2[\x80-\x9f]//g' \
    -e "s/<(\/?(details|summary|pre|code)|pre lang=\"sh\")>/$tag\1$end/g" \
    -e "s/&#(3[3-9]|4[0-7]|5[89]|6[0-4]|9[1-6]|12[3-6]);/$number\1;/g; s/&(amp|lt|gt|quot);/$entity\1;/g" \
    -e "s/[<&@]/&$z/g" \
    -e "s/\](\(|\[|:)/]$z\1/g" \
    -e "s/:\/\//:$z\/\//g" \
    -e "s/([Ww]{3})\./\1$z./g" \
    -e "s/#([0-9])/#$z\1/g" \
    -e "s/([Gg][Hh])-([0-9])/\1-$z\2/g" \
    -e "s/$number(64|35|45);/&$z/g" \
    -e "s/(\`\`|~~)(\`|~)/\1$z\2/g" \
    -e "s/\\$/$z\$$z/g" \
    -e "s/$tag/</g; s/$end/>/g; s/$entity/\&/g; s/$number/\&#/g"
}

