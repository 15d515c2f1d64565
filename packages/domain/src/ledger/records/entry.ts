import { type Command, namedBookings, reversalNoOf } from '../../core/commands.ts';
import type { Account } from '../../core/ledger.ts';
import type { Existing } from '../../core/state.ts';
import { WalletEntryRow } from '../../database/entities/ledger.ts';
import { type ColumnsOf, insertMany } from './queries.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

const bookingKey = (merchantId: string, bookingNo: string): string => key(merchantId, `booking ${bookingNo}`);

function queries(columns: ColumnsOf) {
  return {
    takenOrderNos: {
      name: 'taken-order-nos',
      text: `select t.merchant_id as "merchantId", t.merchant_order_no as "merchantOrderNo", t.order_no as "orderNo"
        from orders t join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.merchant_order_no = k.n`,
    },
    bookedNos: {
      name: 'booked-nos',
      text: `select t.merchant_id as "merchantId", t.booking_no as "bookingNo", t.type as entry, t.available_change::text as amount, t.counter
        from wallet_entry t join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.booking_no = k.n`,
    },
    insertEntries: insertMany('wallet_entry', columns(WalletEntryRow)),
  };
}

interface TakenOrderNo {
  merchantId: string;
  merchantOrderNo: string;
  orderNo: string;
}

interface Booked {
  merchantId: string;
  bookingNo: string;
  entry: string;
  amount: string;
  counter: Account | null;
}

/** The entries of wallets, and the numbers that are used once: merchants' numbers of orders, operators' numbers of bookings. */
export const entries = {
  queries,
  async load({ client, sql }, commands) {
    const fresh = commands.flatMap((command) => ('order' in command ? [command.order] : []));
    const bookings = commands.flatMap(namedBookings);
    const [taken, booked] = await Promise.all([
      readByKeys<TakenOrderNo>(client, sql.takenOrderNos, [
        fresh.map(({ merchantId }) => merchantId),
        fresh.map(({ merchantOrderNo }) => merchantOrderNo),
      ]),
      readByKeys<Booked>(client, sql.bookedNos, [
        bookings.map(({ merchantId }) => merchantId),
        bookings.map(({ bookingNo }) => bookingNo),
      ]),
    ]);
    return new Map<string, Existing>([
      ...taken.map((row) => [key(row.merchantId, row.merchantOrderNo), { orderNo: row.orderNo }] as const),
      ...booked.map(
        (row) => [bookingKey(row.merchantId, row.bookingNo), { orderNo: row.bookingNo, booked: row }] as const,
      ),
    ]);
  },
  state(known, command) {
    const at = numberOf(command);
    return { existing: (at !== null && known.get(at)) || null, ...reversalOf(known, command) };
  },
  keep(known, command, { events, state }) {
    // A booking of this batch is there for the commands after it.
    for (const event of events) {
      if (event.type !== 'entry made' || event.entry.bookingNo === null) continue;
      const { merchantId, bookingNo, type, availableChange, counter } = event.entry;
      const booked = { entry: type, amount: availableChange, counter };
      known.set(bookingKey(merchantId, bookingNo), { orderNo: bookingNo, booked });
    }
    if (!('order' in command) || state.existing) return;
    const { merchantId, merchantOrderNo, orderNo } = command.order;
    known.set(key(merchantId, merchantOrderNo), { orderNo });
  },
  added: { 'entry made': ({ entry }) => entry },
} satisfies LedgerRecord<Existing, ReturnType<typeof queries>>;

/** The number that the command uses; null if it uses none. */
function numberOf(command: Command): string | null {
  if ('order' in command) return key(command.order.merchantId, command.order.merchantOrderNo);
  return 'bookingNo' in command ? bookingKey(command.merchantId, command.bookingNo) : null;
}

/** The booking that the command takes back, and whether the booking with its number was taken back. */
function reversalOf(known: ReadonlyMap<string, Existing>, command: Command) {
  if (command.type === 'bookWallet')
    return { isTakenBack: known.has(bookingKey(command.merchantId, reversalNoOf(command.bookingNo))) };
  if (command.type === 'reverseBooking')
    return { reversed: known.get(bookingKey(command.merchantId, command.reverses)) ?? null };
  return {};
}
