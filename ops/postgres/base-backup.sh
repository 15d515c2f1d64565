#!/bin/sh
# A base backup of a running server, which together with the archived log (archive-wal.sh) can be restored to any moment after it.
# Runs on the database's host, as the user who owns its data:
#   DATABASE_URL=postgres://… base-backup.sh /var/lib/postgresql/18/main /backup/base
# The role has to be a superuser, or may execute pg_backup_start and pg_backup_stop. Prints the backup's folder.
set -eu
fail() { echo "base-backup: $*" >&2; exit 1; }
[ $# -eq 2 ] || fail "usage: DATABASE_URL=postgres://… base-backup.sh PGDATA FOLDER"
[ -n "${DATABASE_URL:-}" ] || fail "DATABASE_URL is missing"
data=$1 folder=$2
[ -f "$data/PG_VERSION" ] || fail "$data is no data folder of PostgreSQL"
[ -z "$(ls "$data/pg_tblspc")" ] || fail "tablespaces are not copied: this server has some in $data/pg_tblspc"

name=$(date -u +%Y%m%dT%H%M%SZ)
partial=$folder/.$name.partial
[ ! -e "$folder/$name" ] || fail "$folder/$name is there already"
mkdir -p "$folder"
mkdir "$partial"
trap 'rm -rf "$partial"' EXIT

# The session that begins a backup has to end it. Files that change or vanish while tar reads them (status 1) are put right by the log.
export PARTIAL="$partial" DATA="$data"
psql -XAtq -v ON_ERROR_STOP=1 "$DATABASE_URL" <<'SQL'
select pg_backup_start('tidegate', fast => true) \g /dev/null
\! tar -C "$DATA" -czf "$PARTIAL/base.tar.gz" --warning=no-file-changed --warning=no-file-removed --exclude='./postmaster.*' --exclude='./pg_wal/*' --exclude='./pg_replslot/*' --exclude='./pg_dynshmem/*' --exclude='./pg_notify/*' --exclude='./pg_serial/*' --exclude='./pg_snapshots/*' --exclude='./pg_stat_tmp/*' --exclude='./pg_subtrans/*' --exclude='pgsql_tmp*' . ; [ $? -le 1 ] && : > "$PARTIAL/copied"
\o | cat > "$PARTIAL/backup_label"
select labelfile from pg_backup_stop(wait_for_archive => true);
\o | cat > "$PARTIAL/ended"
select extract(epoch from clock_timestamp());
SQL
[ -e "$partial/copied" ] || fail "the data could not be copied: see above"
[ -s "$partial/backup_label" ] && [ -s "$partial/ended" ] || fail "PostgreSQL did not end the backup: see above"
rm "$partial/copied"
sync "$partial/base.tar.gz" "$partial/backup_label"
mv "$partial" "$folder/$name"
sync "$folder"
trap - EXIT
echo "$folder/$name"
