#!/bin/sh
# PostgreSQL's archive_command: keeps one finished segment of the log, flushed, in a folder that is not on the database's disk.
#   archive_mode = on
#   archive_command = '/opt/tidegate/ops/postgres/archive-wal.sh %p %f /backup/wal'
#   archive_timeout = 60        # seconds. If the database's disk is lost, at most the changes of this time are lost.
set -eu
segment=$1 name=$2 archive=$3

# PostgreSQL may pass the same segment twice. A different segment with the same name comes from another server, so it never replaces the first.
if [ -e "$archive/$name" ]; then
  cmp -s "$segment" "$archive/$name" && exit 0
  echo "archive-wal: $archive/$name is there already and differs: is this the archive of another server?" >&2
  exit 1
fi
cp "$segment" "$archive/.$name.partial"
sync "$archive/.$name.partial"
mv "$archive/.$name.partial" "$archive/$name"
sync "$archive"
