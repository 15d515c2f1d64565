import { compareEachState } from '../../testing/compare-each-state.ts';
import { ordersInEachState } from '../../testing/nouns-of-orders.ts';

compareEachState(ordersInEachState);
