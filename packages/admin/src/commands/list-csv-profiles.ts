import { listCsvProfiles } from '@tidegate/domain/lists';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { profileRow } from '../line/views.ts';

export const listCsvProfilesCommand = defineCommand({
  name: 'list-csv-profiles',
  group: 'Reconciliation',
  summary: 'list the stored CSV profiles, each with its newest version',
  kind: 'read',
  roles: null,
  respectsRestrictions: true,
  fields: {},
  async run({ domain }) {
    const profiles = await listCsvProfiles(domain);
    return done(`CSV profiles: ${profiles.length}`, profiles.map(profileRow));
  },
});
