// What other folders of the domain may import.

export { taskCommand, workOnTask } from './work-on-task.ts';
