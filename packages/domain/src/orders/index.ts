// What other folders of the domain may import.

export { cancelOrder } from './cancel-order.ts';
export { confirmFunds } from './confirm-funds.ts';
export { enterReport, type ProvenReport } from './enter-report.ts';
export { findOrderByNumber } from './find-order.ts';
export { type OrderFilter, orderFilter, orderLists, pageOrders, personalParts, SearchTooWide } from './list-orders.ts';
export { loadOrders } from './load-orders.ts';
export { orderOf } from './order-of.ts';
export { problemOfRefresh, refreshOrder } from './refresh-order.ts';
export { resolvePayout } from './resolve-payout.ts';
export type { WorkOutcome } from './work-on-order.ts';
