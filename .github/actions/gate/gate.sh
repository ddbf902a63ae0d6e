#!/usr/bin/env bash
# Run assay gate with the inputs of action.yml, which are environment variables. Write the outputs decision and code,
# and the report to the summary of the job. The exit code is that of assay gate.
set -uo pipefail

arguments=()
while IFS= read -r gold; do
  gold="${gold%$'\r'}"
  [[ -n "${gold//[[:space:]]/}" ]] && arguments+=("--gold=$gold")
done <<< "${GATE_GOLD:-}"

# Each value is one argument with its option, so that a value that starts with a dash is not an option.
option() {
  [[ -n "$2" ]] && arguments+=("$1=$2")
  return 0
}
option --baseline "${GATE_BASELINE:-}"
option --candidate "${GATE_CANDIDATE:-}"
option --measure "${GATE_MEASURE:-}"
option --margin "${GATE_MARGIN:-}"
option --alpha "${GATE_ALPHA:-}"
option --max-unjudged "${GATE_MAX_UNJUDGED:-}"
option --bounds "${GATE_BOUNDS:-}"
option --scale "${GATE_SCALE:-}"
option --junit "${GATE_JUNIT:-}"

report="$(mktemp)"
trap 'rm -f "$report"' EXIT

# The report has names from files. A line such as ::error:: would be a command to the runner, unless commands are stopped.
token="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
echo "::stop-commands::$token"
assay gate ${arguments[@]+"${arguments[@]}"} "--markdown=$report"
code=$?
echo
echo "::$token::"

case "$code" in
  0) decision=win_or_tie ;;
  1) decision=loss ;;
  2) decision=inconclusive ;;
  3) decision=too_many_unjudged ;;
  4) decision=depends_on_the_judge ;;
  *) decision=error ;;
esac
printf 'decision=%s\ncode=%s\n' "$decision" "$code" >> "${GITHUB_OUTPUT:-/dev/null}"
cat "$report" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$code"
