import { dayAgo } from './channel-days.ts';
import { type Demo, merchantOf, type OpenWork } from './demo-orders.ts';

/**
 * Requests two exports as the admin: the orders of a country as CSV, and a wallet's statement for printing. Does
 * nothing if there are exports already.
 */
export async function leaveExports({ sandbox, admin }: Demo): Promise<OpenWork[]> {
  const { exports } = await admin<{ exports: { edges: unknown[] } }>('{ exports(first: 1) { edges { node { id } } } }');
  if (exports.edges.length > 0) return [];
  const { merchantNo } = merchantOf(sandbox, 'PK', 0);
  const period = { firstDay: dayAgo('PK', 30), lastDay: dayAgo('PK', 0) };
  for (const input of [
    { format: 'CSV', orders: { currencies: ['PKR'] } },
    { format: 'HTML', walletStatement: { merchantId: merchantNo, ...period } },
  ]) {
    const { requestExport } = await admin<{ requestExport: { message?: string } }>(
      'mutation ($input: RequestExportInput!) { requestExport(input: $input) { ... on Problem { message } } }',
      { input },
    );
    if (requestExport.message !== undefined) throw new Error(`requestExport: ${requestExport.message}`);
  }
  return [
    { where: 'Exports', what: 'Orders of Pakistan as CSV', orderNo: '–' },
    { where: 'Exports', what: `Statement of the wallet of ${merchantNo}, for print`, orderNo: '–' },
  ];
}
