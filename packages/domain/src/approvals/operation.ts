import type * as z from 'zod';
import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess, OperatorsAccess } from '../configuration/index.ts';
import type { Country } from '../core/country.ts';
import type { Decision } from '../core/operator.ts';
import type { Role, SignIn } from '../core/operator-rights.ts';
import type { Order } from '../core/order.ts';
import type { Outcome } from '../core/rejection.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { ChangeAccess, LedgerAccess, MovementLimit } from '../ledger/index.ts';
import type { DeliveryAccess } from '../notifications/index.ts';

/** When a second operator is needed, and how one agrees. */
export interface ApprovalRules extends MovementLimit {
  /** The kind of sign-in that asks for and decides what needs two; null: not chosen. */
  approvalSignIn: SignIn | null;
  /** How long a second operator has to agree, in ms. */
  approvalLifetime: number;
}

/** What the operations of the table need, all of them together. */
export interface OperationAccess
  extends LedgerAccess,
    ChangeAccess,
    DirectoryAccess,
    OperatorsAccess,
    ChannelAccess,
    DeliveryAccess,
    ApprovalRules,
    Telemetry {}

/** What an operation is about, by its names; `findFacts` looks it up. */
export type About =
  | { kind: 'platform' }
  | { kind: 'merchant'; merchantId: string }
  | { kind: 'new_merchant'; merchantId: string; country: Country }
  /** A merchant, or the platform's own tenant of a country, where unmatched money lies. */
  | { kind: 'tenant'; merchantId: string; absent: 'case_not_found' | 'finding_not_found' }
  | { kind: 'order'; orderNo: string };

/** What an operation is about, as the database has it. */
export interface Facts {
  /** In whose chain of audit records it is kept: a merchant, or one of the platform's own tenants. */
  tenant: string;
  /** Null for what concerns the whole platform. */
  country: Country | null;
  order: Order | null;
}

/** Who does it, where, and by whose leave. */
export interface OperationContext {
  domain: OperationAccess;
  by: Decision;
  /** The id of the token that the requester uses; null for a token of an identity provider. */
  tokenId: string | null;
}

/** `above_limit`: it counts towards what an operator may move alone in a day, and needs two once that would be exceeded. */
export type NeedsSecond = boolean | 'above_limit';

/** The end of the summary of what counts towards the daily limit. */
export const aboveLimit = ' Above your daily limit it needs a second operator.';

/** What decides whether a second operator has to agree. */
export interface SecondOperatorFacts extends Facts {
  operatorId: string;
}

/** One thing that an operator may do. `Schema` reads its input, `Value` is what it gives once it is done. */
export interface Operation<Schema extends z.ZodObject, Value> extends Definition<Schema, Value> {
  about(input: z.output<Schema>): About;
  /** What else it leads to, which has to be within an operator's restriction too. */
  alsoAffects?(input: z.output<Schema>): About | null;
}

/** An operation whose input is not known: what the table is walked with. */
export type AnyOperation = Omit<
  Operation<z.ZodObject, unknown>,
  'about' | 'alsoAffects' | 'subject' | 'needsSecond' | 'pin' | 'channelOf' | 'execute'
> & {
  about(input: never): About;
  alsoAffects?(input: never): About | null;
  subject(input: never): string;
  needsSecond?(input: never, asked: SecondOperatorFacts): NeedsSecond;
  pin?(input: never, facts: Facts): object;
  channelOf?(input: never): string;
  execute(context: OperationContext, input: never, facts: Facts): Promise<Outcome<unknown>>;
};

interface Definition<Schema extends z.ZodObject, Value> {
  /** One sentence for people, as the command line and the API show it. */
  summary: string;
  /** The requester and the approver each need at least one of these roles. */
  roles: readonly Role[];
  /** An object whose fields all have a form (`inputFields`). */
  input: Schema;
  /** What it is about in a word or two, for lists of approvals: an order, a key, a booking number. */
  subject(input: z.output<Schema>): string;
  /** Whether somebody else has to agree; left out: never. */
  needsSecond?(input: z.output<Schema>, asked: SecondOperatorFacts): NeedsSecond;
  /** It is one of the two decisions that two people have to make, so that only the sign-in that decides approvals is good for it. */
  needsApprovalSignIn?: true;
  /** A channel that it leads to, which has to be within the operator's restriction too. */
  channelOf?(input: z.output<Schema>): string;
  /** What is kept for the second operator, where more is to be nailed down than what was said. */
  pin?(input: z.output<Schema>, facts: Facts): z.output<Schema>;
  execute(context: OperationContext, input: z.output<Schema>, facts: Facts): Promise<Outcome<Value>>;
}

/** An operation on one merchant, which has to be there. */
export function onMerchant<Schema extends z.ZodObject & z.ZodType<{ merchantId: string }>, Value>(
  definition: Definition<Schema, Value>,
): Operation<Schema, Value> {
  return { ...definition, about: ({ merchantId }) => ({ kind: 'merchant', merchantId }) };
}

interface OnOrder<Schema extends z.ZodObject, Value> extends Omit<Definition<Schema, Value>, 'subject' | 'execute'> {
  execute(context: OperationContext, order: Order, input: z.output<Schema>): Promise<Outcome<Value>>;
}

/** An operation on one order, which has to be there. */
export function onOrder<Schema extends z.ZodObject & z.ZodType<{ orderNo: string }>, Value>({
  execute,
  ...definition
}: OnOrder<Schema, Value>): Operation<Schema, Value> {
  return {
    ...definition,
    about: ({ orderNo }) => ({ kind: 'order', orderNo }),
    subject: ({ orderNo }) => orderNo,
    execute: async (context, input, { order }) =>
      order ? execute(context, order, input) : { ok: false, rejection: 'order_not_found' },
  };
}

/** An operation on what is no merchant's: only operators without a restriction may do it. */
export function onPlatform<Schema extends z.ZodObject, Value>(
  definition: Definition<Schema, Value>,
): Operation<Schema, Value> {
  return { ...definition, about: () => ({ kind: 'platform' }) };
}
