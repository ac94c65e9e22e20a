import type { DescService } from '@bufbuild/protobuf';
import { accessOf, type MethodAccess } from './gate/access.ts';

/** What a service may depend on. */
export type Need = 'store' | 'redis';

/**
 * Returns what a service cannot be served without when it is configured: the store always, and Redis where any of its
 * methods counts the calls of keys, addresses or webhooks. Calls of people who are signed in are counted nowhere.
 */
export function needsOf({ methods }: DescService): readonly Need[] {
  const isCounted = methods.some((method) => countedKinds.has(accessOf(method).kind));
  return isCounted ? ['store', 'redis'] : ['store'];
}

const countedKinds: ReadonlySet<MethodAccess['kind']> = new Set(['apiKey', 'signature', 'public']);
