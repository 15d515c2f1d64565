import { noTracing, type Tracing } from './tracing.ts';

export interface TracingSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Record<string, string> | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Opens tracing for the process `service`. Without an endpoint it is off, and its library is not loaded. */
export async function openTracing(service: string, settings: TracingSettings): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return noTracing;
  const { openOtlp } = await import('./open-otlp.ts');
  return openOtlp({
    service,
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
}
