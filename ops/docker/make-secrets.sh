#!/bin/sh
# Makes what compose.yaml mounts as secrets, once; what is there stays. Keep tidegate-secret safe: it belongs to the database for ever.
set -eu
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
# No other user of this machine has access; the containers' user reads the files through their mounts.
chmod 700 "$folder"

# keep <name> <command …>: what the command prints, unless it is there.
keep() {
  file="$folder/$1"
  shift
  [ ! -e "$file" ] || return 0
  "$@" > "$file.new"
  chmod 444 "$file.new"
  mv "$file.new" "$file"
  echo "made $file"
}

keep tidegate-secret openssl rand -hex 32
# Of PostgreSQL's superuser, whom no process uses.
keep postgres-password openssl rand -hex 24
# One role for each process; ops/postgres/make-roles.sh makes them, and takes their passwords from here.
for role in owner rest api worker audit; do
  keep "database-url-$role" printf 'postgres://tidegate_%s:%s@postgres:5432/tidegate\n' "$role" "$(openssl rand -hex 24)"
done
keep redis-password openssl rand -hex 24
keep redis-url printf 'redis://:%s@redis:6379/0\n' "$(cat "$folder/redis-password")"
