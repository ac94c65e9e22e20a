export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricSpec {
  readonly type: MetricType;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, ascending; `+Inf` is added. */
  readonly buckets?: readonly number[];
}

const callBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];
const workBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const byteBuckets = [4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

/**
 * Every metric of the service, by name. Beside them /metrics has those of the process and of Node that prom-client
 * knows: `process_…` and `nodejs_…`, the delay of the event loop among them.
 *
 * Labels have few values: methods, slugs, models, tools and states, never an id, an address or a path. Names follow
 * prometheus.io/docs/practices/naming.
 */
export const metricTable = {
  service_calls_total: {
    type: 'counter',
    help: 'Calls that ended, by RPC method (REST calls too), protocol, and the slug of the failure or "ok".',
    labels: ['method', 'protocol', 'outcome'],
  },
  service_call_duration_seconds: {
    type: 'histogram',
    help: 'Time from the head of a call to the end of its answer, streams included.',
    labels: ['method', 'protocol'],
    buckets: callBuckets,
  },
  service_calls_in_flight: { type: 'gauge', help: 'Calls that have begun and not ended.', labels: [] },
  service_streams_open: { type: 'gauge', help: 'Streaming answers that have not ended.', labels: [] },
  service_refusals_total: {
    type: 'counter',
    help: 'Refusals for a limit, by slug: rates, budgets and usage; of calls, streamed turns and runs of agents.',
    labels: ['slug'],
  },
  service_model_calls_total: {
    type: 'counter',
    help: 'Completions asked of model servers, by model and outcome: ok, aborted, or how the server failed.',
    labels: ['model', 'outcome'],
  },
  service_model_call_duration_seconds: {
    type: 'histogram',
    help: 'Time of a completion, retries included.',
    labels: ['model'],
    buckets: callBuckets,
  },
  service_model_tokens_total: {
    type: 'counter',
    help: 'Tokens used, as they are billed, by model and type: prompt or completion.',
    labels: ['model', 'type'],
  },
  service_tool_calls_total: {
    type: 'counter',
    help: 'Calls of tools by models, by tool and outcome: ok or failed.',
    labels: ['tool', 'outcome'],
  },
  service_tool_call_duration_seconds: {
    type: 'histogram',
    help: 'Time of a call of a tool.',
    labels: ['tool'],
    buckets: workBuckets,
  },
  service_documents_total: {
    type: 'counter',
    help: 'Documents asked for, by format and the slug of the failure or "ok".',
    labels: ['format', 'outcome'],
  },
  service_document_duration_seconds: {
    type: 'histogram',
    help: 'Time of a document, from the order to the bytes, waiting for a thread included.',
    labels: ['format'],
    buckets: workBuckets,
  },
  service_document_size_bytes: {
    type: 'histogram',
    help: 'Size of finished documents.',
    labels: ['format'],
    buckets: byteBuckets,
  },
  service_document_jobs: {
    type: 'gauge',
    help: 'Documents that wait for a thread (waiting) or have one (active).',
    labels: ['state'],
  },
  service_run_jobs: {
    type: 'gauge',
    help: 'Jobs of runs in the queue that all processes share: to be taken now or later (waiting), or taken (active). Absent when the queue cannot be read.',
    labels: ['state'],
  },
  service_runs_total: {
    type: 'counter',
    help: 'Runs of agents that ended, by their end and what triggered them.',
    labels: ['status', 'trigger'],
  },
  service_run_duration_seconds: {
    type: 'histogram',
    help: 'Time from the first start of a run to its end.',
    labels: ['status'],
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
  },
  service_dependency_up: {
    type: 'gauge',
    help: 'Whether a dependency answers: 1 or 0.',
    labels: ['dependency'],
  },
  service_store_failures_total: {
    type: 'counter',
    help: 'Operations that the store did not do, by the part of it that was asked.',
    labels: ['part'],
  },
  service_redis_failures_total: {
    type: 'counter',
    help: 'Commands of calls that Redis did not answer, and failures of the queue.',
    labels: ['part'],
  },
} as const satisfies Readonly<Record<`service_${string}`, MetricSpec>>;

export type MetricName = keyof typeof metricTable;

/** The names of the metrics of a type. */
export type NamesOf<Type extends MetricType> = {
  [Name in MetricName]: (typeof metricTable)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/** One value for each label of a metric, in the order of the table. */
export type LabelValues<Name extends MetricName> = Strings<(typeof metricTable)[Name]['labels']>;

type Strings<Labels extends readonly string[]> = { readonly [Index in keyof Labels]: string };
