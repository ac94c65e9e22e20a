import type { FieldViolation } from '../../domain/errors.ts';
import { toPointer } from '../../rpc/descriptor-rules.ts';

/** Most violations that one answer names. */
const violationsMax = 20;

/** Deepest nesting of objects and arrays in a body, as protobuf's own parsers bound it. */
const depthMax = 100;

/** Where a decoder stands in the JSON, and what it found wrong there. */
export class DecodeContext {
  readonly violations: FieldViolation[] = [];
  readonly #path: (string | number)[] = [];

  /** Notes what is wrong at the present place and returns undefined, so that a decoder can return it. */
  reject(detail: string): undefined {
    if (this.violations.length < violationsMax)
      this.violations.push({ pointer: toPointer(this.#path), detail });
    return undefined;
  }

  /** Notes what is wrong with a property of the present place. */
  rejectAt(key: string | number, detail: string): undefined {
    this.#path.push(key);
    this.reject(detail);
    this.#path.pop();
    return undefined;
  }

  /** Decodes the value of a property or an entry; too deep a place is a violation. */
  inside<Value>(key: string | number, decode: (json: unknown, ctx: DecodeContext) => Value, json: unknown) {
    if (this.#path.length >= depthMax) return this.reject('is nested too deeply');
    this.#path.push(key);
    const value = decode(json, this);
    this.#path.pop();
    return value;
  }

  /** Tells whether plain JSON at the present place stays within the depth that is allowed. */
  isShallow(json: unknown): boolean {
    return !isDeeperThan(json, depthMax - this.#path.length);
  }
}

function isDeeperThan(json: unknown, depth: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (depth <= 0) return true;
  for (const key in json) {
    const value = (json as Record<string, unknown>)[key];
    if (typeof value === 'object' && value !== null && isDeeperThan(value, depth - 1)) return true;
  }
  return false;
}
