/**
 * The actions of audit records that change the configuration. The database gives each such record of a tenant the next
 * version, by the function `is_configuration_change` of the migrations. A new action needs a migration that adds it
 * there.
 */
export const configurationActions = [
  'createMerchant',
  'setMerchant',
  'setMerchantStatus',
  'pauseNotifications',
  'resumeNotifications',
  'addMerchantKey',
  'retireMerchantKey',
  'rotateServiceKey',
  'setFeeRule',
  'removeFeeRule',
  'setRoute',
  'removeRoute',
  'setChannel',
  'setChannelEnabled',
  'mapBank',
  'createFirstOperator',
  'createOperator',
  'createOperatorOfIdentity',
  'changeOperator',
  'setOperatorEnabled',
  'inviteOperator',
  'redeemInvitation',
  'revokeOperatorTokens',
  'linkIdentity',
  'unlinkIdentity',
  'changeSecret',
  'setSettlementCycle',
  'removeSettlementCycle',
  'withdrawDeclaration',
  'setCsvProfile',
] as const;

/** A field that a change set. A value that is not text is JSON. Null: no value before, or now. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/**
 * The changed fields in an audit record's detail. If it has fields before and after, only those of after count: older
 * versions recorded more fields before than were set.
 */
export function fieldChanges({ before = null, after = null }: ChangeDetail): FieldChange[] {
  return Object.keys(after ?? before ?? {})
    .map((field) => ({ field, before: asText(before?.[field]), after: asText(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}

type Fields = Readonly<Record<string, unknown>>;
/** The part of an audit record's detail that has the changed fields. */
interface ChangeDetail {
  before?: Fields | null | undefined;
  after?: Fields | null | undefined;
}

function asText(value: unknown): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
