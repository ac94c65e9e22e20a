import { methodRulesOf } from '../../rpc/descriptor-rules.ts';
import { accessOf } from '../../rpc/gate/access.ts';
import type { Binding } from '../rest/binding.ts';
import type { Schema } from './schema.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Every header that an answer may carry (interface, sections 2.1 and 8.1). */
export const sharedHeaders: Record<string, Schema> = {
  'X-Request-Id': { description: 'The id that the request came with, or a fresh one.', schema: text },
  'X-Service-Api-Key-Id': { description: 'Opaque id of the key.', schema: text },
  'X-RateLimit-Limit': { description: 'Requests an hour.', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests left in the hour.', schema: count },
  'X-RateLimit-Reset': { description: 'Unix time in seconds at which the window resets.', schema: count },
  'X-Service-Rate-Limit': { description: 'The same as X-RateLimit-Limit.', schema: count },
  'X-Service-Rate-Used': { description: 'Requests used in the window.', schema: count },
  'X-Service-Budget-Limit': { description: 'Token budget; absent when the key has none.', schema: count },
  'X-Service-Budget-Used': { description: 'Tokens used in this cycle.', schema: count },
  'Retry-After': { description: 'Seconds to wait.', schema: count },
  'Content-Disposition': { description: 'attachment, with the file name.', schema: text },
  'X-Service-File-Id': {
    description: 'UUID, fresh for each file.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Service-Warnings': { description: 'What could not be shown as asked.', schema: text },
  'Idempotency-Replayed': {
    description: 'true when the answer is the one of an earlier request.',
    schema: text,
  },
};

const standing = Object.keys(sharedHeaders).filter((name) =>
  /^X-(RateLimit|Service-(Api|Rate|Budget))/.test(name),
);
const ofFiles = ['Content-Disposition', 'X-Service-File-Id', 'X-Service-Warnings'];

/** Returns references to the headers of a method's answers, as far as the status is concerned. */
export function answerHeaders(binding: Binding, status: number): Record<string, Schema> {
  const { method, isBinary } = binding;
  const isOk = status < 300;
  const isKeyed = accessOf(method).kind === 'apiKey';
  const names = [
    'X-Request-Id',
    ...(isKeyed && status !== 401 ? standing : []),
    ...(isOk && isBinary ? ofFiles : []),
    ...(isOk && methodRulesOf(method).idempotencyKey ? ['Idempotency-Replayed'] : []),
    ...(status === 429 ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
