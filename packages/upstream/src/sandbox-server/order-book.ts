import type { Journal, JournalRecord } from './journal.ts';
import type { ManualEvent, StoredOrder } from './state.ts';

export interface BookEntry {
  orderNo: string;
  /** Number of create requests, with or without a reply. */
  creates: number;
  /** Unset until a create was accepted. */
  order?: StoredOrder;
  /** Ids of the acknowledged callbacks. */
  reported: Set<string>;
}

/** All orders, in memory. Each change is written to the journal first. The methods are synchronous, so requests cannot interleave. */
export interface OrderBook {
  get(orderNo: string): BookEntry | undefined;
  /** Orders by the time of their first create. */
  list(offset: number, limit: number): BookEntry[];
  all(): Iterable<BookEntry>;
  /** Counts a create request. */
  countCreate(orderNo: string): BookEntry;
  addOrder(order: Omit<StoredOrder, 'manualEvents'>): StoredOrder;
  addManualEvent(orderNo: string, event: ManualEvent): void;
  recordCallback(orderNo: string, callbackId: string): void;
}

/** Loads the orders from the journal. */
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
    countCreate: (orderNo) => write({ type: 'asked', orderNo }),
    addOrder: (order) => write({ type: 'taken', order }).order ?? { ...order, manualEvents: [] },
    addManualEvent: (orderNo, event) => void write({ type: 'hand', orderNo, event }),
    recordCallback: (orderNo, callbackId) => void write({ type: 'told', orderNo, callbackId }),
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
      entry.order = { ...record.order, manualEvents: [] };
      return entry;
    case 'hand':
      if (entry.order) entry.order = { ...entry.order, manualEvents: [...entry.order.manualEvents, record.event] };
      return entry;
    case 'told':
      entry.reported.add(record.callbackId);
      return entry;
    default:
      return record satisfies never;
  }
}
