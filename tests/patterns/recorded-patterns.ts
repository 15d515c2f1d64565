import { readFileSync, writeFileSync } from 'node:fs';
import { checkers } from './check-pattern.ts';

/** The patterns that were checked to be linear, one in each line, after a line that names the libraries. */
const record = new URL('./linear-patterns.txt', import.meta.url);

export function readRecord(): { checkers: string; patterns: string[] } {
  const [first = '', ...patterns] = readFileSync(record, 'utf8').trimEnd().split('\n');
  return { checkers: first.replace(/^# Linear by /, ''), patterns };
}

export function writeRecord(patterns: readonly string[]): void {
  writeFileSync(record, `# Linear by ${checkers}\n${patterns.join('\n')}\n`);
}
