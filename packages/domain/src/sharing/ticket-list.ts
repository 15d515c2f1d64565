import type { Priority } from './priority.ts';

/** A place in a fair queue. Only its queue writes it. */
export interface Ticket<T> {
  readonly value: T;
  readonly owner: string;
  readonly priority: Priority;
  /** The list that holds it; null as soon as it was served or removed. */
  list: TicketList<T> | null;
  before: Ticket<T> | null;
  after: Ticket<T> | null;
}

/** First in, first out. A ticket anywhere in the list can leave it in O(1), and nothing of it stays behind. */
export class TicketList<T> {
  #first: Ticket<T> | null = null;
  #last: Ticket<T> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): Ticket<T> | null {
    return this.#first;
  }

  add(ticket: Ticket<T>): void {
    ticket.list = this;
    ticket.before = this.#last;
    if (this.#last) this.#last.after = ticket;
    else this.#first = ticket;
    this.#last = ticket;
    this.#size++;
  }

  remove(ticket: Ticket<T>): void {
    if (ticket.list !== this) return;
    if (ticket.before) ticket.before.after = ticket.after;
    else this.#first = ticket.after;
    if (ticket.after) ticket.after.before = ticket.before;
    else this.#last = ticket.before;
    ticket.list = null;
    ticket.before = null;
    ticket.after = null;
    this.#size--;
  }
}
