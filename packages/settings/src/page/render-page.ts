import * as z from 'zod';
import { processes } from '../every-process.ts';
import { serviceVariables } from '../services.ts';
import { variableFacts } from '../variable.ts';

/** Makes docs/running/configuration.md from the schemas of the processes' settings. */
export function renderPage(): string {
  return `${head}
## The services

The REST adapter, the API and the worker all read these.

${table(z.object(serviceVariables))}

${processes.map(({ title, schema }) => `## ${capital(title)}\n\n${section(schema)}`).join('\n\n')}

## Production

${production()}
`;
}

const head = `# Configuration

<!-- Made by \`npm run page\` in packages/settings out of the schemas there; a test fails when it differs. -->

A process reads its environment once, when it starts. An empty variable counts as absent.

It does not start if a variable is missing, wrong or unknown. It then reports all of them at once, without any value. Unknown is:

- a name that begins with \`TIDEGATE_\` and that no process reads
- a name that is a letter or two away from one of ours

One environment can serve several processes. What Kubernetes adds for services is ignored.

**Secrets** can be in files: \`DATABASE_URL_FILE=/run/secrets/database-url\` instead of \`DATABASE_URL\`, and so for each variable marked as secret.
A newline at the end is cut. A file has at most 64 KiB. Both set, or a file that is empty or cannot be read, stops the start too.
`;

function section(schema: z.ZodObject): string {
  const own = Object.entries(schema.shape).filter(([name, form]) => !isCommon(name, form));
  const services = Object.keys(serviceVariables).every((name) => name in schema.shape);
  const more = services ? 'In addition to the variables of [all services](#the-services), it reads:\n\n' : '';
  return more + table(z.object(services ? Object.fromEntries(own) : schema.shape));
}

function isCommon(name: string, form: unknown): boolean {
  return Object.entries(serviceVariables).some(([common, itsForm]) => common === name && itsForm === form);
}

function table(schema: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: variableFacts,
    unrepresentable: 'any',
  });
  const rows = Object.entries(schema.shape).map(([name, form]) => {
    const { description, unit = '', secret, preset } = variableFacts.get(form as z.ZodType) ?? { description: '' };
    const property = properties[name];
    const defaultValue = typeof property === 'object' ? property.default : undefined;
    const byDefault = required.includes(name)
      ? '**required**'
      : defaultValue === undefined
        ? (preset ?? 'none')
        : code(defaultValue);
    return `| \`${name}\` | ${description} | ${byDefault} | ${unit} | ${secret ? 'secret' : ''} |`;
  });
  return ['| Variable | What it is | Default | Unit | |', '|---|---|---|---|---|', ...rows].join('\n');
}

const code = (value: unknown) => (value === '' ? 'none' : `\`${value}\``);

function production(): string {
  const rules = processes.flatMap(({ rules: own }) => own).filter(({ inProduction }) => inProduction);
  const lines = new Set(rules.map(({ variable, reason }) => `- \`${variable}\` ${reason}.`));
  return `\`TIDEGATE_ENV=production\` checks these rules when a process starts, and refuses to start otherwise:\n\n${[...lines].join('\n')}\n${ofTheDatabase}`;
}

const ofTheDatabase = `- No sandbox was made of the database: \`npm start\` marks it before demo keys come into it, and the mark cannot be taken away.
- No channel is enabled whose adapter is a sandbox's, and none can be enabled: \`npm run admin -- disable-channel <channel>\`.

Introspection and GraphiQL are off, and nothing turns them on. \`npm start\` refuses to be production, and to make a sandbox of a database with merchants of its own.`;

const capital = (title: string) => title.replace(/^[a-z]/, (letter) => letter.toUpperCase());
