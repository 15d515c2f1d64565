#!/bin/sh
# Creates the data folder of a new server from a base backup and the archived log, with the state at a moment. Run it as the user who
# will own the data, with a PostgreSQL of the same major version:
#   restore.sh /backup/base/20261121T030000Z /backup/wal /var/lib/postgresql/18/restored '2026-11-21 10:15:00+00'
# Without a moment it restores the whole archive. Then start the server, wait until pg_is_in_recovery() is false, and run the audit before
# the server is used. The server archives nothing until archive_mode is removed from its postgresql.auto.conf.
set -eu
fail() { echo "restore: $*" >&2; exit 1; }
[ $# -eq 3 ] || [ $# -eq 4 ] || fail "usage: restore.sh BACKUP ARCHIVE PGDATA ['MOMENT+00']"
backup=$1 archive=$(realpath "$2") data=$3 moment=${4:-}
[ -f "$backup/base.tar.gz" ] && [ -f "$backup/backup_label" ] && [ -f "$backup/ended" ] || fail "$backup is not a complete backup of base-backup.sh"
[ -d "$archive" ] || fail "$archive is not a folder"
[ ! -e "$data" ] || [ -z "$(ls -A "$data")" ] || fail "$data is not empty"
case $archive$moment in *\'* | *\\*) fail "the archive and the moment must have no quotes and no backslashes" ;; esac
case $moment in
  '' | *[0-9][+-][0-9][0-9] | *[0-9][+-][0-9][0-9]:[0-9][0-9]) ;;
  *) fail "the moment must end with its offset from UTC, such as 2026-11-21 10:15:00+00" ;;
esac
if [ -n "$moment" ]; then
  wanted=$(date -d "$moment" +%s.%N) || fail "$moment is not a valid time"
  # PostgreSQL would report nothing, and restore the state at the end of the backup.
  awk -v wanted="$wanted" -v ended="$(cat "$backup/ended")" 'BEGIN { exit !(wanted > ended) }' ||
    fail "$moment is before the end of this backup: take an earlier one"
fi

mkdir -p "$data"
chmod 700 "$data"
tar -C "$data" -xzf "$backup/base.tar.gz"
cp "$backup/backup_label" "$data/backup_label"
: > "$data/recovery.signal"
cat >> "$data/postgresql.auto.conf" <<CONF
archive_mode = off
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_timeline = 'latest'
CONF
if [ -n "$moment" ]; then
  cat >> "$data/postgresql.auto.conf" <<CONF
recovery_target_time = '$moment'
recovery_target_action = 'promote'
CONF
fi
echo "$data is ready to be started."
