/**
 * Functions that the guards of several tables share, and the guards themselves. Who owns the tables may do what no
 * process does: tests, repairs and `migrate`. It could switch the triggers off too.
 */
export const rules = String.raw`
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create function owns(of_table oid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select pg_catalog.pg_has_role(current_user, (select relowner from pg_catalog.pg_class where oid = of_table), 'usage')
$$;

-- Patterns are E'…' strings: what a backslash means in others is a setting of the session.
-- A text in which {column} stands for the value of the row. What a value contains is not read again.
create function filled(template text, is_row jsonb) returns text language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select rtrim(string_agg(case when m[1] is null then m[2] else coalesce(is_row->>m[1], '') end, '' order by n))
    from regexp_matches(template, E'\\{(\\w+)\\}|([^{}]+)', 'g') with ordinality as t(m, n)
$$;

-- The same in JSON, where "{column}" stands for the JSON value, and "{column:12}" for its first 12 characters.
create function filled_json(template jsonb, is_row jsonb) returns jsonb language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select case jsonb_typeof(template)
    when 'object' then (select jsonb_object_agg(key, filled_json(value, is_row)) from jsonb_each(template))
    when 'array' then (select jsonb_agg(filled_json(value, is_row)) from jsonb_array_elements(template))
    when 'string' then coalesce((
      select case when m[2] is null then coalesce(is_row->m[1], 'null') else to_jsonb(left(is_row->>m[1], m[2]::integer)) end
      from regexp_match(template #>> '{}', E'^\\{(\\w+)(?::(\\d+))?\\}$') m where m is not null), template)
    else template end
$$;

-- The arguments: whose record it is, the columns that need none, and the changes that have one (recordedTables).
create function require_record() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  is_row jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  was_row jsonb := case tg_op when 'INSERT' then to_jsonb(new) else to_jsonb(old) end;
  free text[] := string_to_array(tg_argv[1], ',');
  tenant text := case tg_argv[0] when 'platform' then 'PLATFORM' else was_row->>tg_argv[0] end;
  changed text[];
begin
  if tg_op = 'UPDATE' and is_row - free = was_row - free or owns(tg_relid) then
    return null;
  end if;
  changed := array(select n.key from jsonb_each(is_row - free) n where n.value <> was_row->n.key);
  -- Its transaction holds the wallet of the tenant, so its records are the last ones. A change moves no row to another tenant or key.
  if (tg_argv[0] <> 'platform' and tenant <> is_row->>tg_argv[0]) or not exists (
    select from jsonb_to_recordset(tg_argv[2]::jsonb) as r(action text, tenants text, subject text, detail jsonb, columns text[])
    join (select a.xmin as written_by, a.action, a.subject, a.detail from audit_record a where a.merchant_id = tenant order by a.audit_no desc limit 100) a
      on a.written_by = pg_current_xact_id()::xid and a.action = r.action
    where (r.columns is null or changed <@ r.columns) and (r.tenants is null or tenant ^@ r.tenants)
      and (r.subject is null or a.subject = filled(r.subject, is_row) and a.subject = filled(r.subject, was_row))
      and (r.detail is null or a.detail::jsonb @> filled_json(r.detail, is_row)))
  then
    raise exception '% of % without its audit record in the same transaction', lower(tg_op), tg_relid::regclass
      using errcode = 'check_violation', detail = format('of %s: %s; changed: %s', tenant, tg_argv[2], array_to_string(changed, ', '));
  end if;
  return null;
end $$;

create function plain_reference(typed text) returns text language sql immutable as $$
  select coalesce(nullif(regexp_replace(upper(normalize(typed, NFKC) collate "C"),
    E'[^A-Z0-9\\u0080-\\U0010ffff]|[\\u0080-\\u00a9\\u00ab-\\u00b4\\u2000-\\u206f\\u2212\\u3000-\\u303f\\ufeff]', '', 'g'), ''), typed)
$$;

create function host_of(url text) returns text language sql immutable as $$
  select lower(split_part(url, '/', 1) || '//' || split_part(url, '/', 3) collate "C")
$$;

-- The argument: the column that is too far ahead.
create function refuse_time_ahead() returns trigger language plpgsql as $$
begin
  raise exception '%: % has not come yet', tg_relid::pg_catalog.regclass, tg_argv[0] using errcode = 'check_violation';
end $$;
`;

/** Rows are only added. */
export function appendOnly(table: string): string {
  return `create trigger append_only before update or delete on ${table} for each row execute function refuse_change();
create trigger append_only_whole before truncate on ${table} for each statement execute function refuse_change();`;
}

/** Rows are added, and deleted by rules of their own. `truncate`: also the whole table. */
export function unchangeable(table: string, { truncate = false } = {}): string {
  const whole = `create trigger append_only_whole before truncate on ${table} for each statement execute function refuse_change();`;
  return `create trigger append_only before update on ${table} for each row execute function refuse_change();
${truncate ? '' : whole}`;
}

/** Rows are added and changed. */
export function neverDeleted(table: string): string {
  return `create trigger no_delete before delete on ${table} for each row execute function refuse_change();
create trigger no_delete_whole before truncate on ${table} for each statement execute function refuse_change();`;
}

/**
 * Says which merchant or channel a change of the table concerns, to the processes that keep them in memory. Replication
 * and restores say so too. A change of the column `free` alone is none.
 */
export function recordsConfiguration(table: string, kind: 'merchant' | 'channel', free?: string): string {
  const record = `record_configuration_change('${kind}', '${kind}_id')`;
  const isChange =
    free === undefined
      ? 'old.* is distinct from new.*'
      : `to_jsonb(old.*) - '${free}' is distinct from to_jsonb(new.*) - '${free}'`;
  return `create trigger configuration_added after insert or delete on ${table} for each row execute function ${record};
create trigger configuration_changed after update on ${table} for each row when (${isChange}) execute function ${record};
create trigger configuration_emptied after truncate on ${table} for each statement execute function ${record};
alter table ${table} enable always trigger configuration_added, enable always trigger configuration_changed, enable always trigger configuration_emptied;`;
}

/**
 * Whether a row is of now, and of its batch `b`: its time decides which statements have to show it. After the clock stepped
 * back, times go on from the last ones, which are ahead.
 */
export const isOfItsTime = (time: string): string =>
  `${time} <= b.at and ${time} > clock_timestamp() - interval '5 minutes'`;

/** Whether the new row `n` belongs to the batch that its wallet counts next. */
export const isOfNextBatch = (time: string): string => `(
    select n.batch_no = w.last_batch_no + 1 and (select ${isOfItsTime(time)} from public.ledger_batch b
          where b.merchant_id = w.merchant_id and b.batch_no = w.last_batch_no + 1)
      from public.wallet w where w.merchant_id = n.merchant_id)`;

/**
 * An entry, a transfer or a record belongs to the batch that its wallet counts next, and leaves no gap before it. When the
 * wallet counts the batch, it has to look for the next number only (refuse_forged_wallets). All rows are found by their
 * whole keys: a plan from the time when the tables were empty reads nothing else later. The names are qualified in what
 * runs for each batch: a path in the function would cost more than the check does.
 */
export function ofNextBatch(what: 'entry' | 'transfer' | 'audit', table: string): string {
  return `
create function refuse_unbatched_${what}() returns trigger language plpgsql as $$
declare
  lonely pg_catalog.text;
begin
  select n.${what}_no || ' of ' || n.merchant_id into lonely from new_rows n where (
    -- Not joined: the whole keys would not be looked up.
    select (select ${isOfItsTime(what === 'audit' ? 'n.at' : 'n.created_at')} from public.ledger_batch b
          where b.merchant_id = w.merchant_id and b.batch_no = w.last_batch_no + 1)
        and n.batch_no = w.last_batch_no + 1 ${what === 'transfer' ? 'and n.currency = w.currency ' : ''}and (n.${what}_no = w.last_${what}_no + 1 or (
          select true from public.${table} p where p.merchant_id = n.merchant_id and p.${what}_no = n.${what}_no - 1))
      from public.wallet w where w.merchant_id = n.merchant_id) is not true limit 1;
  if lonely is not null then
    raise exception '${what} %: its wallet does not count it', lonely using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger of_next_batch after insert on ${table} referencing new table as new_rows
  for each statement execute function refuse_unbatched_${what}();`;
}

/** A row with the next number would take it from what the ledger writer writes next, so the wallet counts each, a batch with its hash and time. */
export function countedByWallet(what: 'batch' | 'audit' | 'case', table: string): string {
  const hash =
    what === 'batch'
      ? ' and (w.last_batch_no > new.batch_no or w.last_batch_hash = new.hash and w.recorded_at = new.at)'
      : '';
  return `
create function refuse_uncounted_${what}() returns trigger language plpgsql as $$
begin
  if not exists (select from public.wallet w where w.merchant_id = new.merchant_id and w.last_${what}_no >= new.${what}_no${hash})
    and not public.owns(tg_relid) then
    raise exception '${what} % of %: its wallet does not count it', new.${what}_no, new.merchant_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger counted_by_wallet after insert on ${table} deferrable initially deferred
  for each row execute function refuse_uncounted_${what}();`;
}

/**
 * A new number is at most `most` beyond the one before it: a number far ahead would be the last one for good. `key`: the
 * columns within which rows are numbered.
 */
export function numbered(table: string, key: readonly string[], column: string, most = 1): string {
  const isSame = key.map((one) => `p.${one} = n.${one}`).join(' and ');
  return `
create function refuse_far_${table}() returns trigger language plpgsql as $$
declare
  far pg_catalog.int8;
begin
  select f.no into far from (
    select n.${column} as no, coalesce(lag(n.${column}) over (partition by ${key.map((one) => `n.${one}`).join(', ')} order by n.${column}),
      (select max(p.${column}) from public.${table} p where ${isSame} and p.${column} < n.${column} and p.${column} > 0), 0) as before
    from new_rows n where n.${column} > 0) f
  where f.no > f.before + ${most} limit 1;
  if far is not null and not public.owns(tg_relid) then
    raise exception '${table} %: it does not follow the one before', far using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger follows_the_last after insert on ${table} referencing new table as new_rows
  for each statement execute function refuse_far_${table}();`;
}

/** Nothing is recorded before the time that a roll-up has passed, so none passes what has not come. */
export function notBeyondNow(table: string): string {
  return notAhead(table, 'until', '5 s');
}

/** Who holds work, or has it done, until a time far ahead, would keep everyone else from it for good. */
export function notAhead(table: string, column: string, most = '1 day'): string {
  return `create trigger ${column}_not_to_come before insert or update on ${table} for each row
  when (new.${column} > clock_timestamp() + interval '${most}') execute function refuse_time_ahead('${column}');`;
}
