import { describe, expect, test } from 'vitest';
import { createReadiness } from '../../src/services/readiness.ts';

const answering = async () => {};
const away = () => Promise.reject(new Error('redis://user:secret@host is away'));
const hanging = () => new Promise<void>(() => {});

describe('readiness', () => {
  test.for([
    ['ready when all answer', answering, 'ready', 'ok'],
    ['not ready when one refuses', away, 'not_ready', 'failing'],
    ['not ready when one does not answer in time', hanging, 'not_ready', 'failing'],
    [
      'not ready when one throws at once',
      () => {
        throw new Error('broken');
      },
      'not_ready',
      'failing',
    ],
  ] as const)('is %s', async ([, ping, status, state]) => {
    const dependencies = [
      { name: 'store', ping: answering },
      { name: 'redis', ping },
    ];
    const readiness = createReadiness(dependencies, { timeoutMs: 5 });
    expect(await readiness.read()).toEqual({
      status,
      checks: [
        { name: 'store', state: 'ok' },
        { name: 'redis', state },
      ],
    });
  });

  test('asks a dependency once, however many ask for it and within its age, and again after it', async () => {
    let nowMs = 0;
    let pings = 0;
    const ping = async () => {
      pings += 1;
      if (pings > 1) throw new Error('away');
    };
    const readiness = createReadiness([{ name: 'store', ping }], { maxAgeMs: 1_000, now: () => nowMs });
    const reports = await Promise.all(Array.from({ length: 50 }, () => readiness.read()));
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['ready']));
    nowMs = 999;
    expect((await readiness.read()).status).toBe('ready');
    expect(pings).toBe(1);
    nowMs = 1_000;
    expect((await readiness.read()).status).toBe('not_ready');
    expect(pings).toBe(2);
  });

  test('is stopping for good once it was told, and asks nobody any more', async () => {
    let nowMs = 0;
    let pings = 0;
    const ping = async () => {
      pings += 1;
    };
    const readiness = createReadiness([{ name: 'store', ping }], { now: () => nowMs });
    await readiness.read();
    readiness.stop();
    nowMs = 60_000;
    expect(await readiness.read()).toEqual({
      status: 'stopping',
      checks: [{ name: 'store', state: 'ok' }],
    });
    expect(pings).toBe(1);
  });
});
