import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { ROOT } from './dockerfile.ts';

/** Every kind that we ship: its model, which checks the fields that are there, and its type, which finds unknown fields. */
const kinds = {
  Namespace: { model: Namespace, types: 'kubernetes-models/v1' },
  ConfigMap: { model: ConfigMap, types: 'kubernetes-models/v1' },
  ServiceAccount: { model: ServiceAccount, types: 'kubernetes-models/v1' },
  Service: { model: Service, types: 'kubernetes-models/v1' },
  PersistentVolumeClaim: { model: PersistentVolumeClaim, types: 'kubernetes-models/v1' },
  Deployment: { model: Deployment, types: 'kubernetes-models/apps/v1' },
  Job: { model: Job, types: 'kubernetes-models/batch/v1' },
  HorizontalPodAutoscaler: { model: HorizontalPodAutoscaler, types: 'kubernetes-models/autoscaling/v2' },
  PodDisruptionBudget: { model: PodDisruptionBudget, types: 'kubernetes-models/policy/v1' },
  Ingress: { model: Ingress, types: 'kubernetes-models/networking.k8s.io/v1' },
  NetworkPolicy: { model: NetworkPolicy, types: 'kubernetes-models/networking.k8s.io/v1' },
  ScaledObject: { model: ScaledObject, types: '@kubernetes-models/keda/keda.sh/v1alpha1' },
} as const;

export interface Manifest {
  file: string;
  kind: keyof typeof kinds;
  value: unknown;
}

/** What ops/kubernetes/<step> makes, but for the kustomization itself. */
export function readManifests(step: 'migrate' | 'services' | 'seals'): Manifest[] {
  const folder = join(ROOT, 'ops/kubernetes', step);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
      const value = document.toJS();
      if (!(value.kind in kinds)) throw new Error(`${step}/${file}: what is a ${value.kind}?`);
      return { file, kind: value.kind, value };
    }),
  );
}

/** The manifests of one kind, as its model; throws what the model's schema says against one. */
export function modelsOf<K extends keyof typeof kinds>(
  manifests: readonly Manifest[],
  kind: K,
): InstanceType<(typeof kinds)[K]['model']>[] {
  const { model } = kinds[kind];
  return manifests
    .filter((manifest) => manifest.kind === kind)
    .map(({ value }) => {
      const manifest = new model(value as never);
      manifest.validate();
      return manifest as InstanceType<(typeof kinds)[K]['model']>;
    });
}

/**
 * Fields that Kubernetes does not know, because they are misspelt or in the wrong place. The API's schemas accept them, but the types made
 * of the schemas do not. So the compiler checks each manifest as a value of its type.
 */
export async function findUnknownFields(manifests: readonly Manifest[]): Promise<string> {
  mkdirSync(join(ROOT, 'test-output'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'test-output', 'manifests-'));
  try {
    const lines = manifests.map(({ kind, value }, i) => {
      const type = `import('${kinds[kind].types}', { with: { 'resolution-mode': 'import' } }).I${kind}`;
      return `export const m${i}: ${type} = ${JSON.stringify(value)};`;
    });
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', skipLibCheck: true, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    await promisify(execFile)(tsc, ['-p', folder]);
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
