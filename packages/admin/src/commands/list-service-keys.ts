import { listServiceKeys } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { timeText } from '../views.ts';

export const listServiceKeysCommand = defineCommand({
  name: 'list-service-keys',
  group: 'First set-up',
  summary: 'the keys of the service: the first one signs, those with an end are published until then',
  kind: 'read',
  roles: null,
  fields: {},
  async run({ domain }) {
    const rows = await listServiceKeys(domain);
    return done(
      `First set-up: ${rows.length}`,
      rows.map((one) => ({
        ...one,
        createdAt: timeText(one.createdAt),
        endsAt: timeText(one.endsAt),
      })),
    );
  },
});
