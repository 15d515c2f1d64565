import type { FetchedStatement } from '@tidegate/domain/channels';
import type {
  StatementFormat,
  StatementLine,
  StatementOptions,
  StatementSummary,
} from '@tidegate/domain/reconciliation';

/** Reads a fetched statement as a whole. Fails unless it is ready. */
export async function readStatement(
  format: StatementFormat | undefined,
  fetched: FetchedStatement | undefined,
  options: StatementOptions,
): Promise<{ lines: StatementLine[]; unparsed: string[]; summaries: StatementSummary[] }> {
  if (!format) throw new Error('there is no such format');
  if (fetched?.outcome !== 'ready') throw new Error(`not ready: ${fetched?.detail}`);
  const lines: StatementLine[] = [];
  const unparsed: string[] = [];
  const summaries: StatementSummary[] = [];
  for await (const row of format.read(fetched.bytes, options)) {
    if (row.kind === 'line') lines.push(row.line);
    else if (row.kind === 'unparsed') unparsed.push(row.reason);
    else summaries.push(row.summary);
  }
  return { lines, unparsed, summaries };
}
