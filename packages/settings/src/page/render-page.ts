import * as z from 'zod';
import { processes } from '../every-process.ts';
import { receiverSettings, sandboxUpstreamSettings } from '../sandbox.ts';
import { serviceVariables } from '../services.ts';
import { variableFacts } from '../variable.ts';

/** Makes docs/running/configuration.md from the schemas of the processes' settings. */
export function renderPage(): string {
  return `${head}
## The services

For the REST adapter, the API and the worker.

${table(z.object(serviceVariables))}

${sections()}

## Production

${production()}
`;
}

const head = `# Configuration

<!-- Made by \`npm run page\` in packages/settings out of the schemas there; a test fails when it differs. -->

A process reads its environment once, when it starts. An empty variable counts as absent. Several processes can share one environment.

It does not start if a variable is missing, wrong or unknown, and reports all of them at once, without their values. A variable is unknown if:

- it begins with \`TIDEGATE_\`, and no process reads it
- its name differs from a known one by one or two letters

Variables that Kubernetes adds for services are ignored.

**Secrets** can be in files: \`DATABASE_URL_FILE=/run/secrets/database-url\` instead of \`DATABASE_URL\`, and so on for each secret.
A newline at the end is removed. A process does not start if both variables are set, or if the file is empty, unreadable or larger than 64 KiB.
`;

/** `npm start` alone starts these, and sets all their variables. */
const unlisted: readonly unknown[] = [sandboxUpstreamSettings, receiverSettings];

/** A section for each process that operators configure. A variable is described where it comes first; later sections only name it. */
function sections(): string {
  const described = new Set<unknown>(Object.values(serviceVariables));
  return processes
    .filter((one) => !unlisted.includes(one))
    .map(({ title, schema }) => {
      const [own, again] = partition(Object.entries(schema.shape), ([, form]) => !described.has(form));
      for (const [, form] of own) described.add(form);
      const isService = Object.keys(serviceVariables).every((name) => name in schema.shape);
      const names = again.map(([name]) => name).filter((name) => !isService || !(name in serviceVariables));
      const services = isService ? ['the variables of [all services](#the-services)'] : [];
      const others = [...services, ...names.map((name) => `\`${name}\``)].join(', ');
      return `## ${capital(title)}\n\nAs above: ${others}.\n\n${table(z.object(Object.fromEntries(own)))}`;
    })
    .join('\n\n');
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function table(schema: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: variableFacts,
    unrepresentable: 'any',
  });
  const rows = Object.entries(schema.shape).map(([name, form]) => {
    const { description, secret, preset } = variableFacts.get(form as z.ZodType) ?? { description: '' };
    const property = properties[name];
    const defaultValue = typeof property === 'object' ? property.default : undefined;
    const byDefault = required.includes(name)
      ? '**required**'
      : defaultValue === undefined
        ? (preset ?? 'none')
        : code(defaultValue);
    return `| \`${name}\`${secret ? ' (secret)' : ''} | ${description} | ${byDefault} |`;
  });
  return ['| Variable | Meaning | Default |', '|---|---|---|', ...rows].join('\n');
}

const code = (value: unknown) => (value === '' ? 'none' : `\`${value}\``);

function production(): string {
  const rules = processes.flatMap(({ rules: own }) => own).filter(({ inProduction }) => inProduction);
  const lines = new Set(
    rules.map(({ variable, reason }) => `- \`${variable}\` ${reason.replace(' in production', '')}.`),
  );
  return `With \`TIDEGATE_ENV=production\` a process refuses to start unless these rules hold:\n\n${[...lines].join('\n')}\n${ofTheDatabase}`;
}

const ofTheDatabase = `- The database was never used by a sandbox. \`npm start\` marks a database for good, before it writes demo keys.
- No channel with an adapter of the sandbox is enabled, and none can be enabled. To disable one: \`npm run admin -- disable-channel <channel>\`.

\`npm start\` refuses \`TIDEGATE_ENV=production\`, and a database with other merchants.`;

const capital = (title: string) => title.replace(/^[a-z]/, (letter) => letter.toUpperCase());
