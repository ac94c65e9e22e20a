import { describe, expect, test, vi } from 'vitest';
import { createReadiness } from '../../src/services/readiness.ts';
import { createCellFamily, createHistogramCell } from '../../src/telemetry/metric-cells.ts';
import { type MetricSpec, metricTable } from '../../src/telemetry/metric-table.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const specs = Object.entries<MetricSpec>(metricTable);

describe('the table of metrics', () => {
  test.for(specs)('names %s as Prometheus wants it', ([name, { type, help, labels, buckets = [] }]) => {
    expect(name).toMatch(/^service_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
    expect(buckets.length > 0).toBe(type === 'histogram');
    expect([...buckets].sort((a, b) => a - b)).toEqual(buckets);
    expect(help).toMatch(/^[A-Z].*\.$/);
    for (const label of labels) expect(label).toMatch(/^[a-z]+$/);
    expect(labels).not.toContain('le');
  });
});

describe('the metrics', () => {
  test('are written in the text format of Prometheus, beside those of the process', async () => {
    const metrics = createMetrics();
    metrics.counter('service_model_tokens_total', ['m"\n\\', 'prompt']).value += 3;
    metrics.histogram('service_tool_call_duration_seconds', ['run_sql']).observe(0.3);
    metrics.histogram('service_tool_call_duration_seconds', ['run_sql']).observe(500);
    metrics.gauge('service_calls_in_flight', () => [[[], 7]]);
    const lines = (await metrics.text()).split('\n');
    expect(lines).toContain('# TYPE service_model_tokens_total counter');
    expect(lines).toContain('service_model_tokens_total{model="m\\"\\n\\\\",type="prompt"} 3');
    expect(lines).toContain('service_tool_call_duration_seconds_bucket{tool="run_sql",le="0.25"} 0');
    expect(lines).toContain('service_tool_call_duration_seconds_bucket{tool="run_sql",le="0.5"} 1');
    expect(lines).toContain('service_tool_call_duration_seconds_bucket{tool="run_sql",le="120"} 1');
    expect(lines).toContain('service_tool_call_duration_seconds_bucket{tool="run_sql",le="+Inf"} 2');
    expect(lines).toContain('service_tool_call_duration_seconds_sum{tool="run_sql"} 500.3');
    expect(lines).toContain('service_tool_call_duration_seconds_count{tool="run_sql"} 2');
    expect(lines).toContain('service_calls_in_flight 7');
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
    }
    for (const [name, { help, type }] of specs) {
      expect(lines).toContain(`# HELP ${name} ${help}`);
      expect(lines).toContain(`# TYPE ${name} ${type}`);
    }
  });

  test('leave out a gauge that cannot be read', async () => {
    const metrics = createMetrics();
    metrics.gauge('service_run_jobs', () => Promise.reject(new Error('away')));
    metrics.gauge('service_streams_open', () => {
      throw new Error('broken');
    });
    const lines = (await metrics.text()).split('\n');
    expect(lines.filter((line) => /^service_(run_jobs|streams_open)/.test(line))).toEqual([]);
  });

  test('leave out a gauge that takes too long, but tell of a dependency that does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const hanging = () => new Promise<never>(() => {});
      const readiness = createReadiness([{ name: 'store', ping: hanging }]);
      const metrics = createMetrics();
      metrics.gauge('service_run_jobs', hanging);
      metrics.gauge('service_dependency_up', async () =>
        (await readiness.read()).checks.map(({ name, state }) => [[name], state === 'ok' ? 1 : 0]),
      );
      const text = metrics.text();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await text).toContain('service_dependency_up{dependency="store"} 0\n');
      expect(await text).not.toMatch(/^service_run_jobs/m);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('cells', () => {
  test('a value on a bound falls into the bucket of the bound', () => {
    const cell = createHistogramCell([1, 2]);
    for (const value of [0, 1, 1.5, 2, 2.1]) cell.observe(value);
    expect(cell.counts).toEqual([2, 2, 1]);
  });

  test('the same values have the same cell, and too many share one', () => {
    const family = createCellFamily(() => ({ value: 0 }), 2);
    expect(family.of(['a', 'b'])).toBe(family.of(['a', 'b']));
    expect(family.of(['a', 'c'])).not.toBe(family.of(['a', 'b']));
    family.of(['x', '1']).value += 1;
    family.of(['y', '2']).value += 1;
    expect([...family.entries()].at(-1)).toEqual([['other', 'other'], { value: 2 }]);
    expect([...family.entries()]).toHaveLength(3);
  });
});
