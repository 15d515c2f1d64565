import { writeFileSync } from 'node:fs';
import { renderPage } from './render-page.ts';

writeFileSync(new URL('../../../../docs/configuration.md', import.meta.url), renderPage());
