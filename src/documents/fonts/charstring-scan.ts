import type { CffIndex } from './cff-reader.ts';

interface Scan {
  readonly globals: CffIndex;
  readonly locals: CffIndex | undefined;
  readonly usedGlobals: Set<number>;
  readonly usedLocals: Set<number>;
  /** Operands that wait for an operator. */
  stack: number[];
  /** Hints declared so far: they say how long a mask is. */
  hints: number;
}

/** Type 2 allows ten levels of subroutines (Adobe TN 5177, appendix B). */
const depthMax = 10;

/** Adds the subroutines that a Type 2 charstring calls, and those that they call, to the sets. */
export function markSubroutines(
  charString: Buffer,
  globals: CffIndex,
  locals: CffIndex | undefined,
  usedGlobals: Set<number>,
  usedLocals: Set<number>,
): void {
  scan(charString, { globals, locals, usedGlobals, usedLocals, stack: [], hints: 0 }, 0);
}

/** Gives false when the glyph has ended. */
function scan(bytes: Buffer, state: Scan, depth: number): boolean {
  let at = 0;
  while (at < bytes.length) {
    const code = bytes[at] ?? 0;
    at += 1;
    if (code >= 32 || code === 28) {
      at = pushNumber(bytes, at, code, state.stack);
      continue;
    }
    switch (code) {
      case 1:
      case 3:
      case 18:
      case 23:
        state.hints += state.stack.length >> 1;
        state.stack = [];
        break;
      case 19:
      case 20:
        state.hints += state.stack.length >> 1;
        state.stack = [];
        at += (state.hints + 7) >> 3;
        break;
      case 10:
        if (!call(state.locals, state.usedLocals, state, depth)) return false;
        break;
      case 29:
        if (!call(state.globals, state.usedGlobals, state, depth)) return false;
        break;
      case 11:
        return true;
      case 14:
        return false;
      case 12:
        at += 1;
        state.stack = [];
        break;
      default:
        state.stack = [];
    }
  }
  return true;
}

function pushNumber(bytes: Buffer, at: number, code: number, stack: number[]): number {
  if (code === 28) {
    stack.push(bytes.readInt16BE(at));
    return at + 2;
  }
  if (code <= 246) {
    stack.push(code - 139);
    return at;
  }
  if (code <= 250) {
    stack.push((code - 247) * 256 + (bytes[at] ?? 0) + 108);
    return at + 1;
  }
  if (code <= 254) {
    stack.push(-(code - 251) * 256 - (bytes[at] ?? 0) - 108);
    return at + 1;
  }
  stack.push(bytes.readInt32BE(at) / 65_536);
  return at + 4;
}

function call(subrs: CffIndex | undefined, used: Set<number>, state: Scan, depth: number): boolean {
  const number = state.stack.pop();
  if (subrs === undefined || number === undefined || depth >= depthMax) return true;
  const index = number + (subrs.count < 1_240 ? 107 : subrs.count < 33_900 ? 1_131 : 32_768);
  if (index < 0 || index >= subrs.count) return true;
  used.add(index);
  return scan(subrs.get(index), state, depth + 1);
}
