#!/bin/sh
# Creates the secrets that compose.yaml mounts. Existing files stay as they are. Keep keys-admin safe: what is sealed in the database can only be
# read with its keys.
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

# The password of PostgreSQL's superuser. No process uses it.
keep postgres-password openssl rand -hex 24
# One role for each process, and one more for writing the ledger; ops/postgres/make-roles.sh makes them, and takes their passwords from here.
for role in owner rest api worker audit rest_ledger api_ledger worker_ledger; do
  keep "database-url-$(echo "$role" | tr _ -)" printf 'postgres://tidegate_%s:%s@postgres:5432/tidegate\n' "$role" "$(openssl rand -hex 24)"
done
# The password of Redis' default user, who may do everything. No process uses it.
keep redis-password openssl rand -hex 24
# One user for each process; ops/redis/make-users.sh makes them, and takes their passwords from here.
for user in rest api worker admin; do
  keep "redis-url-$user" printf 'redis://tidegate_%s:%s@redis:6379/0\n' "$user" "$(openssl rand -hex 24)"
done

# A file of keys for each kind of process. The command line of operators makes them: MAKE_KEYS runs it here, or else its image.
make_keys() {
  if [ -n "${MAKE_KEYS:-}" ]; then
    place="$folder"
    set -- $MAKE_KEYS
  else
    place=/keys
    docker build --quiet --target admin --tag tidegate/admin "$folder/../../.." > /dev/null
    set -- docker run --rm --user "$(id -u):$(id -g)" --volume "$(cd "$folder" && pwd):$place" tidegate/admin
  fi
  "$@" make-keys "$place"
}
if [ ! -e "$folder/keys-admin" ]; then
  make_keys > /dev/null
  chmod 444 "$folder"/keys-*
  echo "made $folder/keys-*"
fi
