import type { Approval } from '../core/approval.ts';
import type { Currency } from '../core/country.ts';
import { mayAccess, type OperatorContext } from '../core/operator-rights.ts';
import { progressOfCase } from '../core/payment.ts';
import type { Refused } from '../core/rejection.ts';
import { currencyOf } from '../countries/index.ts';
import type { RehearsalResult, RehearsedChange } from '../ledger/index.ts';
import { unrestricted } from '../lists/scope.ts';
import { executableNow, targetOf, versionSeen } from './approve.ts';
import { anyOther } from './effect-now.ts';
import { findFacts, ownerOf, problemOfAffected } from './find-facts.ts';
import { inputFields } from './input-schemas.ts';
import { labelOf } from './labels.ts';
import { problemOfDeciding } from './may-decide.ts';
import type { AnyOperation, OperationAccess } from './operation.ts';
import { operationOf } from './operations.ts';
import { isSameValue, type TypedValue, typedInput, typedRecord } from './typed-values.ts';

/** One field of the requested input. */
export interface AskedField {
  field: string;
  label: string;
  value: TypedValue | null;
}

/** One field that an approval would change. */
export interface ForeseenChange {
  /** The object that has the field: `merchant PK10001`, `order PO…`, `case 3`. Null: the subject of the approval. */
  of: string | null;
  field: string;
  label: string;
  before: TypedValue | null;
  after: TypedValue | null;
}

/** The result that an approval would have at this moment. */
export interface Foreseen {
  /** The refusal that `approve` would return; null: the operation would be executed. */
  refused: Refused | null;
  /** Empty if it would be refused. */
  changes: ForeseenChange[];
}

/**
 * The requested input, field by field, as the schema of the operation reads it; secrets by their names. Empty for an
 * operation of another version.
 */
export function askedFields({ operation, input }: Approval, currency: Currency | null): AskedField[] {
  const known = operationOf(operation);
  if (!known) return [];
  return inputFields(known.input)
    .filter(({ name }) => input[name] !== undefined)
    .map((field) => ({
      field: field.name,
      label: labelOf(field.name),
      value: typedInput(field, input[field.name], currency),
    }));
}

/**
 * Executes an approval in transactions that are rolled back, as `approve` would now for an operator who may decide it.
 * Changes of merchants outside of the operator's restriction are left out. Has no effect. Throws MerchantHeld if another session holds the subject.
 */
export async function foresee(
  domain: OperationAccess,
  operator: OperatorContext,
  approval: Approval,
): Promise<Foreseen> {
  const found = await executableNow(domain, approval, await targetOf(domain, approval));
  if (!found.ok) return { refused: found, changes: [] };
  const { operation, facts, input } = found.value;
  const refused = await problemOfAffected(domain, unrestricted, operation, input);
  if (refused) return { refused, changes: [] };
  const { approvalId, requestedBy, reason } = approval;
  const mayDecide = (await problemOfDeciding(domain, operator, approval)) === null;
  const approver = mayDecide ? operator.operatorId : anyOther;
  const by = { actor: requestedBy, approver, reason, approvalId, rehearsal: true, ...versionSeen(approval) } as const;
  const commands: RehearsalResult[] = [];
  const records: RehearsedChange[] = [];
  const rehearsing: OperationAccess = {
    ...domain,
    commit: async (command) => {
      const rehearsed = await domain.rehearse(command);
      commands.push(rehearsed);
      return rehearsed.result;
    },
    rehearsed: (change) => void records.push(change),
  };
  const done = await operation.execute({ domain: rehearsing, by, tokenId: null }, input, facts);
  if (!done.ok) return { refused: done, changes: [] };
  const currency = facts.country && currencyOf[facts.country];
  const ledger: ForeseenChange[] = [];
  for (const command of commands) {
    const seen = await maySee(domain, operator, facts.tenant, command.after);
    ledger.push(...ledgerChanges(command, facts.tenant, seen));
  }
  const recorded = records.flatMap((change) => recordedChanges(operation, change, currency));
  return { refused: null, changes: [...recorded, ...ledger] };
}

/** The merchants of a command whose changes the operator may see: the tenant of the approval, and others in their restriction. */
async function maySee(
  domain: OperationAccess,
  operator: OperatorContext,
  tenant: string,
  { wallets, orders, cases }: RehearsalResult['after'],
): Promise<ReadonlySet<string>> {
  const seen = new Set([tenant]);
  for (const { merchantId } of [...wallets, ...orders, ...cases]) {
    if (seen.has(merchantId)) continue;
    const facts = await findFacts(domain, { kind: 'tenant', merchantId, absent: 'case_not_found' });
    if (facts.ok && mayAccess(operator, ownerOf(facts.value))) seen.add(merchantId);
  }
  return seen;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The changes that the audit record of a change of configuration would have. Each value has the form of the operation's
 * field of that name.
 */
function recordedChanges(
  operation: AnyOperation,
  { before, after }: RehearsedChange,
  currency: Currency | null,
): ForeseenChange[] {
  const forms = new Map(inputFields(operation.input).map((field) => [field.name, field]));
  const typed = (name: string, value: unknown): TypedValue | null => {
    if (namesOfSecrets.includes(name)) return value == null ? null : { type: 'secret', names: value as string[] };
    const form = forms.get(name);
    return form ? typedInput(form, value, currency) : typedRecord(value);
  };
  return Object.keys(after ?? before ?? {})
    .map((field) => ({
      of: null,
      field,
      label: labelOf(field),
      before: typed(field, (before as Fields | null)?.[field]),
      after: operation.unforeseen?.includes(field) ? unforeseen : typed(field, (after as Fields | null)?.[field]),
    }))
    .filter((change) => !isSameValue(change.before, change.after));
}

/** Recorded fields that name secrets: all of them, and those that are set now. */
const namesOfSecrets = ['credentialNames', 'credentialsSet'];
const unforeseen: TypedValue = { type: 'text', text: 'made when it is carried out' };

/** The changes that a command would make to wallets, orders and cases of the merchants `seen`. */
function ledgerChanges(
  { before, after }: RehearsalResult,
  tenant: string,
  seen: ReadonlySet<string>,
): ForeseenChange[] {
  const changes: ForeseenChange[] = [];
  const add = (of: string | null, field: string, was: TypedValue | null, is: TypedValue | null) => {
    if (!isSameValue(was, is)) changes.push({ of, field, label: labelOf(field), before: was, after: is });
  };
  for (const { merchantId, currency, available, frozen } of after.wallets) {
    if (!seen.has(merchantId)) continue;
    const was = before.wallets.find((wallet) => wallet.merchantId === merchantId);
    const of = merchantId === tenant ? null : `merchant ${merchantId}`;
    const money = (amount: string | undefined): TypedValue | null =>
      amount === undefined ? null : { type: 'money', amount, currency };
    add(of, 'available', money(was?.available), money(available));
    add(of, 'frozen', money(was?.frozen), money(frozen));
  }
  const text = (value: string | undefined): TypedValue | null =>
    value === undefined ? null : { type: 'text', text: value };
  for (const { merchantId, orderNo, status } of after.orders) {
    if (!seen.has(merchantId)) continue;
    const was = before.orders.find((order) => order.orderNo === orderNo);
    add(`order ${orderNo}`, 'status', text(was?.status), text(status));
  }
  for (const found of after.cases) {
    const { merchantId, caseNo } = found;
    if (!seen.has(merchantId)) continue;
    const was = before.cases.find((one) => one.merchantId === merchantId && one.caseNo === caseNo);
    add(`case ${caseNo}`, 'state', text(was && progressOfCase(was)), text(progressOfCase(found)));
  }
  return changes;
}
