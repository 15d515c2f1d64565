import { changeSecret } from '@tidegate/domain/admin';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { rejected } from '../rejections.ts';

export const changeSecretCommand = defineCommand({
  name: 'change-secret',
  group: 'First set-up',
  summary:
    'seal keys and credentials with a new TIDEGATE_SECRET, read from a file. Stop every process before, and start them with the new secret',
  kind: 'change',
  roles: ['admin'],
  fields: {
    file: argument('<file>', 'holds the new secret, 64 hexadecimal digits (openssl rand -hex 32); - reads it', String),
  },
  async run({ domain, operator, reason, readInput }, { file }) {
    const secret = (await readInput(file)).trim();
    if (!/^[0-9a-fA-F]{64}$/.test(secret) || new Set(secret.toLowerCase()).size < 8)
      return refused('the file has to hold 64 random hexadecimal digits (openssl rand -hex 32)');
    const changed = await changeSecret(domain, secret, { actor: operator.operatorId, approver: null, reason });
    if (!changed.ok) return rejected('secret', changed);
    return done('Sealed again. Start every process with the new secret.', { ...changed.value });
  },
});
