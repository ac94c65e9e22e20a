import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { createDocumentPool, type DocumentPoolOptions } from '../../../src/documents/pool/document-pool.ts';
import type { WordSpec } from '../../../src/domain/documents/word-spec.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { Renderer, RenderJob } from '../../../src/ports/renderer.ts';

const open: Renderer[] = [];
const faults: unknown[] = [];

function poolOf(options: Partial<DocumentPoolOptions> = {}): Renderer {
  const pool = createDocumentPool({
    onWorkerFault: (error) => faults.push(error),
    threads: 1,
    workerFile: new URL('trial-worker.ts', import.meta.url),
    ...options,
  });
  open.push(pool);
  return pool;
}

afterEach(async () => {
  faults.length = 0;
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

const word = (title: string, sections: WordSpec['sections'] = []): RenderJob => ({
  format: 'docx',
  spec: { title, palette: 'corporate', language: 'en', markdown: false, sections },
  images: new Map(),
  createdAtMs: 1_700_000_000_000,
});

async function failure(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

const textOf = (document: { readonly bytes: Uint8Array }) =>
  JSON.parse(Buffer.from(document.bytes).toString());

describe('a job', () => {
  test('reaches the engine whole and comes back with its bytes and warnings', async () => {
    const job: RenderJob = {
      ...word('echo', [{ level: 2, text: 'zażółć 😀', bullets: ['a', 'b'] }]),
      images: new Map([['one', { kind: 'png', width: 2, height: 3, bytes: Buffer.from([1, 2, 3]) }]]),
    } as RenderJob;
    const document = await poolOf({ preload: ['pdf'] }).render(job);
    expect(document.warnings).toEqual(['a warning']);
    expect(textOf(document)).toEqual({
      spec: job.spec,
      images: [{ asset: 'one', kind: 'png', width: 2, height: 3, bytes: [1, 2, 3] }],
      createdAtMs: 1_700_000_000_000,
      environment: [],
      preload: ['pdf'],
    });
  });

  test('leaves the caller its pictures', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const pool = poolOf();
    const job = { ...word('echo'), images: new Map([['one', { kind: 'png', width: 1, height: 1, bytes }]]) };
    await pool.render(job as RenderJob);
    expect(bytes).toEqual(new Uint8Array([1, 2, 3]));
    expect(textOf(await pool.render(job as RenderJob)).images[0].bytes).toEqual([1, 2, 3]);
  });

  test('that fails brings its error across whole', async () => {
    const error = await failure(poolOf().render(word('throw a service error')));
    expect(error).toMatchObject({
      slug: 'spec_invalid',
      title: 'docx: a reason',
      detail: 'a reason',
      extra: { used: 3 },
      violations: [{ pointer: '/sections/0', detail: 'a reason' }],
      retryAfterSeconds: 4,
    });
    expect(error.stack).toContain('trial-worker.ts');
    expect(error.cause).toContain('the cause');
  });

  test.for(['throw a library error', 'throw an error that cannot be cloned'])(
    'that makes an engine %s is an internal_error, whose text stays private',
    async (title) => {
      const error = await failure(poolOf().render(word(title)));
      expect(error.slug).toBe('internal_error');
      expect(`${error.title} ${error.detail} ${error.message}`).not.toContain('private text');
      expect(error.cause).toContain('private text');
    },
  );

  test('without bytes is engine_returned_empty', async () => {
    expect((await failure(poolOf().render(word('empty')))).slug).toBe('engine_returned_empty');
  });

  test('whose engine cannot be loaded is an internal_error', async () => {
    const job = { ...word('x'), format: 'pdf' } as unknown as RenderJob;
    expect((await failure(poolOf().render(job))).slug).toBe('internal_error');
  });
});

describe('a thread that does not come back', () => {
  test.for(['spin', 'hang'])(
    'because the engine goes into a %s on the spec is spec_invalid',
    async (title) => {
      const pool = poolOf({ renderTimeoutMs: 700 });
      const error = await failure(pool.render(word(title)));
      expect(error).toMatchObject({ slug: 'spec_invalid', title: 'docx: took longer than 0.7 s' });
      expect(textOf(await pool.render(word('echo'))).spec.title).toBe('echo');
    },
  );

  test('before the engine has begun is an internal_error', async () => {
    const pool = poolOf({ renderTimeoutMs: 700 });
    const job = { ...word('x'), format: 'xlsx' } as unknown as RenderJob;
    expect((await failure(pool.render(job))).slug).toBe('internal_error');
    expect(textOf(await pool.render(word('echo'))).spec.title).toBe('echo');
  });

  test.for(['fill the heap', 'fill buffers'])(
    'because the engine came to %s is spec_invalid',
    async (title) => {
      const pool = poolOf({ heapMegabytes: 32, memoryMegabytes: 150 });
      expect(await failure(pool.render(word(title)))).toMatchObject({
        slug: 'spec_invalid',
        title: 'docx: needs more memory than one document may use',
      });
      expect(textOf(await pool.render(word('echo'))).spec.title).toBe('echo');
    },
  );

  test.for(['exit', 'throw later'])('because of an %s is an internal_error', async (title) => {
    const pool = poolOf();
    expect((await failure(pool.render(word(title)))).slug).toBe('internal_error');
    expect(textOf(await pool.render(word('echo'))).spec.title).toBe('echo');
  });

  test('is no matter to jobs in other threads', async () => {
    const pool = poolOf({ threads: 2, renderTimeoutMs: 1_000, heapMegabytes: 32 });
    const outcomes = await Promise.allSettled(
      ['spin', 'echo', 'fill the heap', 'echo', 'exit', 'echo', 'echo'].map((title) =>
        pool.render(word(title)),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  test('outside a job is reported, and replaced', async () => {
    const pool = poolOf();
    await pool.render(word('fail after the answer'));
    await expect.poll(() => faults.length).toBe(1);
    expect(String(faults[0])).toContain('a stray error');
    expect(textOf(await pool.render(word('echo'))).spec.title).toBe('echo');
  });
});

describe('the queue', () => {
  test('holds so many jobs and refuses the next at once', async () => {
    const pool = poolOf({ queueJobs: 2, renderTimeoutMs: 700 });
    const running = failure(pool.render(word('spin')));
    const waiting = [pool.render(word('echo')), pool.render(word('echo'))];
    const refused = await failure(pool.render(word('echo')));
    expect(refused).toMatchObject({
      slug: 'internal_error',
      detail: 'Too many documents are being made at the moment; try again.',
    });
    expect((await running).slug).toBe('spec_invalid');
    await Promise.all(waiting);
    await pool.render(word('echo'));
  });

  test('lets a job wait for so long', async () => {
    const pool = poolOf({ queueTimeoutMs: 100, renderTimeoutMs: 700 });
    const running = failure(pool.render(word('spin')));
    const refused = await failure(pool.render(word('echo')));
    expect(refused).toMatchObject({ slug: 'internal_error', detail: expect.stringContaining('try again') });
    await running;
    await pool.render(word('echo'));
  });

  test('lets a caller that has gone leave, with its own reason', async () => {
    const pool = poolOf({ renderTimeoutMs: 700 });
    const reason = new Error('gone');
    const controller = new AbortController();
    const running = failure(pool.render(word('spin')));
    const waiting = pool.render(word('echo'), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(pool.render(word('echo'), controller.signal)).rejects.toBe(reason);
    await running;
  });

  test('gives a place to as many jobs at once as there are threads', async () => {
    const pool = poolOf({ threads: 2, queueTimeoutMs: 100, renderTimeoutMs: 2_000 });
    const jobs = ['spin', 'spin', 'echo'].map((title) => failure(pool.render(word(title))));
    const titles = (await Promise.all(jobs)).map((error) => error.slug);
    expect(titles).toEqual(['spec_invalid', 'spec_invalid', 'internal_error']);
  });

  test('serves jobs in the order of their arrival', async () => {
    const pool = poolOf();
    const finished: number[] = [];
    const indices = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(indices.map((index) => pool.render(word('echo')).then(() => finished.push(index))));
    expect(finished).toEqual(indices);
  });
});

describe('close', () => {
  test('ends jobs under way, waiting and new ones with internal_error', async () => {
    const pool = poolOf();
    const jobs = [failure(pool.render(word('spin'))), failure(pool.render(word('echo')))];
    await pool.close();
    for (const job of jobs) expect((await job).slug).toBe('internal_error');
    expect((await failure(pool.render(word('echo')))).slug).toBe('internal_error');
  });
});

test('after 1,000 jobs nothing is held', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const pool = poolOf({ threads: 2 });
  const sections = [{ level: 2 as const, text: 'x'.repeat(50_000) }];
  const renderHundred = () =>
    Promise.all(Array.from({ length: 100 }, () => pool.render(word('echo', sections))));
  const heldBytes = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  await renderHundred();
  const before = heldBytes();
  for (let round = 0; round < 10; round++) await renderHundred();
  // The 1,000 files are 50 MB. The memory of a collected buffer is given back a little later.
  await expect.poll(() => heldBytes() - before).toBeLessThan(5_000_000);
});
