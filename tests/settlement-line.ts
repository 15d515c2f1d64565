/**
 * SQL that stores the line of a bank's statement over the amount of a settlement, as an import and its matching leave it: an open break that names the
 * settlement, in a file that another operator has confirmed. `out`: its payment, `in`: its return. An account of ours has to be known in the country.
 */
export function settlementLineSql(settlementNo: string, direction: 'out' | 'in'): string {
  const type = direction === 'out' ? 'payout' : 'payout_return';
  return `with s as (select s.*, 'PLATFORM-' || m.country as tenant
      from settlement s join merchant m using (merchant_id) where s.settlement_no = '${settlementNo}'),
    paying as (select a.ending from settlement_account a join s on a.merchant_id = s.tenant order by a.created_at desc, a.account_id desc limit 1),
    b as (select ending, coalesce((select min(r.channel_id) from reconciled_channel r join s on r.merchant_id = s.tenant where right(r.account, 4) = ending),
      (select min(channel_id) from channel)) as bank from paying),
    c as (insert into reconciled_channel (merchant_id, channel_id, begins_on, account) select tenant, bank, '2026-11-20', ending from s, b
      on conflict (merchant_id, channel_id) do update set account = excluded.account),
    f as (insert into statement_file (merchant_id, state, channel_id, format, format_version, name, sha256, lines, unparsed, first_day, last_day, uploaded_by, imported_at,
        confirmed_by, confirmed_at)
      select tenant, 'imported', bank, 'mt940', 1, 'bank ${direction}', encode(sha256(('${direction}' || settlement_no)::bytea), 'hex'), 1, 0,
        '2026-11-20', '2026-11-20', 'ann', clock_timestamp(), 'bob', clock_timestamp() from s, b returning merchant_id, file_no),
    l as (insert into statement_line (merchant_id, file_no, line_no, part, channel_id, day, format_version, type, direction, gross, fee, tax, net, currency, order_no)
      select merchant_id, file_no, 1, 0, bank, '2026-11-20', 1, '${type}', '${direction}', s.amount, 0, 0, s.amount, s.currency, s.settlement_no
      from f, b, (select amount, currency, settlement_no from s) s)
    insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, part, names)
    select f.merchant_id, 1000 + f.file_no, bank, '2026-11-20', 'line ' || f.file_no || '/1/0', 'missing_in_ledger', s.amount, f.file_no, 1, 0, s.settlement_no
    from f, b, (select amount, settlement_no from s) s returning file_no::integer as "fileNo"`;
}
