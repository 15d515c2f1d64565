import type { BlockList } from 'node:net';
import type { SignIn } from '../core/operator-rights.ts';
import type { Log, Observer } from '../ports/log.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { CallLog } from '../store/call-log.ts';
import type { Channels } from '../store/channels.ts';
import type { Commit } from '../store/commit.ts';
import type { Database } from '../store/database.ts';
import type { Deliveries } from '../store/deliveries.ts';
import type { Directory } from '../store/directory.ts';
import type { Operators } from '../store/operators.ts';
import type { OrderReads } from '../store/order-reads.ts';
import type { ServiceKeys } from '../store/service-keys.ts';
import type { Statements } from '../store/statements.ts';
import type { Vault } from '../store/vault.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { ChannelSlots } from './channel-slots.ts';

/** What every use-case works with: a plain record, wired once per process by `openDomain`. */
export interface Domain {
  database: Database;
  sql: Statements;
  commit: Commit;
  directory: Directory;
  channels: Channels;
  /** The channel adapters that are installed. */
  adapterNames: readonly string[];
  /** Which channels hang. */
  channelHealth: ChannelHealth;
  /** For payins that are submitted within the merchant's request. */
  createSlots: ChannelSlots;
  callLog: CallLog;
  /** Plain reads, for those who ask how an order stands. */
  orders: OrderReads;
  deliveries: Deliveries;
  operators: Operators;
  serviceKeys: ServiceKeys;
  vault: Vault;
  log: Log;
  observer: Observer;
  tracer: Tracer;
  publicBaseUrl: string;
  scheduleScale: number;
  /** What an operator may move in a UTC day without a second one, in each currency: decimal text. */
  approvalLimit: string;
  /** The kind of sign-in that asks for and decides what needs two; null: not chosen. */
  approvalSignIn: SignIn | null;
  /** How long a second operator has to agree, in ms. */
  approvalLifetime: number;
  /** Networks beyond the public ones where notifications may go. */
  notifyNetworks: BlockList;
  /** Networks beyond the public ones where channels may be. */
  channelNetworks: BlockList;
  /** Throws when the database does not answer within a second. */
  ready(): Promise<void>;
  /** Finishes what waits at the seam, then closes the connections. */
  close(): Promise<void>;
}
