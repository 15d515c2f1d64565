import type { WriteException } from './domain-layout.ts';
import { RECONCILIATION_WRITE_EXCEPTIONS } from './reconciliation-write-exceptions.ts';

/**
 * The code besides `ledger/` that writes a table other than configuration, and why it needs no command: none of these tables has orders, money, or an
 * operator's decisions. Do not add what could be a command of the ledger writer.
 */
export const WRITE_EXCEPTIONS: readonly WriteException[] = [
  ...RECONCILIATION_WRITE_EXCEPTIONS,
  {
    file: 'settlement/schedule/queries.ts',
    table: 'settlement_run',
    reason: 'Up to which day cycles were drafted by schedule. The drafts are commands.',
  },
  {
    file: 'notifications/queries.ts',
    table: 'notification',
    reason:
      'Where delivery stands: claims, results and the host backlog. The ledger writes the notification itself and each resend.',
  },
  {
    file: 'notifications/queries.ts',
    table: 'notification_attempt',
    reason: 'A log of what was sent and what the endpoint answered; it is purged after its time.',
  },
  {
    file: 'notifications/queries.ts',
    table: 'merchant',
    reason: 'The pause of notifications is configuration: the operation sets it within changeConfiguration.',
  },
  {
    file: 'work/queries.ts',
    table: 'note',
    reason:
      'Words of an operator, which decide nothing. They are written within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/queries.ts',
    table: 'assignment',
    reason:
      'Who works on what informs others and decides nothing. It is written within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/queries.ts',
    table: 'attached_file',
    reason:
      'What operators bring as evidence, which decides nothing. It is written within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/queries.ts',
    table: 'file_content',
    reason: 'The content of files by its hash. It is written before its file, so that no wallet is held for long.',
  },
  {
    file: 'exports/queries.ts',
    table: 'data_export',
    reason:
      'What operators export, which decides nothing. Requests are written within changeConfiguration, with an audit record.',
  },
  {
    file: 'exports/queries.ts',
    table: 'data_export_chunk',
    reason: 'The files of exports, copies that are deleted after a week.',
  },
  {
    file: 'channels/queries.ts',
    table: 'channel_call',
    reason: 'A log of calls, written in bulk a moment later; a crash may lose that moment.',
  },
  {
    file: 'channels/queries.ts',
    table: 'channel_memory',
    reason:
      'What adapters keep between calls: ids, sends, answers. It can end an order, so the connections of the ledger write it. The first value stays.',
  },
  {
    file: 'orders/figures/roll-up/queries.ts',
    table: '?',
    reason: 'The figures, and how far their roll-up has come; the figures follow from the orders.',
  },
  {
    file: 'channels/queries.ts',
    table: 'channel_question',
    reason: 'What a process asks a worker to ask a channel, and the answer. The asker writes the answer to the ledger.',
  },
  {
    file: 'channels/health/queries.ts',
    table: 'channel_health',
    reason: 'Sums of the call log by minute and hour, which a crash of the log may cut.',
  },
  {
    file: 'notifications/hosts/queries.ts',
    table: 'host_health',
    reason: 'The last attempts at each host, which follow from the log of attempts.',
  },
  {
    file: 'database/roll-up-log.ts',
    table: 'log_progress',
    reason: 'Up to which minute the logs are summed up.',
  },
  {
    file: 'orders/search/queries.ts',
    table: 'order_search',
    reason: 'What orders are found by, which follows from the orders.',
  },
  {
    file: 'orders/search/queries.ts',
    table: 'order_search_progress',
    reason: 'Which orders can be found already.',
  },
  {
    file: 'orders/watch/queries.ts',
    table: 'order_watch',
    reason: 'When ended orders are queried again, which follows from their transitions. What is found is a command.',
  },
  {
    file: 'orders/watch/queries.ts',
    table: 'order_watch_progress',
    reason: 'Which ended orders are in the watch already.',
  },
  {
    file: 'configuration/queries.ts',
    table: 'order_search_progress',
    reason: 'With a new key of the hashes all orders have to be made findable again.',
  },
  {
    file: 'configuration/queries.ts',
    table: '?',
    reason: 'Seals whatever the service keeps sealed with a new key. What it says stays the same.',
  },
  {
    file: 'database/synchronise-countries.ts',
    table: 'country',
    reason: 'Migrating copies the countries of the code, to which CHECKs refer.',
  },
  {
    file: 'database/synchronise-countries.ts',
    table: 'transition_rule',
    reason: 'Migrating copies the transitions of the code, to which CHECKs refer.',
  },
  {
    file: 'database/synchronise-countries.ts',
    table: 'merchant',
    reason: "The platform's tenant of each country is made when migrating.",
  },
  {
    file: 'database/synchronise-countries.ts',
    table: 'wallet',
    reason: "The platform's tenant of each country begins with an empty wallet, as every merchant does.",
  },
  {
    file: 'database/partition-tables.ts',
    table: '?',
    reason: 'Copies whole tables into partitioned ones; no row changes.',
  },
  {
    file: 'database/restore-rows.ts',
    table: '?',
    reason: 'Inserts archived notifications, attempts and channel calls again, as they were.',
  },
  {
    file: 'database/restore-rows.ts',
    table: 'restored_period',
    reason: 'Says which periods were restored, before the first of their rows, so that no worker purges them.',
  },
  {
    file: 'database/purge-old-rows.ts',
    table: 'retention',
    reason:
      'Says up to when rows were purged, before the first of them is deleted, so that the audit does not miss them.',
  },
];
