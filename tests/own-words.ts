import { useOwnWords } from '../packages/settings/src/zod-words.ts';

// Every process of the service explains refused values in these words. Files of tests share a process: without this, a message would
// depend on which file came first.
useOwnWords();
