import type { Journal, JournalRecord } from './journal.ts';
import type { HandEvent, StoredOrder } from './state.ts';

export interface BookEntry {
  orderNo: string;
  /** How many creates came for it, answered or not. */
  creates: number;
  /** Unset while no create was taken. */
  order?: StoredOrder;
  /** Callbacks that were acknowledged. */
  reported: Set<string>;
}

/** All orders in memory, each change written to the journal first. Methods are synchronous, so no two requests interleave in one. */
export interface OrderBook {
  get(orderNo: string): BookEntry | undefined;
  /** In the order of their first create. */
  list(offset: number, limit: number): BookEntry[];
  all(): Iterable<BookEntry>;
  asked(orderNo: string): BookEntry;
  taken(order: Omit<StoredOrder, 'hands'>): StoredOrder;
  hand(orderNo: string, event: HandEvent): void;
  reported(orderNo: string, callbackId: string): void;
}

/** The orders as the journal has them. */
export function openOrderBook(journal: Journal): OrderBook {
  const entries = new Map<string, BookEntry>();
  for (const record of journal.past) apply(entries, record);
  const write = (record: JournalRecord): BookEntry => {
    journal.append(record);
    return apply(entries, record);
  };
  return {
    get: (orderNo) => entries.get(orderNo),
    list: (offset, limit) => [...entries.values()].slice(offset, offset + limit),
    all: () => entries.values(),
    asked: (orderNo) => write({ type: 'asked', orderNo }),
    taken: (order) => write({ type: 'taken', order }).order ?? { ...order, hands: [] },
    hand: (orderNo, event) => void write({ type: 'hand', orderNo, event }),
    reported: (orderNo, callbackId) => void write({ type: 'told', orderNo, callbackId }),
  };
}

function apply(entries: Map<string, BookEntry>, record: JournalRecord): BookEntry {
  const orderNo = record.type === 'taken' ? record.order.orderNo : record.orderNo;
  const entry = entries.get(orderNo) ?? { orderNo, creates: 0, reported: new Set<string>() };
  entries.set(orderNo, entry);
  switch (record.type) {
    case 'asked':
      entry.creates += 1;
      return entry;
    case 'taken':
      entry.order = { ...record.order, hands: [] };
      return entry;
    case 'hand':
      if (entry.order) entry.order = { ...entry.order, hands: [...entry.order.hands, record.event] };
      return entry;
    case 'told':
      entry.reported.add(record.callbackId);
      return entry;
    default:
      return record satisfies never;
  }
}
