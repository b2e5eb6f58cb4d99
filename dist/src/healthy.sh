#!/usr/bin/env bash
# Whether the container of this command is healthy: a server if it takes requests, and any other command as long as it runs.
# PORT and PROCESS are for trying it elsewhere.
set -u
command=$(tr '\0' ' ' < "/proc/${PROCESS:-1}/cmdline") || exit 1
case " $command" in
  *" serve "*) ;;
  *) exit 0 ;;
esac
port=${PORT:-8484}
if [[ $command =~ --port[=\ ]([0-9]+) ]]; then
  port=${BASH_REMATCH[1]}
fi
exec 3<> "/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n' >&3
read -r -t 2 _ status _ <&3 && [ "$status" = 200 ]
