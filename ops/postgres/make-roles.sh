#!/bin/sh
# Creates Tidegate's PostgreSQL roles, and makes tidegate_owner the owner of the database. It can be run again at any time.
#   make-roles.sh [folder]
# The folder (default: /run/secrets) has database-url-owner, -rest, -api, -worker, -audit, -rest-ledger, -api-ledger and -worker-ledger: one line each,
# postgres://tidegate_<role>:<password>@… The role of the file database-url-rest-ledger is tidegate_rest_ledger.
# Connects as psql does (PGHOST, PGUSER, PGDATABASE …), by default as the image's superuser to its database. The user must be a superuser: docs/running/database-roles.md.
set -eu
folder="${1:-/run/secrets}"
: "${PGUSER:=${POSTGRES_USER:-postgres}}"
: "${PGDATABASE:=${POSTGRES_DB:-tidegate}}"
export PGUSER PGDATABASE

# password_of <role>: the password in its URL. It has letters, digits, - and _ only, so it needs no quoting.
password_of() {
  file="$folder/database-url-$(echo "$1" | tr _ -)"
  password="$(sed -n "s|^postgres\(ql\)\{0,1\}://tidegate_$1:\([A-Za-z0-9_-]\{16,\}\)@.*|\2|p" "$file")"
  [ -n "$password" ] || { echo "$file must be postgres://tidegate_$1:<password>@…, the password at least 16 letters and digits" >&2; exit 1; }
  printf '%s' "$password"
}

# psql reads the passwords from standard input, so no process list shows them. The server logs none of these statements.
sql() {
  echo "set log_statement = 'none'; set log_min_error_statement = 'panic'; set log_min_duration_statement = -1; set lock_timeout = '5s';"
  for role in owner rest api worker audit rest_ledger api_ledger worker_ledger; do
    password="$(password_of "$role")"
    echo "do \$\$ begin if not exists (select from pg_roles where rolname = 'tidegate_$role') then create role tidegate_$role; end if; end \$\$;"
    echo "alter role tidegate_$role with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '$password';"
    # A role can change its own settings. What someone has set who stole it does not stay.
    echo "alter role tidegate_$role reset all;"
    echo "do \$\$ begin execute format('alter role tidegate_$role in database %I reset all', current_database()); end \$\$;"
  done
  cat <<'SQL'
-- The roll-ups and the audit have to see when other roles' transactions began.
grant pg_read_all_stats to tidegate_worker, tidegate_audit;
do $$
declare
  one text;
begin
  execute format('alter database %I owner to tidegate_owner', current_database());
  -- In PostgreSQL 15 and later the database's owner owns this schema.
  alter schema public owner to pg_database_owner;
  -- A sequence, an index or a type of a table goes with its table; what an extension made stays.
  for one in
    select format('alter %s %s owner to tidegate_owner', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end, oid::regclass)
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and relowner <> 'tidegate_owner'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e') and (c.relkind = 'S' or d.deptype = 'e'))
    union all
    select format('alter routine %s owner to tidegate_owner', oid::regprocedure)
    from pg_proc p where pronamespace = 'public'::regnamespace and proowner <> 'tidegate_owner'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute one;
  end loop;
end
$$;
SQL
}

# All statements are made before psql starts: a missing password must not leave half of the roles.
statements="$(sql)"
printf '%s\n' "$statements" | psql --no-psqlrc --quiet --single-transaction --set ON_ERROR_STOP=1 --output /dev/null
echo "The roles tidegate_owner, tidegate_rest, tidegate_api, tidegate_worker, tidegate_audit and those for the ledger are there, and tidegate_owner owns the database $PGDATABASE."
