import { importableFormats } from '../importable-formats.ts';
import { readTasksOf } from './read-task.ts';

// A thread that reads statements.

export default readTasksOf(importableFormats);
