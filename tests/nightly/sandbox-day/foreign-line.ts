import { queryDatabase } from '../../../packages/sandbox/test/own-postgres.ts';
import { day, type SeededChannel } from './seed-day.ts';

/**
 * Stores a line in another currency for a payin that the statement of its day does not show, as an import leaves it. Formats refuse rows in a
 * currency that is not that of the account, so none of them brings such a line.
 */
export async function addForeignLine(
  databaseUrl: string,
  { country, channelId }: SeededChannel,
  { orderNo, reference, amount }: SeededChannel['orders'][number],
): Promise<void> {
  await queryDatabase(
    databaseUrl,
    `with f as (insert into statement_file (merchant_id, state, channel_id, format, format_version, name, sha256, lines, unparsed, first_day, last_day,
        uploaded_by, imported_at)
      select $1, 'imported', $2, 'mt940', 1, 'another currency', encode(sha256($4::bytea), 'hex'), 1, 0, $3::date, $3::date, 'admin', clock_timestamp()
      returning merchant_id, file_no),
    l as (insert into statement_line (merchant_id, file_no, line_no, part, channel_id, day, format_version, type, direction, gross, fee, tax, net,
        currency, order_no, channel_ref)
      select merchant_id, file_no, 1, 0, $2, $3::date, 1, 'payin', 'in', $6::numeric, 0, 0, $6::numeric, 'USD', $5, $4 from f)
    update reconciliation_day set is_due = true, lines = lines + 1 where merchant_id = $1 and channel_id = $2 and day = $3::date`,
    [`PLATFORM-${country}`, channelId, day, reference, orderNo, amount],
  );
}
