#!/bin/sh
# Prints the lines of a redis.conf that make a user for each kind of process: docs/running/redis-users.md.
#   make-users.sh [folder]              lines for redis.conf
#   make-users.sh [folder] commands     the same as commands for redis-cli, for a Redis that runs
# The folder (default: /run/secrets) has redis-url-rest, -api, -worker and -admin: one line each, redis://tidegate_<user>:<password>@…
set -eu
folder="${1:-/run/secrets}"
begins=user
[ "${2:-}" != commands ] || begins='ACL SETUSER'
for user in rest api worker admin; do
  # It has letters, digits, - and _ only, so it needs no quoting.
  password="$(sed -n "s|^rediss\{0,1\}://tidegate_$user:\([A-Za-z0-9_-]\{16,\}\)@.*|\1|p" "$folder/redis-url-$user")"
  [ -n "$password" ] || { echo "$folder/redis-url-$user must be redis://tidegate_$user:<password>@…, the password at least 16 letters and digits" >&2; exit 1; }
  rules="$(sed -n "s|^user \(tidegate_$user .*\)@[A-Z]*_PASSWORD@\$|\1|p" "$(dirname "$0")/users.conf")"
  # The shell prints the password itself, so no process list shows it.
  printf '%s %s%s\n' "$begins" "$rules" "$password"
done
