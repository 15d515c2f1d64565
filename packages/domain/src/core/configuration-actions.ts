/**
 * What audit records call changes of configuration. The database gives each such record of a tenant the next version, as function
 * `is_configuration_change` of the migrations has it: a new action needs a migration that adds it there.
 */
export const configurationActions = [
  ...['createMerchant', 'setMerchant', 'setMerchantStatus', 'pauseNotifications', 'resumeNotifications'],
  ...['addMerchantKey', 'retireMerchantKey', 'rotateServiceKey', 'useOwnServiceKey', 'endCommonServiceKey'],
  ...['setFeeRule', 'removeFeeRule', 'setRoute', 'removeRoute', 'setChannel', 'setChannelEnabled', 'mapBank'],
  ...['createFirstOperator', 'createOperator', 'createOperatorOfIdentity', 'changeOperator', 'setOperatorEnabled'],
  ...['inviteOperator', 'redeemInvitation', 'revokeOperatorTokens', 'linkIdentity', 'unlinkIdentity', 'changeSecret'],
] as const;

/** A field that a change set. Values are text, or JSON where they are no text; null: it had, or has, none. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/**
 * What changed, by the detail of an audit record. Where something was there before and after, the fields of after count: records of earlier
 * versions say of what was before more than what was set.
 */
export function fieldChanges(detail: string): FieldChange[] {
  const { before = null, after = null } = JSON.parse(detail) as { before?: Fields | null; after?: Fields | null };
  return Object.keys(after ?? before ?? {})
    .map((field) => ({ field, before: asText(before?.[field]), after: asText(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}

type Fields = Readonly<Record<string, unknown>>;

function asText(value: unknown): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
