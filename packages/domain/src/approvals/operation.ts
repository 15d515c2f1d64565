import type * as z from 'zod';
import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess, OperatorsAccess } from '../configuration/index.ts';
import type { Command } from '../core/commands.ts';
import type { Country } from '../core/country.ts';
import type { Decision } from '../core/operator.ts';
import type { Role, SignIn } from '../core/operator-rights.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase } from '../core/payment.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { ChangeAccess, LedgerAccess, MovementLimit, RehearsalAccess } from '../ledger/index.ts';
import type { DeliveryAccess } from '../notifications/index.ts';
import type { StatementAccess } from '../reconciliation/index.ts';

/** When a second operator is needed, and how they have to sign in. */
export interface ApprovalRules extends MovementLimit {
  /** The kind of sign-in that may request and decide operations with a second operator; null: not configured. */
  approvalSignIn: SignIn | null;
  /** How long an approval stays pending, in ms. */
  approvalLifetime: number;
}

/** Everything that the operations of the table need. */
export interface OperationAccess
  extends LedgerAccess,
    ChangeAccess,
    DirectoryAccess,
    OperatorsAccess,
    ChannelAccess,
    DeliveryAccess,
    ApprovalRules,
    RehearsalAccess,
    StatementAccess,
    Telemetry {}

/** The subject of an operation, by its identifiers. `findFacts` looks it up. */
export type About =
  | { kind: 'platform' }
  | { kind: 'merchant'; merchantId: string }
  | { kind: 'new_merchant'; merchantId: string; country: Country }
  /** A merchant, or the platform's own tenant of a country, where unmatched money lies. */
  | { kind: 'tenant'; merchantId: string; absent: 'case_not_found' | 'finding_not_found' | 'break_not_found' }
  | { kind: 'order'; orderNo: string };

/** The subject of an operation, as found in the database. */
export interface Facts {
  /** The tenant whose audit records have it: a merchant, or one of the platform's own tenants. */
  tenant: string;
  /** Null for operations on the whole platform. */
  country: Country | null;
  order: Order | null;
}

/** The domain, the decision and the token with which an operation is executed. */
export interface OperationContext {
  domain: OperationAccess;
  by: Decision;
  /** The id of the requester's token; null for a token of an identity provider. */
  tokenId: string | null;
}

/** Roles that an operator is to have. */
export interface Grant {
  operatorId: string;
  roles: readonly Role[];
}

/**
 * `above_limit`: the operation counts towards the daily limit, and needs a second operator when the limit would be
 * exceeded.
 * `if_it_opens_more`: the operation needs a second operator if it lets more through than before.
 */
export type NeedsSecond = boolean | 'above_limit' | 'if_it_opens_more';

/** Ends the summary of an operation that counts towards the daily limit. */
export const aboveLimit = ' Above your daily limit it needs a second operator.';

/** The facts that decide whether a second operator is needed. */
export interface SecondOperatorFacts extends Facts {
  operatorId: string;
}

/** What an operation would decide about, if it decides by a command of the ledger writer. */
export interface Subject {
  /** The order, or the order of the case. */
  order: Order | null;
  /** The case. */
  found: MoneyCase | null;
}

/** The row that an `expectedVersion` is the version of. */
export type Versioned =
  | 'order'
  | 'notification, or without a status of the order,'
  | 'case'
  | 'break'
  | 'merchant'
  | 'channel'
  | 'operator'
  | 'key'
  | 'fee rule'
  | 'route'
  | 'settlement cycle'
  | 'reconciliation';

const keptForApproval: readonly Versioned[] = [
  'merchant',
  'channel',
  'operator',
  'key',
  'fee rule',
  'route',
  'settlement cycle',
  'reconciliation',
];

/** Whether its `expectedVersion` is checked again when a second operator approves. Orders, cases and breaks have rules of their own. */
export function keepsExpectedVersion({ versioned }: Pick<AnyOperation, 'versioned'>): boolean {
  return versioned !== undefined && keptForApproval.includes(versioned);
}

/** Whether a request is about the configuration as it is then, also if the requester named no version of it. */
export function isAboutVersion(operation: Pick<AnyOperation, 'versioned'>): boolean {
  return operation.versioned === undefined || keepsExpectedVersion(operation);
}

/** One operation of the table. `Schema` reads its input, `Value` is its result. */
export interface Operation<Schema extends z.ZodObject, Value> extends Definition<Schema, Value> {
  about(input: z.output<Schema>): About;
  /** Objects that the operation also affects. They have to be within the restriction of the operator too. */
  alsoAffects?(input: z.output<Schema>): About | null;
}

/**
 * An operation of the table whose input its schema has read: a record, whatever its fields are. It accepts only what
 * `readInput` returned for the same operation.
 */
export type AnyOperation = Operation<z.ZodObject, unknown>;

/** Input that the schema of its operation has read. */
export type ReadInput = z.output<z.ZodObject>;

interface Definition<Schema extends z.ZodObject, Value> {
  /** One sentence for operators, shown by the command line and the API. */
  summary: string;
  /**
   * What a request does, in a few words, from its input. The words name the outcome, so that two requests about one object
   * never look alike. They say no amount of money, which screens show beside them, and nothing personal. Every operation
   * that may need a second operator has a title, and no other.
   */
  title?(input: z.output<Schema>): string;
  /** The requester and the approver each need at least one of these roles. */
  roles: readonly Role[];
  /** An object whose fields are all listed by `inputFields`. */
  input: Schema;
  /** The subject in a word or two, for lists of approvals: an order, a key, a booking number. */
  subject(input: z.output<Schema>): string;
  /** Further objects of the same tenant that it decides about. While a request waits, no other one about them may. */
  alsoSubjects?(input: z.output<Schema>): readonly string[];
  /** Whether a second operator is needed. Default: never. */
  needsSecond?(input: z.output<Schema>, request: SecondOperatorFacts): NeedsSecond;
  /**
   * The operation changes something that belongs to no merchant, so only operators without a restriction may request
   * it.
   */
  isPlatform?: true;
  /**
   * Why the operation is refused, whether or not a second operator approves. It is checked before the operation is
   * executed, and for `allowedActions`.
   */
  problem?(input: z.output<Schema>, request: SecondOperatorFacts): Refused | null;
  /** The command that decides the operation. `allowedActions` tries it without effect. */
  trial?(input: z.output<Schema>, subject: Subject, by: Decision): Command;
  /** The row to which an `expectedVersion` refers. Default: none. */
  versioned?: Versioned;
  /** The operation creates a row, so an `expectedVersion` can be `new`. */
  creates?: true;
  /**
   * The operation is one of two decisions that different people have to make. So it needs the same kind of sign-in as
   * approvals.
   */
  needsApprovalSignIn?: true;
  /**
   * The field with the channel that the operation uses. The channel has to be within the restriction of the operator
   * too.
   */
  channelField?: 'channelId';
  /** The roles that the operation gives to an operator. The requester has to hold the new ones. */
  grants?(input: z.output<Schema>): Grant | null;
  /** The input that is stored for the second operator, if it has to contain more than the requester sent. */
  pin?(input: z.output<Schema>, facts: Facts, domain: OperationAccess): z.output<Schema> | Promise<z.output<Schema>>;
  /** Recorded fields whose value, such as a key, is made only when the operation is executed. */
  unforeseen?: readonly string[];
  execute(context: OperationContext, input: z.output<Schema>, facts: Facts): Promise<Outcome<Value>>;
}

/** An operation on one existing merchant. */
export function onMerchant<Schema extends z.ZodObject & z.ZodType<{ merchantId: string }>, Value>(
  definition: Definition<Schema, Value>,
): Operation<Schema, Value> {
  return { ...definition, about: ({ merchantId }) => ({ kind: 'merchant', merchantId }) };
}

interface OnOrder<Schema extends z.ZodObject, Value>
  extends Omit<Definition<Schema, Value>, 'subject' | 'execute' | 'problem' | 'trial'> {
  problem?(order: Order): Refused | null;
  trial?(order: Order, input: z.output<Schema>, by: Decision): Command;
  execute(context: OperationContext, order: Order, input: z.output<Schema>): Promise<Outcome<Value>>;
}

/** An operation on one existing order. */
export function onOrder<Schema extends z.ZodObject & z.ZodType<{ orderNo: string }>, Value>({
  execute,
  problem,
  trial,
  ...definition
}: OnOrder<Schema, Value>): Operation<Schema, Value> {
  return {
    versioned: 'order',
    ...definition,
    ...(problem && { problem: (_, { order }) => order && problem(order) }),
    ...(trial && { trial: (input, { order }, by) => trial(order ?? missing(), input, by) }),
    about: ({ orderNo }) => ({ kind: 'order', orderNo }),
    subject: ({ orderNo }) => orderNo,
    execute: async (context, input, { order }) =>
      order ? execute(context, order, input) : { ok: false, rejection: 'order_not_found' },
  };
}

/** An operation on the whole platform, for operators without a restriction. */
export function onPlatform<Schema extends z.ZodObject, Value>(
  definition: Definition<Schema, Value>,
): Operation<Schema, Value> {
  return { ...definition, isPlatform: true, about: () => ({ kind: 'platform' }) };
}

function missing(): never {
  throw new Error('an operation on an order was tried without one');
}
