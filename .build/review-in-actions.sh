#!/bin/sh
# What the action runs: decides by the event what is reviewed, and calls flyball. Everything that it is told comes from
# the environment; nothing of it is ever part of a command's text.
set -eu

die() {
  printf '::error title=Flyball::%s\n' "$1"
  exit 2
}

house=$(cd "$(dirname "$0")/.." && pwd -P)
flyball=${FLYBALL_COMMAND:-$house/flyball}

yes() { [ "$1" = true ]; }

# A number stays a number, whoever wrote the event.
number() {
  case $1 in
    '' | *[!0-9]*) die "this event names no pull request" ;;
  esac
}

set -- --fail-on "${FLYBALL_INPUT_FAIL_ON:-critical}" --format annotations --format "sarif=${FLYBALL_INPUT_SARIF:-flyball.sarif}"
if [ -n "${FLYBALL_INPUT_BUDGET_USD:-}" ]; then set -- "$@" --budget-usd "$FLYBALL_INPUT_BUDGET_USD"; fi
if [ -n "${FLYBALL_INPUT_MODEL:-}" ]; then set -- "$@" --model "$FLYBALL_INPUT_MODEL"; fi

case ${GITHUB_EVENT_NAME:-} in
  pull_request)
    number "${FLYBALL_PULL:-}"
    if yes "${FLYBALL_INPUT_DRAFTS:-false}"; then set -- "$@" --drafts; fi
    if [ "${FLYBALL_PULL_FROM:-}" != "${GITHUB_REPOSITORY:?}" ]; then
      # Some settings hand secrets to the jobs of forks. Whatever this job was given, a stranger's change is looked at
      # without a model and without a key, and its findings are annotations.
      for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
        case $name in
          GITHUB_TOKEN) ;;
          *_API_KEY | *_API_KEYS | *_TOKEN | *_SECRET | *_PASSWORD | AWS_* | AZURE_*) unset "$name" ;;
        esac
      done
      printf '::notice title=Flyball::%s\n' "from a fork: checked without a model, and not posted"
    else
      if yes "${FLYBALL_INPUT_POST:-true}"; then set -- "$@" --post; fi
      if yes "${FLYBALL_INPUT_POST:-true}" && yes "${FLYBALL_INPUT_APPROVE:-false}"; then set -- "$@" --approve; fi
    fi
    set -- --github "$GITHUB_REPOSITORY#$FLYBALL_PULL" "$@"
    ;;
  push)
    before=${FLYBALL_PUSHED_FROM:-}
    case $before in
      # A new branch has nothing before it, and a push by force may name what is gone.
      *[!0]*) git cat-file -e "$before^{commit}" 2> /dev/null || before= ;;
      *) before= ;;
    esac
    if [ -n "$before" ]; then
      set -- --diff "$before..${GITHUB_SHA:?}" "$@"
    else
      set -- --diff "${GITHUB_SHA:?}" "$@"
    fi
    ;;
  pull_request_target | workflow_run)
    die "run this on pull_request: ${GITHUB_EVENT_NAME} hands secrets to a job about a stranger's change"
    ;;
  *)
    die "run this on pull_request or push, not on ${GITHUB_EVENT_NAME:-nothing}"
    ;;
esac

exec "$flyball" review "$@"
