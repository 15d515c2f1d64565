import { type OperatorRejection, type Refused, rejections } from '@tidegate/domain/operators';
import { type Answer, refused } from '../line/answer.ts';

/** The command that helps after a rejection, if there is one. */
const hints: Partial<Record<OperatorRejection, string>> = {
  bank_mapping_not_found: 'see map-bank',
  no_channel_available: 'see set-route and enable-channel',
  transition_impossible: 'see show-order',
  not_cancellable: 'see show-order',
  task_not_available: 'see list-tasks',
  proof_missing: 'see list-tasks',
  proof_reference_used: 'for the rest of one transfer see credit-case',
  case_not_found: 'see list-cases',
  merchant_not_found: 'see create-merchant',
  merchant_exists: 'see set-merchant',
  channel_not_found: 'see set-channel',
  key_not_found: 'see list-keys',
  route_not_found: 'see list-routes',
  operator_not_found: 'see create-operator',
  operator_exists: 'see change-operator',
  token_not_found: 'see list-operators',
  identity_linked: 'see unlink-identity',
  identity_not_found: 'see list-operators',
  not_your_approval: 'see reject',
  approval_not_found: 'see list-approvals',
  finding_not_found: 'see list-findings',
  statement_not_found: 'see import-statement',
  export_not_found: 'see request-export',
};

/** The text of a rejection. `where` names its subject, `flagOf` the option of a field. */
export function rejected(
  where: string,
  { rejection, detail, fields = [] }: Refused,
  flagOf: (path: string) => string = (path) => path,
): Answer {
  const problems = fields.map(({ path, reason }) => `${flagOf(path)} ${reason}`);
  const hint = hints[rejection];
  const reason = hint === undefined ? rejections[rejection][1] : `${rejections[rejection][1]}: ${hint}`;
  const why = problems.length > 0 ? problems.join('; ') : reason;
  const text = detail === undefined ? why : `${why} (${detail})`;
  return refused(where === '' ? text : `${where}: ${text}`);
}
