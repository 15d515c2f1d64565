#!/bin/sh
# PostgreSQL's archive_command: keeps one finished segment of the log, flushed, in a folder that is not on the database's disk.
#   archive_mode = on
#   archive_command = '/opt/tidegate/ops/postgres/archive-wal.sh %p %f /backup/wal'
#   archive_timeout = 60        # so much of the newest is lost at the most, in seconds, when the disk is
set -eu
segment=$1 name=$2 archive=$3

# PostgreSQL may hand the same one over twice; another one under the same name belongs to another server, and is never replaced.
if [ -e "$archive/$name" ]; then
  cmp -s "$segment" "$archive/$name" && exit 0
  echo "archive-wal: $archive/$name is there already and differs: is this the archive of another server?" >&2
  exit 1
fi
cp "$segment" "$archive/.$name.partial"
sync "$archive/.$name.partial"
mv "$archive/.$name.partial" "$archive/$name"
sync "$archive"
