#!/bin/sh
# Makes what compose.yaml mounts as secrets, once; what is there stays. Keep tidegate-secret safe: it belongs to the database for ever.
set -eu
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
# Nobody else of this machine gets in; the containers' user reads the files through their mounts.
chmod 700 "$folder"

keep() {
  [ -e "$folder/$1" ] && return
  cat > "$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}

openssl rand -hex 32 | keep tidegate-secret
openssl rand -hex 24 | keep postgres-password
printf 'postgres://tidegate:%s@postgres:5432/tidegate\n' "$(cat "$folder/postgres-password")" | keep database-url
