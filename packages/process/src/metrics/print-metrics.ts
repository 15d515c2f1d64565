import { writeFileSync } from 'node:fs';
import { describeMetrics } from './describe-metrics.ts';

writeFileSync(new URL('../../../../docs/running/metrics.md', import.meta.url), describeMetrics());
