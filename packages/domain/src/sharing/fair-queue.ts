import { mayHold } from './fair-share.ts';
import { type HeapNode, OwnerHeap } from './owner-heap.ts';
import { headStart, type Priority, passedOverLimit, priorities } from './priority.ts';
import { type Ticket, TicketList } from './ticket-list.ts';

export interface FairQueueOptions {
  /** How many may wait in all. */
  places: number;
  /** How many of one owner may wait; default: what `mayHold` allows. */
  placesPerOwner?: number;
  /** The share of an owner compared with others; default: 1 for all. */
  weightOf?: (owner: string) => number;
}

/** An owner with something that waits. `time` is how much of its share it has used: its virtual time. */
interface Owner<T> extends HeapNode {
  readonly name: string;
  readonly lists: readonly TicketList<T>[];
  /** How many turns of the owner passed over each priority since it was served. */
  readonly passedOver: number[];
  size: number;
  /** The heap that it is in, by the most urgent priority that waits. */
  level: number;
}

/** Owners whose used share is remembered while nothing of them waits. */
const maxRested = 4_096;

/**
 * Weighted fair queueing by owner with a head start for urgent work (borrowed virtual time). Each turn goes to the owner
 * that has used the least of its share, less the head start of what it waits with. Pure, and without a clock: adding,
 * removing and serving take O(log owners). What waits is bounded in all, and for each owner by the places that are
 * free, so a greedy owner cannot fill the queue.
 */
export class FairQueue<T> {
  readonly #options: FairQueueOptions;
  readonly #owners = new Map<string, Owner<T>>();
  /** The used share of owners without anything that waits, where it is more than that of those that wait. */
  readonly #rested = new Map<string, number>();
  readonly #levels = priorities.map(() => new OwnerHeap<Owner<T>>());
  #size = 0;
  #time = 0;
  #order = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** How many owners wait. */
  get owners(): number {
    return this.#owners.size;
  }

  /** The most urgent priority that waits. */
  get priority(): Priority | null {
    return priorities.find((_, level) => (this.#levels[level]?.size ?? 0) > 0) ?? null;
  }

  /** How many of this owner wait. */
  waitingOf(owner: string): number {
    return this.#owners.get(owner)?.size ?? 0;
  }

  /** Queues a value. Null: the owner has no place left; nothing changed. */
  add(value: T, name: string, priority: Priority): Ticket<T> | null {
    const { places, placesPerOwner = places } = this.#options;
    const waiting = this.waitingOf(name);
    if (waiting >= placesPerOwner || !mayHold(waiting, places - this.#size)) return null;
    const owner = this.#owners.get(name) ?? this.#enter(name);
    const ticket: Ticket<T> = { value, owner: name, priority, list: null, before: null, after: null };
    listOf(owner, priority).add(ticket);
    owner.size++;
    this.#size++;
    this.#place(owner);
    return ticket;
  }

  /** Takes a value out, wherever it is. False: it has left the queue before. */
  remove(ticket: Ticket<T>): boolean {
    const owner = ticket.list === null ? undefined : this.#owners.get(ticket.owner);
    if (!owner || ticket.list !== listOf(owner, ticket.priority)) return false;
    this.#drop(owner, ticket);
    this.#place(owner);
    return true;
  }

  /** Serves the next value, of an owner that `mayServe` accepts. Null: nothing waits that may be served. */
  next(mayServe: (owner: string) => boolean = () => true): Ticket<T> | null {
    const passed: Owner<T>[] = [];
    let owner = this.#first();
    while (owner && !mayServe(owner.name)) {
      this.#levels[owner.level]?.remove(owner);
      passed.push(owner);
      owner = this.#first();
    }
    for (const one of passed) this.#levels[one.level]?.add(one);
    return owner ? this.#serve(owner) : null;
  }

  /**
   * How many turns pass before that of a value which this owner adds now, at most. Owners that wait with less urgent
   * work do not count.
   */
  turnsBefore(name: string, priority: Priority): number {
    const level = priorities.indexOf(priority);
    const owner = this.#owners.get(name);
    const ahead = owner?.lists.slice(0, level + 1).reduce((sum, list) => sum + list.size, 0) ?? 0;
    const rivals = this.#levels.slice(0, level + 1).reduce((sum, heap) => sum + heap.size, 0);
    const others = owner && owner.level <= level ? rivals - 1 : rivals;
    return ahead + Math.min(this.#size - (owner?.size ?? 0), (ahead + 1) * others);
  }

  #enter(name: string): Owner<T> {
    const time = Math.max(this.#time, this.#rested.get(name) ?? 0);
    this.#rested.delete(name);
    const owner: Owner<T> = {
      name,
      lists: priorities.map(() => new TicketList<T>()),
      passedOver: priorities.map(() => 0),
      size: 0,
      level: -1,
      time,
      order: this.#order++,
      position: -1,
    };
    this.#owners.set(name, owner);
    return owner;
  }

  /** Puts an owner where its time and its work belong, or lets it go. */
  #place(owner: Owner<T>): void {
    this.#levels[owner.level]?.remove(owner);
    owner.level = owner.lists.findIndex((list) => list.size > 0);
    this.#levels[owner.level]?.add(owner);
    if (owner.size > 0) return;
    this.#owners.delete(owner.name);
    this.#rest(owner);
  }

  #rest({ name, time }: Owner<T>): void {
    // Without anything that waits there is nothing to share: all begin again.
    if (this.#size === 0) {
      this.#rested.clear();
      this.#time = 0;
      return;
    }
    if (time > this.#time) this.#rested.set(name, time);
    if (this.#rested.size <= maxRested) return;
    for (const [other, used] of this.#rested) if (used <= this.#time) this.#rested.delete(other);
    const [oldest] = this.#rested.keys();
    if (this.#rested.size > maxRested && oldest !== undefined) this.#rested.delete(oldest);
  }

  #first(): Owner<T> | undefined {
    let best: Owner<T> | undefined;
    for (const { first } of this.#levels) if (first && (!best || isAhead(first, best))) best = first;
    return best;
  }

  #serve(owner: Owner<T>): Ticket<T> | null {
    const priority = this.#choose(owner);
    const ticket = priority === null ? null : listOf(owner, priority).first;
    if (!ticket) return null;
    const least = this.#levels.reduce((min, { first }) => Math.min(min, first?.time ?? min), owner.time);
    this.#time = Math.max(this.#time, least);
    this.#drop(owner, ticket);
    owner.time += 1 / (this.#options.weightOf?.(owner.name) ?? 1);
    owner.order = this.#order++;
    this.#place(owner);
    return ticket;
  }

  /** The most urgent work of an owner, or less urgent work that was passed over often. */
  #choose({ lists, passedOver }: Owner<T>): Priority | null {
    const waiting = priorities.filter((_, level) => (lists[level]?.size ?? 0) > 0);
    const starved = waiting.find((one) => (passedOver[priorities.indexOf(one)] ?? 0) >= passedOverLimit);
    const chosen = starved ?? waiting[0] ?? null;
    for (const [level, priority] of priorities.entries()) {
      const isPassedOver = priority !== chosen && waiting.includes(priority);
      passedOver[level] = isPassedOver ? (passedOver[level] ?? 0) + 1 : 0;
    }
    return chosen;
  }

  #drop(owner: Owner<T>, ticket: Ticket<T>): void {
    ticket.list?.remove(ticket);
    owner.size--;
    this.#size--;
  }
}

function listOf<T>({ lists }: Owner<T>, priority: Priority): TicketList<T> {
  const list = lists[priorities.indexOf(priority)];
  if (!list) throw new Error(`no priority ${priority}`);
  return list;
}

function isAhead<T>(a: Owner<T>, b: Owner<T>): boolean {
  const [first, second] = [urgency(a), urgency(b)];
  if (first !== second) return first < second;
  return a.level !== b.level ? a.level < b.level : a.order < b.order;
}

function urgency<T>({ time, level }: Owner<T>): number {
  const priority = priorities[level];
  return time - (priority === undefined ? 0 : headStart[priority]);
}
