import { ServiceError } from './errors.ts';

/** Where a page of a list ended: its last record. */
export interface CursorPosition {
  readonly createdAtMs: number;
  readonly id: string;
}

const form = /^(\d{1,16})\.([0-9A-Za-z_-]{1,128})$/;

/** Returns the opaque text of a position. */
export function formatCursor(position: CursorPosition): string {
  return Buffer.from(`${position.createdAtMs}.${position.id}`).toString('base64url');
}

/** @throws invalid_request when `text` is no cursor that `formatCursor` made. */
export function parseCursor(text: string): CursorPosition {
  const match = form.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const [, createdAtMs, id] = match ?? [];
  if (createdAtMs === undefined || id === undefined || !Number.isSafeInteger(Number(createdAtMs))) {
    const detail = 'cursor must be the next_cursor of an earlier page';
    throw new ServiceError('invalid_request', { detail, violations: [{ pointer: '/cursor', detail }] });
  }
  return { createdAtMs: Number(createdAtMs), id };
}
