import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../src/domain/errors.ts';
import { runTransitions } from '../../src/domain/run-status.ts';
import { type MetricSpec, metricTable } from '../../src/telemetry/metric-table.ts';
import { bytesOf, readCompose, readRules } from './deployment-files.ts';
import { readSelectors } from './promql.ts';

const rules = readRules();
const specs: Readonly<Record<string, MetricSpec>> = metricTable;

/** Names of the process's own metrics, and the one that Prometheus makes of every target. */
async function foreignNames(): Promise<Set<string>> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  return new Set([...names, 'up']);
}

/** The metric of a time series: a histogram's has a suffix. */
const specOf = (name: string) => specs[name] ?? specs[name.replace(/_(bucket|sum|count)$/, '')];

/** Labels whose values are a table's. */
const knownValues: Record<string, ReadonlySet<string>> = {
  slug: new Set(Object.keys(errorCatalogue)),
  status: new Set(Object.keys(runTransitions)),
  state: new Set(['waiting', 'active']),
};

describe('the alerts', () => {
  test('are there, each once, with what Prometheus asks of a rule', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      const { alert, expr, for: duration = '1m', labels, annotations, ...more } = rule;
      expect(more).toEqual({});
      expect(alert).toMatch(/^[A-Z]\w+$/);
      expect(expr).not.toBe('');
      expect(duration).toMatch(/^\d+[smh]$/);
      expect(labels).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) });
      expect(annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
    }
  });

  test.for(rules)('$alert asks for metrics, labels and values that there are', async ({ expr }) => {
    const foreign = await foreignNames();
    const selectors = readSelectors(expr);
    expect(selectors).not.toEqual([]);
    for (const { metric, matchers } of selectors) {
      const spec = specOf(metric);
      if (spec === undefined) {
        expect(foreign, metric).toContain(metric);
        continue;
      }
      for (const { label, values } of matchers) {
        expect(spec.labels).toContain(label);
        const isSlug = label === 'outcome' && values.some((value) => value.includes('_'));
        for (const value of values) if (isSlug) expect(knownValues.slug).toContain(value);
        for (const value of values) if (knownValues[label]) expect(knownValues[label]).toContain(value);
      }
      const isHistogram = spec.type === 'histogram';
      expect(metric.endsWith('_bucket'), metric).toBe(isHistogram);
    }
  });

  test('group by labels that there are', () => {
    for (const { expr } of rules) {
      const grouped = [...expr.matchAll(/by \((\w+)(?:, (\w+))*\)/g)].flatMap((match) =>
        match.slice(1).filter(Boolean),
      );
      const labels = readSelectors(expr).flatMap(({ metric }) => specOf(metric)?.labels ?? []);
      for (const label of grouped) expect(['le', 'instance', ...labels]).toContain(label);
    }
  });

  test('come in time for the memory that an API process has', () => {
    const limit = bytesOf(readCompose().services.api.deploy.resources.limits.memory);
    const alertAt = Number(
      /> ([\d.e+]+)$/.exec(rules.find(({ alert }) => alert === 'MemoryNearLimit')?.expr ?? '')?.[1],
    );
    expect(alertAt / limit).toBeGreaterThan(0.8);
    expect(alertAt / limit).toBeLessThan(0.95);
  });
});

describe('the check of the expressions', () => {
  test.for(['sum(rate(a[5m]', 'a{b=c}', 'a > > 1', 'rate(a[5x])'])('refuses %s', (expression) => {
    expect(() => readSelectors(expression)).toThrow('no expression');
  });

  test('sees every selector with its matchers', () => {
    expect(readSelectors('sum(rate(a_total{b=~"x|y",c!="z"}[5m])) / d')).toEqual([
      {
        metric: 'a_total',
        matchers: [
          { label: 'b', values: ['x', 'y'] },
          { label: 'c', values: ['z'] },
        ],
      },
      { metric: 'd', matchers: [] },
    ]);
  });
});
