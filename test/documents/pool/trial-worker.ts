import { setTimeout } from 'node:timers/promises';
import { workerData } from 'piscina';
import { serve } from '../../../src/documents/pool/serve.ts';
import type { DeckSpec } from '../../../src/domain/documents/deck-spec.ts';
import type { WordSpec } from '../../../src/domain/documents/word-spec.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { RenderedDocument, RenderInput } from '../../../src/ports/renderer.ts';

const spin = (): never => {
  for (;;);
};

/** What the title of a trial spec makes the worker do. */
const behaviours: Readonly<Record<string, () => unknown>> = {
  spin,
  hang: () => new Promise(() => undefined),
  'fill the heap': () => {
    const kept: object[] = [];
    for (;;) kept.push({ kept });
  },
  'fill buffers': () => {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(1_000_000, 1));
  },
  exit: () => process.exit(7),
  'throw a library error': () => {
    throw new TypeError('private text');
  },
  'throw an error that cannot be cloned': () => {
    throw Object.assign(new Error('private text'), { cause: { uncloneable: () => undefined } });
  },
  'throw later': () => {
    setImmediate(() => {
      throw new Error('a stray error');
    });
    return new Promise(() => undefined);
  },
  'fail after the answer': () => {
    void setTimeout(20).then(() => {
      throw new Error('a stray error');
    });
  },
  'throw a service error': () => {
    throw new ServiceError('spec_invalid', {
      title: 'docx: a reason',
      detail: 'a reason',
      extra: { used: 3 },
      violations: [{ pointer: '/sections/0', detail: 'a reason' }],
      retryAfterSeconds: 4,
      cause: new Error('the cause', { cause: () => undefined }),
    });
  },
};

/** Answers with what it received, as JSON. */
async function echo({
  spec,
  images,
  createdAtMs,
}: RenderInput<WordSpec | DeckSpec>): Promise<RenderedDocument> {
  await behaviours[spec.title]?.();
  const received = {
    spec,
    images: [...images].map(([asset, image]) => ({ asset, ...image, bytes: [...image.bytes] })),
    createdAtMs,
    environment: Object.keys(process.env),
    preload: (workerData as { readonly preload: unknown }).preload,
  };
  const bytes = spec.title === 'empty' ? new Uint8Array() : Buffer.from(JSON.stringify(received));
  return { bytes, warnings: ['a warning'] };
}

/** Stands in place of the four engines: what breaks here while it loads is no fault of a spec. */
export default serve({
  xlsx: () => new Promise(spin),
  pdf: () => Promise.reject(new Error('private text')),
  pptx: async () => echo,
  docx: async () => echo,
});
