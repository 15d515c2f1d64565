/**
 * The shapes of JSON columns (`jsonColumns`) as the database checks them, so that nobody writes one that no process can
 * read. `json-columns.test.ts` compares the two, and prints a check that is another one.
 */
export const jsonChecks = `
alter table approval
  add constraint approval_input_shape check (input is null or case jsonb_typeof(input) when 'object' then true else false end);
alter table channel
  add constraint channel_credentials_set_at_shape check (credentials_set_at is null or case jsonb_typeof(credentials_set_at) when 'object' then not jsonb_path_exists(credentials_set_at, 'strict $.* ? (!(@.type() == "string") || (@.type() == "string") is unknown)') and pg_column_size(credentials_set_at) <= 262144 else false end),
  add constraint channel_seen_shape check (seen is null or case jsonb_typeof(seen) when 'object' then case when seen ? 'mode' then (seen -> 'mode') in ('"live"'::jsonb, '"test"'::jsonb, '"mixed"'::jsonb, '"unknown"'::jsonb) else false end
    and case when seen ? 'adapter' then (jsonb_typeof((seen -> 'adapter')) = 'string' and octet_length((seen -> 'adapter') #>> '{}') <= 262144) else false end
    and case when seen ? 'baseUrl' then (jsonb_typeof((seen -> 'baseUrl')) = 'string' and octet_length((seen -> 'baseUrl') #>> '{}') <= 262144) else false end else false end);
alter table channel_question
  add constraint channel_question_answer_shape check (answer is null or case jsonb_typeof(answer) when 'object' then true else false end);
alter table csv_profile
  add constraint csv_profile_profile_shape check (profile is null or case jsonb_typeof(profile) when 'object' then case when profile ? 'types' then case jsonb_typeof((profile -> 'types')) when 'array' then not jsonb_path_exists((profile -> 'types'), 'strict $[*] ? (!(@.type() == "string") || (@.type() == "string") is unknown)') and pg_column_size((profile -> 'types')) <= 262144 else false end else true end else false end);
alter table data_export
  add constraint data_export_input_shape check (input is null or case jsonb_typeof(input) when 'object' then true else false end);
alter table notification_resend
  add constraint notification_resend_asked_shape check (asked is null or case jsonb_typeof(asked) when 'object' then true else false end);
alter table operator_preferences
  add constraint operator_preferences_columns_shape check (columns is null or case jsonb_typeof(columns) when 'object' then not jsonb_path_exists(columns, 'strict $.* ? (!(@.type() == "array" && !exists(@[*] ? (!(@.type() == "string")))) || (@.type() == "array" && !exists(@[*] ? (!(@.type() == "string")))) is unknown)') else false end);
alter table settlement
  add constraint settlement_settled_before_shape check (settled_before is null or case jsonb_typeof(settled_before) when 'object' then not jsonb_path_exists(settled_before, 'strict $.* ? (!(@.type() == "string") || (@.type() == "string") is unknown)') and pg_column_size(settled_before) <= 262144 else false end),
  add constraint settlement_settled_days_shape check (settled_days is null or case jsonb_typeof(settled_days) when 'object' then not jsonb_path_exists(settled_days, 'strict $.* ? (!(@.type() == "string") || (@.type() == "string") is unknown)') and pg_column_size(settled_days) <= 262144 else false end),
  add constraint settlement_settled_entries_shape check (settled_entries is null or case jsonb_typeof(settled_entries) when 'object' then not jsonb_path_exists(settled_entries, 'strict $.* ? (!(@.type() == "object" && (@.day.type() == "string") && (@.entryNo.type() == "number")) || (@.type() == "object" && (@.day.type() == "string") && (@.entryNo.type() == "number")) is unknown)') else false end),
  add constraint settlement_sums_shape check (sums is null or case jsonb_typeof(sums) when 'array' then not jsonb_path_exists(sums, 'strict $[*] ? (!(@.type() == "object" && (@.kind == "payins"
      || @.kind == "payin_fees"
      || @.kind == "payouts"
      || @.kind == "payouts_released"
      || @.kind == "payouts_returned"
      || @.kind == "top_ups"
      || @.kind == "adjustments"
      || @.kind == "settlements") && (@.amount.type() == "string") && (@.count.type() == "number")) || (@.type() == "object" && (@.kind == "payins"
      || @.kind == "payin_fees"
      || @.kind == "payouts"
      || @.kind == "payouts_released"
      || @.kind == "payouts_returned"
      || @.kind == "top_ups"
      || @.kind == "adjustments"
      || @.kind == "settlements") && (@.amount.type() == "string") && (@.count.type() == "number")) is unknown)') else false end);
alter table orders
  add constraint orders_details_shape check (details is null or case jsonb_typeof(details) when 'object' then case when details ? 'party' then case jsonb_typeof((details -> 'party')) when 'object' then (details -> 'party') - array['name', 'account', 'mobile', 'email', 'idNo', 'ifsc'] = '{}'::jsonb and not jsonb_path_exists((details -> 'party'), 'strict $.* ? (!(@.type() == "string") || (@.type() == "string") is unknown)') and pg_column_size((details -> 'party')) <= 262144 else false end else true end
    and case when details ? 'returnUrl' then (jsonb_typeof((details -> 'returnUrl')) = 'string' and octet_length((details -> 'returnUrl') #>> '{}') <= 262144) else true end
    and case when details ? 'remark' then (jsonb_typeof((details -> 'remark')) = 'string' and octet_length((details -> 'remark') #>> '{}') <= 262144) else true end
    and case when details ? 'extra' then case jsonb_typeof((details -> 'extra')) when 'object' then true else false end else true end else false end),
  add constraint orders_fee_terms_shape check (fee_terms is null or case jsonb_typeof(fee_terms) when 'object' then case when fee_terms ? 'percent' then (jsonb_typeof((fee_terms -> 'percent')) = 'string' and octet_length((fee_terms -> 'percent') #>> '{}') <= 262144) else false end
    and case when fee_terms ? 'fixed' then (jsonb_typeof((fee_terms -> 'fixed')) = 'string' and octet_length((fee_terms -> 'fixed') #>> '{}') <= 262144) else false end
    and case when fee_terms ? 'minimum' then (jsonb_typeof((fee_terms -> 'minimum')) = 'string' and octet_length((fee_terms -> 'minimum') #>> '{}') <= 262144) else true end
    and case when fee_terms ? 'maximum' then (jsonb_typeof((fee_terms -> 'maximum')) = 'string' and octet_length((fee_terms -> 'maximum') #>> '{}') <= 262144) else true end
    and case when fee_terms ? 'isRefundable' then (fee_terms -> 'isRefundable') = 'true'::jsonb else true end else false end),
  add constraint orders_task_shape check (task is null or case jsonb_typeof(task) when 'object' then case when task ? 'claimedBy' then (jsonb_typeof((task -> 'claimedBy')) = 'string' and octet_length((task -> 'claimedBy') #>> '{}') <= 262144) else false end
    and case when task ? 'askedAt' then case jsonb_typeof((task -> 'askedAt')) when 'number' then abs(((task -> 'askedAt'))::numeric) < 1e300 else false end else true end
    and case when task ? 'proof' then (case jsonb_typeof((task -> 'proof')) when 'object' then case when (task -> 'proof') ? 'reference' then (jsonb_typeof(((task -> 'proof') -> 'reference')) = 'string' and octet_length(((task -> 'proof') -> 'reference') #>> '{}') <= 262144) else false end
    and case when (task -> 'proof') ? 'payer' then (jsonb_typeof(((task -> 'proof') -> 'payer')) = 'string' and octet_length(((task -> 'proof') -> 'payer') #>> '{}') <= 262144) else false end
    and case when (task -> 'proof') ? 'note' then ((jsonb_typeof(((task -> 'proof') -> 'note')) = 'string' and octet_length(((task -> 'proof') -> 'note') #>> '{}') <= 262144) or jsonb_typeof(((task -> 'proof') -> 'note')) = 'null') else false end
    and case when (task -> 'proof') ? 'at' then case jsonb_typeof(((task -> 'proof') -> 'at')) when 'number' then abs((((task -> 'proof') -> 'at'))::numeric) < 1e300 else false end else false end else false end or jsonb_typeof((task -> 'proof')) = 'null') else false end else false end);
`;
