# What a night changes in the issues of alerts. ci/issues runs it; docs/nightly.md explains it.
# Inputs: $trend: the report of trend (slurped: [report]); $bisections: [{id, report}]; $issues: what
# is there, [{ref, open, body}]; $only_doubles: close all issues of an alert but the first, and no more.
# A record is all that is known of an issue, and stands in its text.
# Output: {write: [{ref, open, record, title, body}], wanted: [alerts to bisect]}.

def most_a_night: 5; # issues opened, and bisections
def nearby: 5;       # measured commits between the steps of one change: kWobble of analyzer/trend/alert_states.h
def most_listed: 100;

# The first of an issue's alerts counts most.
def words: ["reopened", "confirmed", "acknowledged", "fixed", "new", "ignored", "refuted", "recovered",
  "withdrawn", "gone", "duplicate"];
def stands: . as $word | words[:5] | index($word) != null;

# An id becomes the name of a file.
def alerts: $trend[0].alerts[] | select(.id | type == "string" and test("\\A[0-9a-f]{8,64}\\z"));
def night: ($trend[0].generated_at // "")[:10];
def commits: $trend[0].commits | to_entries | map({key: .value.oid, value: (.value + {index: .key})}) | from_entries;
def machines: $trend[0].environments | map({key: .fingerprint, value: (.machine.cpu_model // .fingerprint[:12])}) | from_entries;

def word:
  if .state | IN("ignored", "refuted", "recovered", "withdrawn", "reopened") then .state
  elif .decision != null then .decision.news
  elif .confirmed_by != null then "confirmed"
  else "new" end;

def measured_on: {environment, host};
def subject: {workload, params: (.params // {}), metric, kind};
# What an issue shows of its alert.
def facts: {previous_oid, oid, commits, change, interval, confirm, decision, baseline, same_program}
  + subject + {first_seen: ((.first_seen // night)[:10])};

# Whether two steps may be one change, if two machines show them.
def is_near($places; $one; $other):
  def at($oid): $places[$oid // ""].index;
  [at($one.previous_oid), at($one.oid), at($other.previous_oid), at($other.oid)] as $at |
  ($one | subject) == ($other | subject) and ($at | all(. != null))
  and $at[0] < $at[3] + nearby and $at[2] < $at[1] + nearby;

# Whether tonight's report would show an alert that is still there.
def is_shown($places; $record; $environment):
  $places[$record.oid] != null and any($trend[0].series[];
    .workload == $record.workload and (.params // {}) == $record.params and .metric == $record.metric
    and .environment == $environment);

def commit_of($places): {oid, subject: ($places[.oid].subject // .subject // ""), author: ($places[.oid].author // .author // "")};

# The commit to blame: found by bisection, or the only one.
def culprit($places; $alerts; $lead):
  ([$bisections[] | select(.id as $id | $alerts | has($id)) | .report]
    | (map(select(.answer == "found")) + .)[0]) as $bisection |
  if $bisection != null then
    {answer: $bisection.answer, skipped: ($bisection.candidates // [] | length)}
      + ($bisection.first_bad // {} | if .oid then commit_of($places) else {} end)
  elif $lead != null and $lead.kind == "step" and $lead.commits == 1 and ($lead | word) == "confirmed"
  then {answer: "found", skipped: 0} + ($lead | {oid} | commit_of($places))
  else null end;

# An issue by tonight's alerts of its record; unchanged if there is no news.
def renewed($tonight; $places; $machines):
  .record as $old | .open as $was_open |
  ($old.alerts | with_entries(.key as $id |
    if $tonight[$id] != null then
      .value = ($tonight[$id] | {status: word, machine: ($machines[.environment // ""] // "any")} + measured_on)
    elif (.value.status | stands) and is_shown($places; $old; .value.environment)
    then .value.status = "gone" else . end)) as $alerts |
  ($alerts | to_entries | min_by(.value.status as $word | words | index($word))) as $first |
  ($tonight[$first.key] // null) as $lead |
  (if $old.culprit.answer == "found" then $old.culprit
    else culprit($places; $alerts; $lead) // $old.culprit // null end) as $culprit |
  (if $lead == null then $old.decision else $lead.decision end) as $decision |
  if $old.status != null and $alerts == $old.alerts and $culprit == $old.culprit and $decision == $old.decision
  then . + {changed: false}
  else $first.value.status as $status |
    # An alert that is over has fewer facts.
    .record += (if $lead != null and ($status | stands) then $lead | facts else {} end) + {$alerts, $status, $culprit, $decision,
      life: ($old.life
        + (if $status != $old.status then [{at: night, news: $status}] else [] end)
        + (if $culprit.answer == "found" and $old.culprit.answer != "found" then [{at: night, news: "bisected"}] else [] end))}
    # What a person closed stays closed, until the alert contradicts a decision.
    | .open = (($status | stands) and ($was_open or ($old.status // "gone" | stands | not) or
        ($status == "reopened" and $old.status != "reopened")))
    | . + {changed: true}
  end;

# The record of an issue. One without it is left alone.
def recorded:
  group_by(.ref) | map(.[0]) | map((.body // "" | capture("\\A<!-- perf-compare (?<text>\\{[^\n]*\\}) -->").text) as $text
    | {ref, open, record: (try ($text | fromjson) catch empty)}
    | select(.record | (.key | type) == "string" and (.alerts | type) == "object" and (.key == "list" or
        (.alerts != {} and (.life | type) == "array" and all(.alerts[]; type == "object" and (.status | type) == "string"))))
    | if .open == null then .open = .record.open else . end);

def with_alert($alert): .record.alerts[$alert.id] = ({status: "new"} + ($alert | measured_on));

# Opens issues for alerts without one, the clearest first; {issues, rest}.
def opened($candidates; $places):
  map(select(.record.life[0].at == night)) as $of_tonight | # also those of another machine
  reduce $candidates[] as $alert ({issues: ., rest: [], new: ($of_tonight | length)};
    ([.issues | to_entries[] | select((.value.record.status // "new" | stands) and is_near($places; .value.record; $alert)
        and all(.value.record.alerts[]; measured_on != ($alert | measured_on))) | .key][0]) as $same |
    if $same != null then .issues[$same] |= with_alert($alert)
    elif .new < most_a_night then .new += 1 | .issues += [{ref: null, open: true,
        record: (($alert | facts) + {key: $alert.id, status: null, life: [], culprit: null, alerts: {}})} | with_alert($alert)]
    else .rest += [$alert] end);

def sorted_out: # of two issues with one alert, made at the same moment, the older stays
  reduce (map(select(.record.key != "list")) | sort_by(.ref)[]) as $issue ({kept: [], double: []};
    if any(.kept[].record.alerts | keys[]; . as $id | $issue.record.alerts | has($id))
    then .double += [$issue] else .kept += [$issue] end);

# Text.

def short: (. // "")[:12];
def plain: tostring | gsub("[\u0000-\u001f\u007f]"; " ") | .[:200];
def percent:
  if . == null then "from zero"
  else (. * 100) as $value | (if $value >= 100 or $value <= -100 then $value | round else $value * 10 | round / 10 end) as $shown |
    (if $shown >= 0 then "+" else "" end) + ($shown | tostring) end;
def name: .workload + (if (.params // {}) == {} then "" else " (" + (.params | to_entries | map("\(.key)=\(.value)") | join(", ")) + ")" end) | plain;
def change: percent + (if . == null then "" else " %" end);
def commit: (.oid | short) + (if .subject == "" then "" else " " + (.subject | plain) end) + (if .author == "" then "" else " (" + (.author | plain) + ")" end);
def place:
  if .culprit.answer == "found" then .culprit | commit
  elif .kind != "step" then "between \(.previous_oid | short) and \(.oid | short)"
  else "one of \(.commits) commit(s) after \(.previous_oid | short), up to \(.oid | short)" end;
def title: "\(name): \(.metric | plain) \(.change | change)" + (if .culprit.answer == "found" then " at " + (.culprit | "\(.oid | short) \(.subject | plain)") else "" end) | .[:200];

def body:
  ["`\(name)` is worse: \(.metric | plain) \(.change | change)"
    + (if .interval == null then "" else " [\(.interval[0] | percent), \(.interval[1] | percent)]" end)
    + ". State: **\(.status)**.",
  "",
  "- commit: " + place,
  (.culprit | select(. != null and .answer == "found" and .skipped > 0) | "- as likely: \(.skipped) commit(s) before it that could not be measured"),
  (.culprit | select(. != null and .answer != "found") | "- bisection: " + (.answer | gsub("_"; " "))),
  (select(.same_program == true) | "- no commit there changes its traced program"),
  (.alerts | to_entries[] | "- alert `\(.key)`: \(.value.status), on \(.value.machine | plain)"),
  "- first shown: " + .first_seen,
  (.decision | select(. != null) | "- \(.news) by \(.author // "somebody" | plain) on \(.at[:10]): \(.reason | plain)"),
  # Without the folders of this machine.
  (.confirm | select(. != null) | "- to verify: `\(sub(" (-C|--db) .*$"; "") | plain)`"),
  (.life | "- nights: " + (map("\(.at) \(.news)") | join(", "))),
  "",
  (select(.status | stands) | "To decide: `perf-compare alert ack|ignore|fixed \(.alerts | keys_unsorted[0] | short) --reason TEXT`")]
  | join("\n");

def list_body:
  ["Alerts without an issue of their own. At most \(most_a_night) issues are opened a night, for the clearest first.", ""]
  + (.[:most_listed] | map("- `\(name)`: \(.metric | plain) \(.change | change), up to \(.oid | short), \(word), alert `\(.id | short)`"))
  + (if length > most_listed then ["", "and \(length - most_listed) more"] else [] end) | join("\n");

# The one issue with all others: written if they are not those of the night before.
def list($rest; $listed):
  ($rest | map(.id) | sort) as $ids |
  ($ids[:most_listed] + [$ids | length]) as $ids_shown |
  select($ids_shown != ($listed.record.ids // [0])) |
  {ref: ($listed.ref // null), open: ($ids != []), record: {key: "list", alerts: {}, ids: $ids_shown},
   title: "\($ids | length) more alerts", body: ($rest | list_body)};

commits as $places | machines as $machines |
([alerts | {key: .id, value: .}] | from_entries) as $tonight |
([$trend[0].series[].change_points[] | select(.machine_event != null) | .id]) as $in_events |
($issues | recorded) as $issues |
($issues | sorted_out) as {$kept, $double} |
([$kept[].record.alerts | keys[]] + $in_events) as $settled |
([alerts | select(.decision == null and (word | stands))
  | select(.id as $id | $settled | index($id) == null)] | sort_by(word != "confirmed")) as $candidates |
($kept | opened($candidates; $places)) as {issues: $now, $rest} |
($now | map(renewed($tonight; $places; $machines))) as $renewed |
($double | map(select(.record.status != "duplicate") | .open = false | .record.status = "duplicate" | .changed = true)) as $closed |
{write: ([(if $only_doubles then [] else $renewed end + $closed)[] | select(.changed) | {ref, open, record, title: (.record | title), body: (.record | body)}]
   + if $only_doubles then [] else [list($rest; [$issues[] | select(.record.key == "list")][0])] end),
 wanted: ([$renewed[].record | select(.status == "confirmed" and .kind == "step" and .commits > 1
   and (.workload + .metric | test("[\u0000-\u001f]") | not) # they become a line
   and (.same_program | not) and (.culprit == null or .culprit.answer == "unfinished"))][:most_a_night])}
