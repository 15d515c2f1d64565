import { lookAtOrders, lookAtPayoutTasks, placeOrdersToLookAt } from '../console/look-at-screens.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';

// Screens of the operators' console in dark. npm test opens them in light.

const sandbox = useConsole({
  merchants: [{ country: 'IN' }, { country: 'PK', payouts: 'market' }],
});

withBrowser('no screen of orders has an accessibility problem in dark', async (context) => {
  await lookAtOrders(context, sandbox, await placeOrdersToLookAt(sandbox), 'dark');
});

withBrowser('the screens of tasks and payouts have no accessibility problem in dark', (context) =>
  lookAtPayoutTasks(context, sandbox, 'dark'),
);
