import * as z from 'zod';
import { dataDir } from './sandbox.ts';
import { text } from './schemas.ts';
import {
  approvalLimit,
  approvalSignIn,
  domainRules,
  domainVariables,
  environmentNames,
  serviceVariables,
} from './services.ts';
import { defineSettings, variableFacts } from './variable.ts';

/**
 * Settings of `npm run admin`. In a sandbox, the addresses of its stores and of the service, its secret and its operator
 * tokens come from the sandbox's folder.
 */
export const adminSettings = defineSettings({
  title: "the operators' command line",
  schema: z.object({
    // Unlike the services it has a default: without the variable, the stricter rules of production apply.
    TIDEGATE_ENV: z
      .enum(environmentNames, 'has to be sandbox or production')
      .prefault('production')
      .register(variableFacts, { description: 'The same as for the services.' }),
    ...domainVariables,
    REDIS_URL: serviceVariables.REDIS_URL.optional().register(variableFacts, {
      description: 'The Redis of the workers.',
      secret: true,
      preset: 'none: workers find new work by themselves, later',
    }),
    PUBLIC_BASE_URL: serviceVariables.PUBLIC_BASE_URL.optional().register(variableFacts, {
      description: 'The same as for the services.',
      preset: '`http://localhost`',
    }),
    TIDEGATE_APPROVAL_LIMIT: approvalLimit,
    TIDEGATE_APPROVAL_SIGN_IN: approvalSignIn,
    TIDEGATE_OPERATOR_TOKEN: text(8_192).optional().register(variableFacts, {
      description: 'Token of the operator; `--token-file` overrides it.',
      secret: true,
    }),
    TIDEGATE_APPROVER_TOKEN: text(8_192).optional().register(variableFacts, {
      description:
        'Token of a second operator, who approves in the same command; `--approver-token-file` overrides it.',
      secret: true,
    }),
    TIDEGATE_DATA_DIR: dataDir,
  }),
  rules: domainRules,
});
