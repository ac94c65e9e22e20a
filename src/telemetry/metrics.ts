import { collectDefaultMetrics, Registry } from 'prom-client';
import {
  type CellFamily,
  type CounterCell,
  createCellFamily,
  createHistogramCell,
  type HistogramCell,
} from './metric-cells.ts';
import {
  type LabelValues,
  type MetricName,
  type MetricSpec,
  metricTable,
  type NamesOf,
} from './metric-table.ts';

/** A value of a gauge, with the values of its labels. */
export type Sample<Name extends MetricName> = readonly [labels: LabelValues<Name>, value: number];

export interface Metrics {
  /** Returns the cell of a counter, for its owner to add to. */
  counter<Name extends NamesOf<'counter'>>(name: Name, values: LabelValues<Name>): CounterCell;
  histogram<Name extends NamesOf<'histogram'>>(name: Name, values: LabelValues<Name>): HistogramCell;
  /** Says how to read a gauge, whenever the metrics are read. One that fails, or takes too long, is left out. */
  gauge<Name extends NamesOf<'gauge'>>(
    name: Name,
    read: () => readonly Sample<Name>[] | Promise<readonly Sample<Name>[]>,
  ): void;
  /** Returns everything in the text format of Prometheus, version 0.0.4, within seconds. */
  text(): Promise<string>;
}

/** For one gauge to be read: longer than a dependency has to answer, for a report that it does not. */
const gaugeTimeoutMs = 3_000;

/**
 * Returns the service's metrics.
 *
 * prom-client looks its labels up at every observation. Here they are looked up once, in a cell that its owner keeps, and
 * prom-client does the writing.
 */
export function createMetrics(): Metrics {
  const counters = new Map<string, CellFamily<CounterCell>>();
  const histograms = new Map<string, CellFamily<HistogramCell>>();
  const gauges = new Map<string, ReadGauge>();
  const registry = new Registry();
  const ofProcess = processRegistry();
  for (const [name, spec] of Object.entries<MetricSpec>(metricTable)) {
    if (spec.type === 'counter')
      counters.set(
        name,
        createCellFamily(() => ({ value: 0 })),
      );
    if (spec.type === 'histogram') {
      histograms.set(
        name,
        createCellFamily(() => createHistogramCell(spec.buckets ?? [])),
      );
    }
    register(registry, name, spec, () => read(name, spec));
  }

  async function read(name: string, { labels, buckets = [] }: MetricSpec): Promise<Line[]> {
    const lines: Line[] = [];
    for (const [values, { value }] of counters.get(name)?.entries() ?? []) {
      lines.push({ labels: labelled(labels, values), value });
    }
    for (const [values, cell] of histograms.get(name)?.entries() ?? []) {
      lines.push(...histogramLines(name, buckets, labelled(labels, values), cell));
    }
    for (const [values, value] of await readInTime(gauges.get(name))) {
      lines.push({ labels: labelled(labels, values), value });
    }
    return lines;
  }

  return {
    counter: (name, values) => (counters.get(name) as CellFamily<CounterCell>).of(values),
    histogram: (name, values) => (histograms.get(name) as CellFamily<HistogramCell>).of(values),
    gauge: (name, readGauge) => void gauges.set(name, readGauge as ReadGauge),
    text: async () => (await registry.metrics()) + (await ofProcess.metrics()),
  };
}

type ReadGauge = () => Samples | Promise<Samples>;
type Samples = readonly (readonly [labels: readonly string[], value: number])[];

/** One line of a metric as prom-client writes it. */
interface Line {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly metricName?: string;
}

function register(
  registry: Registry,
  name: string,
  { help, type }: MetricSpec,
  read: () => Promise<Line[]>,
): void {
  const metric = { name, get: async () => ({ name, help, type, values: await read() }) };
  // Of a metric, prom-client's registry uses no more than this.
  registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0]);
}

function labelled(labels: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']));
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  labels: Readonly<Record<string, string>>,
  { counts, sum }: HistogramCell,
): Line[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: String(bounds[index] ?? '+Inf') },
      value: total,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}

async function readInTime(read: ReadGauge | undefined): Promise<Samples> {
  if (read === undefined) return [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never[]>((resolve) => {
    timer = setTimeout(resolve, gaugeTimeoutMs, []);
  });
  try {
    return await Promise.race([(async () => read())(), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

let registryOfProcess: Registry | undefined;

/** Memory, processor, handles, event loop and garbage collection: of the process, so there is one of it. */
function processRegistry(): Registry {
  if (registryOfProcess === undefined) {
    registryOfProcess = new Registry();
    collectDefaultMetrics({ register: registryOfProcess, eventLoopMonitoringPrecision: 20 });
  }
  return registryOfProcess;
}
