// What other capabilities take from this one.

export { workOnTask } from './work-on-task.ts';
