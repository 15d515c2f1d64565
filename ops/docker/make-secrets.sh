#!/bin/sh
# Creates the secrets that compose.yaml mounts. Existing files stay as they are. Keep tidegate-secret safe: keys and credentials in the database can only be read with it.
set -eu
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
# No other user of this machine has access; the containers' user reads the files through their mounts.
chmod 700 "$folder"

# keep <name> <command …>: writes the output of the command to the file, unless the file exists.
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
# The password of PostgreSQL's superuser. No process uses it.
keep postgres-password openssl rand -hex 24
# One role for each process; ops/postgres/make-roles.sh makes them, and takes their passwords from here.
for role in owner rest api worker audit; do
  keep "database-url-$role" printf 'postgres://tidegate_%s:%s@postgres:5432/tidegate\n' "$role" "$(openssl rand -hex 24)"
done
keep redis-password openssl rand -hex 24
keep redis-url printf 'redis://:%s@redis:6379/0\n' "$(cat "$folder/redis-password")"
