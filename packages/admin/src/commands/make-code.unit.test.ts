import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCodeCommand } from './make-code.ts';

test('the fingerprint equals what sha256sum prints for the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'code-'));
  try {
    const file = join(folder, 'my.code');
    const answer = await makeCodeCommand.runLocal?.({ file } as never);
    const fingerprint = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(answer).toMatchObject({ ok: true, result: { file, fingerprint } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
