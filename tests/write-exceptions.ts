import type { WriteException } from './domain-layout.ts';

/**
 * The code besides `ledger/` that writes a table other than configuration, and why it needs no command: none of these tables has orders, money, or an
 * operator's decisions. Do not add what could be a command of the ledger writer.
 */
export const WRITE_EXCEPTIONS: readonly WriteException[] = [
  {
    file: 'notifications/statements.ts',
    table: 'notification',
    reason:
      'Where delivery stands: claims, results and the host backlog. The ledger writes the notification itself and each resend.',
  },
  {
    file: 'notifications/statements.ts',
    table: 'notification_attempt',
    reason: 'A log of what was sent and what the endpoint answered; it is purged after its time.',
  },
  {
    file: 'notifications/statements.ts',
    table: 'merchant',
    reason: 'The pause of notifications is configuration: the operation sets it within changeConfiguration.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'statement_file',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'statement_chunk',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'statement_line',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'statement_unparsed',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'reconciled_channel',
    reason: 'The first statement says from which day its channel is reconciled.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'reconciliation_day',
    reason: 'Which days statements cover, and what they show.',
  },
  {
    file: 'reconciliation/files/statements.ts',
    table: 'reconciliation_break',
    reason: 'Charges and rows that cannot be read are found at the import. Decisions come later.',
  },
  {
    file: 'reconciliation/expectations/statements.ts',
    table: 'statement_expectation',
    reason: 'What statements have to show follows from the transfers.',
  },
  {
    file: 'reconciliation/expectations/statements.ts',
    table: 'expectation_progress',
    reason: 'Up to which transfer that was done.',
  },
  {
    file: 'reconciliation/expectations/statements.ts',
    table: 'reconciliation_day',
    reason: 'Sums of the expectations by day.',
  },
  {
    file: 'reconciliation/matching/statements.ts',
    table: 'due_day',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/statements.ts',
    table: 'open_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/statements.ts',
    table: 'open_expectation',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/statements.ts',
    table: 'wanted_break',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/breaks/statements.ts',
    table: 'wanted_break',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/statements.ts',
    table: 'matched_line',
    reason: 'Which line and which transfers are the same movement. It moves no money.',
  },
  {
    file: 'reconciliation/breaks/statements.ts',
    table: 'matched_line',
    reason: 'What a decision explains, within changeConfiguration, with its transfer and audit record.',
  },
  {
    file: 'reconciliation/matching/statements.ts',
    table: 'matched_expectation',
    reason: 'Which line and which transfers are the same movement. It moves no money.',
  },
  {
    file: 'reconciliation/breaks/statements.ts',
    table: 'matched_expectation',
    reason: 'What a decision explains, within changeConfiguration, with its transfer and audit record.',
  },
  {
    file: 'reconciliation/breaks/statements.ts',
    table: 'reconciliation_break',
    reason:
      'What differs is found by matching. Decisions are written within changeConfiguration, with transfer and audit record.',
  },
  {
    file: 'reconciliation/breaks/statements.ts',
    table: 'reconciliation_day',
    reason: 'Which days are matched, or have to be matched again.',
  },
  {
    file: 'reconciliation/days/statements.ts',
    table: 'reconciliation_day',
    reason: 'A day is closed and reopened within changeConfiguration, with its transfer and audit record.',
  },
  {
    file: 'reconciliation/days/statements.ts',
    table: 'reconciled_channel',
    reason: 'How a channel is reconciled is set within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/statements.ts',
    table: 'note',
    reason:
      'Words of an operator, which decide nothing. They are written within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/statements.ts',
    table: 'assignment',
    reason:
      'Who works on what informs others and decides nothing. It is written within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/statements.ts',
    table: 'attached_file',
    reason:
      'What operators bring as evidence, which decides nothing. It is written within changeConfiguration, with an audit record.',
  },
  {
    file: 'work/statements.ts',
    table: 'file_content',
    reason: 'The content of files by its hash. It is written before its file, so that no wallet is held for long.',
  },
  {
    file: 'channels/statements.ts',
    table: 'channel_call',
    reason: 'A log of calls, written in bulk a moment later; a crash may lose that moment.',
  },
  {
    file: 'channels/statements.ts',
    table: 'channel_memory',
    reason: 'Ids that a provider gave, such as that of a beneficiary. They decide nothing, and the first one stays.',
  },
  {
    file: 'orders/figures/roll-up/statements.ts',
    table: '?',
    reason: 'The figures, and how far their roll-up has come; the figures follow from the orders.',
  },
  {
    file: 'channels/health/statements.ts',
    table: 'channel_health',
    reason: 'Sums of the call log by minute and hour, which a crash of the log may cut.',
  },
  {
    file: 'notifications/hosts/statements.ts',
    table: 'host_health',
    reason: 'The last attempts at each host, which follow from the log of attempts.',
  },
  {
    file: 'database/roll-up-log.ts',
    table: 'log_progress',
    reason: 'Up to which minute the logs are summed up.',
  },
  {
    file: 'orders/search/statements.ts',
    table: 'order_search',
    reason: 'What orders are found by, which follows from the orders.',
  },
  {
    file: 'orders/search/statements.ts',
    table: 'order_search_progress',
    reason: 'Which orders can be found already.',
  },
  {
    file: 'orders/watch/statements.ts',
    table: 'order_watch',
    reason: 'When ended orders are queried again, which follows from their transitions. What is found is a command.',
  },
  {
    file: 'orders/watch/statements.ts',
    table: 'order_watch_progress',
    reason: 'Which ended orders are in the watch already.',
  },
  {
    file: 'configuration/statements.ts',
    table: 'order_search_progress',
    reason: 'With a new secret all orders have to be made findable again.',
  },
  {
    file: 'configuration/statements.ts',
    table: '?',
    reason: 'Seals whatever the service keeps sealed with the new secret, while no service runs.',
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
    file: 'database/purge-old-rows.ts',
    table: '?',
    reason:
      'Deletes delivered notifications, attempts, channel calls and what adapters stored about ended orders after their time, once they are archived.',
  },
  {
    file: 'database/purge-old-rows.ts',
    table: 'retention',
    reason: 'Says up to when rows were purged, before the first of them is gone, so that the audit does not miss them.',
  },
];
