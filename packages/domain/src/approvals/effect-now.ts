import { effectText } from '../core/effect.ts';
import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import type { OperationAccess } from './operation.ts';
import type { Target } from './rights-now.ts';

/** What an operation would do at this moment. */
export interface EffectNow {
  /** To money and statuses, as `effectText` writes it. */
  text: string;
  /** The version of the configuration that it would change; null: it changes none, or several. */
  version: string | null;
}

/**
 * What an operation would do at this moment: decided by the ledger writer as if
 * a second operator had approved it, without effect. Refusals are those of the operation.
 */
export async function effectNow(
  domain: OperationAccess,
  { operation, facts, input }: Target,
  { actor, reason, expectedVersion }: Pick<Decision, 'actor' | 'reason' | 'expectedVersion'>,
): Promise<Outcome<EffectNow>> {
  const lines: string[] = [];
  const versions: (string | null)[] = [];
  const seen = expectedVersion !== undefined && { expectedVersion };
  const by = { actor, approver: anyOther, reason, rehearsal: true, ...seen } as const;
  const rehearsing: OperationAccess = {
    ...domain,
    commit: async (command) => {
      const result = await domain.commit(command);
      if (result.ok) lines.push(...(result.effect ?? []));
      return result;
    },
    rehearsed: ({ effect, version }) => {
      lines.push(...effect);
      versions.push(version);
    },
  };
  const done = await operation.execute({ domain: rehearsing, by, tokenId: null }, input, facts);
  if (!done.ok) return done;
  const [version = null, another] = versions;
  return { ok: true, value: { text: effectText(lines), version: another === undefined ? version : null } };
}

/** An id that no operator has, for a second operator who is not known yet. */
export const anyOther = '(another operator)';
