// What other folders of the domain may import.

export { workOnTask } from './work-on-task.ts';
