import { compareEachState } from '../../testing/compare-each-state.ts';
import { tasksInEachState } from '../../testing/nouns-of-orders.ts';

compareEachState(tasksInEachState);
