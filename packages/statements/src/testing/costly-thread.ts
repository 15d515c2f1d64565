import type { StatementFormat } from '@tidegate/domain/reconciliation';
import { importableFormats } from '../importable-formats.ts';
import { readTasksOf } from '../threads/read-task.ts';

// A thread with formats that cost too much.

const recognises = () => false;

const endless: StatementFormat = {
  name: 'endless',
  version: 1,
  recognises,
  // biome-ignore lint/correctness/useYield: it never comes so far.
  async *read(bytes) {
    for await (const _ of bytes) for (;;);
  },
};

const hoarding: StatementFormat = {
  name: 'hoarding',
  version: 1,
  recognises,
  async *read(bytes) {
    const kept: object[] = [];
    for await (const _ of bytes) for (;;) kept.push({ kept: [kept.length] });
    yield { kind: 'unparsed', lineNo: kept.length, reason: 'too much' };
  },
};

const broken: StatementFormat = {
  name: 'broken',
  version: 1,
  recognises,
  // biome-ignore lint/correctness/useYield: it throws before.
  async *read() {
    throw new TypeError('a mistake in a format');
  },
};

export const costlyFormats = { endless, hoarding, broken };

export default readTasksOf({ ...importableFormats, ...costlyFormats });
