import { listCommonServiceKeys } from '@tidegate/domain/operators';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { timeText } from '../views.ts';

export const listCommonServiceKeysCommand = defineCommand({
  name: 'list-common-service-keys',
  group: 'First set-up',
  summary:
    'list the common key and its end. It signs for merchants that do not use their own key yet, after an upgrade',
  kind: 'read',
  roles: null,
  fields: {},
  async run({ domain }) {
    const rows = await listCommonServiceKeys(domain);
    return done(
      `Common keys: ${rows.length}`,
      rows.map(({ createdAt, endsAt, ...one }) => ({
        ...one,
        createdAt: timeText(createdAt),
        endsAt: timeText(endsAt),
      })),
    );
  },
});
