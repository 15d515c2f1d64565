import { writeFileSync } from 'node:fs';
import { usersTemplate } from './redis-users.ts';

writeFileSync(new URL('../../../ops/redis/users.conf', import.meta.url), usersTemplate());
