import { writeFileSync } from 'node:fs';
import { renderPage } from './render-page.ts';

writeFileSync(new URL('../../../../docs/running/configuration.md', import.meta.url), renderPage());
