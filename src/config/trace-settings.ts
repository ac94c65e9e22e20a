import type { ConfigReader } from './config-reader.ts';

/** Where traces of calls go, and how many of them (OpenTelemetry's environment variables). */
export interface TraceSettings {
  /** Of a collector that takes OTLP over HTTP, with its path. */
  readonly url: string;
  readonly serviceName: string;
  /** 0 to 1: the share of traces that are begun here and kept. Those begun elsewhere follow their beginning. */
  readonly ratio: number;
}

/**
 * Reads the settings of traces; null without an endpoint. Headers may hold a token and are kept apart.
 *
 * Source: OpenTelemetry Specification, "Environment Variable Specification" and "OpenTelemetry Protocol Exporter".
 */
export function readTraceSettings(read: ConfigReader): {
  readonly traces: TraceSettings | null;
  readonly headers: Readonly<Record<string, string>>;
} {
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']);
  const url =
    read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http', 'https']) ??
    (base === null ? null : `${base}/v1/traces`);
  const headers = readHeaders(read, read.text('OTEL_EXPORTER_OTLP_HEADERS'));
  const serviceName = read.text('OTEL_SERVICE_NAME') ?? 'service';
  const ratio = readRatio(read, read.text('OTEL_TRACES_SAMPLER_ARG'));
  const parsed = url === null ? null : URL.parse(url);
  if (parsed !== null && (parsed.username !== '' || parsed.password !== '')) {
    read.problem('OTEL_EXPORTER_OTLP_ENDPOINT must hold no password; OTEL_EXPORTER_OTLP_HEADERS is for that');
  }
  return { traces: url === null ? null : { url, serviceName, ratio }, headers };
}

/** `name=value` pairs between commas, percent-encoded as in W3C Baggage. The values are not repeated. */
function readHeaders(read: ConfigReader, text: string | null): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const pair of (text ?? '').split(',').filter((each) => each.trim() !== '')) {
    const [, name, value] =
      /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x21-\x7e][\x20-\x7e]*?)\s*$/.exec(pair) ?? [];
    const decoded = value === undefined ? undefined : percentDecoded(value);
    if (name === undefined || decoded === undefined) {
      read.problem('OTEL_EXPORTER_OTLP_HEADERS must hold name=value pairs, separated by commas');
      return {};
    }
    headers[name.toLowerCase()] = decoded;
  }
  return headers;
}

function percentDecoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function readRatio(read: ConfigReader, text: string | null): number {
  if (text === null) return 1;
  const ratio = Number(text);
  if (/^[\d.]+$/.test(text) && ratio >= 0 && ratio <= 1) return ratio;
  read.problem(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${JSON.stringify(text)}`);
  return 1;
}
