import { lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from '../graphql/builder.ts';
import '../graphql/scalars.ts';
import '../graphql/total-count.ts';
import '../approval/approval-mutations.ts';
import '../approval/approval-query.ts';
import '../approval/approvals-query.ts';
import '../approval/decision-fields.ts';
import '../audit/audit-log-query.ts';
import '../audit/finding-mutations.ts';
import '../audit/findings-query.ts';
import '../audit/history-query.ts';
import '../case/case-mutations.ts';
import '../case/case-query.ts';
import '../case/cases-query.ts';
import '../case/refund-type.ts';
import '../channel/channel-adapters-query.ts';
import '../channel/channel-mutations.ts';
import '../channel/channels-query.ts';
import '../console-settings/preferences.ts';
import '../console-settings/saved-views.ts';
import '../dashboard/figures-query.ts';
import '../export/export-mutations.ts';
import '../export/exports-query.ts';
import '../approval/approval-changed.ts';
import '../home/work-lists-query.ts';
import '../case/case-changes.ts';
import '../order/order-changed.ts';
import '../merchant/merchant-mutations.ts';
import '../merchant/merchants-query.ts';
import '../notification/notification-mutations.ts';
import '../notification/notification-hosts-query.ts';
import '../notification/notifications-query.ts';
import '../operator/me-query.ts';
import '../notification/resend-count-query.ts';
import '../operator/operation-rights-query.ts';
import '../operator/operator-mutations.ts';
import '../operator/operators-query.ts';
import '../order/order-links.ts';
import '../order/order-money-type.ts';
import '../order/order-mutations.ts';
import '../order/order-nodes.ts';
import '../order/order-query.ts';
import '../order/orders-query.ts';
import '../order/tasks-query.ts';
import '../timeline/timeline.ts';
import '../queue/queue-depths.ts';
import '../queue/queues-query.ts';
import '../reconciliation/breaks-query.ts';
import '../reconciliation/channel-reconciliation-type.ts';
import '../reconciliation/csv-profiles-query.ts';
import '../reconciliation/day-query.ts';
import '../reconciliation/days-query.ts';
import '../reconciliation/preview-query.ts';
import '../reconciliation/reconciliation-mutations.ts';
import '../reconciliation/statement-lines-query.ts';
import '../service-key/service-keys.ts';
import '../settlement/settlement-files.ts';
import '../settlement/settlement-mutations.ts';
import '../settlement/settlements-query.ts';
import '../wallet/account-balances-query.ts';
import '../wallet/transfers-query.ts';
import '../wallet/wallet-mutations.ts';
import '../wallet/wallet-statement-query.ts';
import '../work/assignment-type.ts';
import '../work/file-type.ts';
import '../work/note-type.ts';

/** The whole schema, with the fields of all files above. */
export const schema = builder.toSchema();

/** The file of the printed schema. */
export const schemaFile = new URL('../../schema.graphql', import.meta.url);

/** The text of `schema.graphql`. */
export function printApiSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
