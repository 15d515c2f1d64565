import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fingerprintOf, makeCode } from '@tidegate/domain/operators';
import { done, refused } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { fileProblem } from '../line/file-problem.ts';

export const makeCodeCommand = defineCommand({
  name: 'make-code',
  group: 'Operators',
  summary:
    'make your own code in a new file. Keep the code secret, and give its fingerprint to the two operators who invite you. Needs no operator and no database',
  kind: 'local',
  roles: null,
  fields: { file: argument('<file>', 'where the code is written, for redeem-code', String) },
  async runLocal({ file }) {
    const code = makeCode(randomBytes(32));
    try {
      // No line break, so that sha256sum of the file is the fingerprint.
      writeFileSync(file, code, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      return refused(`${file} cannot be written: ${fileProblem(error) ?? 'the system refuses it'}`);
    }
    const fingerprint = fingerprintOf(code);
    return done('Your code is in the file. Give the fingerprint to both operators. Keep the code secret.', {
      file,
      fingerprint,
    });
  },
  run: () => Promise.reject(new Error('make-code runs without a domain')),
});
