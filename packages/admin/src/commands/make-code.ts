import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fingerprintOf, makeCode } from '@tidegate/domain/operators';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';

export const makeCodeCommand = defineCommand({
  name: 'make-code',
  group: 'Operators',
  summary:
    'make a code of your own, which nobody else ever sees: it is written to a new file, and its fingerprint is what you tell the two operators who invite you; needs no operator and no database',
  kind: 'local',
  roles: null,
  fields: { file: argument('<file>', 'where the code is written, for redeem-code', String) },
  async runLocal({ file }) {
    const code = makeCode(randomBytes(32));
    try {
      // No line break, so that sha256sum of the file is the fingerprint.
      writeFileSync(file, code, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      return refused(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
    }
    const fingerprint = fingerprintOf(code);
    return done('Your code is in the file. Tell both operators its fingerprint, and nobody the code.', {
      file,
      fingerprint,
    });
  },
  run: () => Promise.reject(new Error('make-code runs without a domain')),
});
