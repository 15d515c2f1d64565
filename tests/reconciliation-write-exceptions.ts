import type { WriteException } from './domain-layout.ts';

/** What the reconciliation writes, and why it needs no command. */
export const RECONCILIATION_WRITE_EXCEPTIONS: readonly WriteException[] = [
  {
    file: 'reconciliation/files/queries.ts',
    table: 'statement_file',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/queries.ts',
    table: 'statement_chunk',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/formats/queries.ts',
    table: 'csv_profile',
    reason: 'How files are read. Written by changeConfiguration, with its audit record.',
  },
  {
    file: 'reconciliation/files/queries.ts',
    table: 'statement_line',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/queries.ts',
    table: 'statement_unparsed',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/files/queries.ts',
    table: 'reconciled_channel',
    reason: 'The first statement says from which day its channel is reconciled.',
  },
  {
    file: 'reconciliation/files/queries.ts',
    table: 'reconciliation_day',
    reason: 'Which days statements cover, and what they show.',
  },
  {
    file: 'reconciliation/files/queries.ts',
    table: 'reconciliation_break',
    reason: 'Charges and rows that cannot be read are found at the import. Decisions come later.',
  },
  {
    file: 'reconciliation/expectations/queries.ts',
    table: 'statement_expectation',
    reason: 'What statements have to show follows from the transfers.',
  },
  {
    file: 'reconciliation/expectations/queries.ts',
    table: 'expectation_progress',
    reason: 'Up to which transfer that was done.',
  },
  {
    file: 'reconciliation/expectations/queries.ts',
    table: 'reconciliation_day',
    reason: 'Sums of the expectations by day.',
  },
  {
    file: 'reconciliation/fetching/queries.ts',
    table: 'statement_fetch',
    reason: 'Which statements are due at channels, and what came of each attempt. It decides nothing about money.',
  },
  {
    file: 'reconciliation/fetching/queries.ts',
    table: 'statement_file',
    reason: 'A fetched file waits for its import from the same moment on in which its day has it.',
  },
  {
    file: 'reconciliation/matching/queries.ts',
    table: 'due_day',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/queries.ts',
    table: 'open_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/queries.ts',
    table: 'open_expectation',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/matching/queries.ts',
    table: 'wanted_break',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/rebookings/queries.ts',
    table: 'open_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/rebookings/queries.ts',
    table: 'matched_line',
    reason: 'Which lines take a movement back and book it again. It moves no money.',
  },
  {
    file: 'reconciliation/absences/queries.ts',
    table: 'open_absence',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/absences/queries.ts',
    table: 'open_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/absences/queries.ts',
    table: 'wanted_break',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/absences/queries.ts',
    table: 'matched_line',
    reason: 'A line that shows the movement of one that is gone gets its match. It moves no money.',
  },
  {
    file: 'reconciliation/answers/queries.ts',
    table: 'wanted_break',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/breaks/queries.ts',
    table: 'wanted_break',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/absences/queries.ts',
    table: 'reconciliation_break',
    reason: 'A line that takes over the match of one that is gone shows what differs.',
  },
  {
    file: 'reconciliation/matching/queries.ts',
    table: 'matched_line',
    reason: 'Which line and which transfers are the same movement. It moves no money.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'overlapping_statement',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'earlier_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'later_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'changed_line',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'matched_line',
    reason: 'Lines of a new version that an earlier one explains. It moves no money.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'superseded_line',
    reason: 'Lines that a new version replaces. It moves no money.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'reconciliation_break',
    reason: 'What a new version shows otherwise.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'reconciliation_day',
    reason: 'The lines that count for a day.',
  },
  {
    file: 'reconciliation/breaks/queries.ts',
    table: 'matched_line',
    reason: 'What a decision explains, within changeConfiguration, with its transfer and audit record.',
  },
  {
    file: 'reconciliation/matching/queries.ts',
    table: 'matched_expectation',
    reason: 'Which line and which transfers are the same movement. It moves no money.',
  },
  {
    file: 'reconciliation/breaks/queries.ts',
    table: 'matched_expectation',
    reason: 'What a decision explains, within changeConfiguration, with its transfer and audit record.',
  },
  {
    file: 'reconciliation/breaks/queries.ts',
    table: 'reconciliation_break',
    reason:
      'What differs is found by matching. Decisions are written within changeConfiguration, with transfer and audit record.',
  },
  {
    file: 'reconciliation/breaks/queries.ts',
    table: 'reconciliation_day',
    reason: 'Which days are matched, or have to be matched again.',
  },
  {
    file: 'reconciliation/days/queries.ts',
    table: 'reconciliation_day',
    reason: 'A day is closed and reopened within changeConfiguration, with its transfer and audit record.',
  },
  {
    file: 'reconciliation/days/queries.ts',
    table: 'reconciled_channel',
    reason: 'How a channel is reconciled is set within changeConfiguration, with an audit record.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'replaced_period',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'continued_day',
    reason: 'A temporary table of one transaction.',
  },
  {
    file: 'reconciliation/versions/queries.ts',
    table: 'statement_balance',
    reason: 'Which statements a newer one shows again. It decides nothing about money.',
  },
  {
    file: 'reconciliation/balances/queries.ts',
    table: 'statement_balance',
    reason: 'What was uploaded and what was read from it. It decides nothing about money.',
  },
  {
    file: 'reconciliation/balances/queries.ts',
    table: 'reconciliation_break',
    reason: 'Where the balances of statements do not continue is found at the import. Decisions come later.',
  },
  {
    file: 'reconciliation/balances/queries.ts',
    table: 'reconciliation_day',
    reason: 'Which days statements show as a whole.',
  },
];
