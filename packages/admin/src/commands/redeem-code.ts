import type { Domain } from '@tidegate/domain';
import { redeemInvitation } from '@tidegate/domain/operators';
import { type Answer, done } from '../line/answer.ts';
import { defineCommand, type FirstContext } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { timeText } from '../line/views.ts';
import { rejected } from '../operations/rejections.ts';

type Given = Pick<FirstContext, 'domain' | 'readInput'>;

export const redeemCodeCommand = defineCommand({
  name: 'redeem-code',
  group: 'Operators',
  summary: 'exchange your code for a token, after two operators have invited you. Needs no operator',
  kind: 'anonymous',
  roles: null,
  fields: { file: argument('<file>', 'holds the code, from make-code; - reads it', String) },
  runFirst: (context, { file }) => redeem(context, file),
  run: (context, { file }) => redeem(context, file),
});

async function redeem({ domain, readInput }: Given & { domain: Domain }, file: string): Promise<Answer> {
  const redeemed = await redeemInvitation(domain, (await readInput(file)).trim());
  if (!redeemed.ok) return rejected('', redeemed);
  const { operatorId, expiresAt } = redeemed.value;
  const message = `A token for ${operatorId}. It is shown this once: keep it safe.`;
  return done(message, { ...redeemed.value, expiresAt: timeText(expiresAt) });
}
