import type { Document } from 'mongodb';

/** A map in a document from encoded ids to amounts that are held until their leases end. */
export interface HeldAmounts {
  /** The map's field. */
  readonly map: string;
  readonly nowMs: number;
  /** Only those whose `owner` is this field name. */
  readonly owner?: string;
}

/** What must be below or at a limit for a change to happen. */
export interface HeldLimits {
  readonly map: string;
  readonly nowMs: number;
  readonly sums: readonly HeldSum[];
}

export interface HeldSum {
  /** The field with what is settled. */
  readonly used: string;
  readonly owner?: string;
  /** The largest sum of what is settled and what is held. */
  readonly max: number;
}

/** Returns an id as the name of a field: one path segment, whatever the id is. */
export function fieldName(id: string): string {
  return `-${encodeURIComponent(id).replaceAll('.', '%2E')}`;
}

/** Returns the id of a name that `fieldName` made. */
export function idOfFieldName(name: string): string {
  return decodeURIComponent(name.slice(1));
}

/** Returns the expression that sums the amounts whose leases have not ended. */
export function liveAmount({ map, nowMs, owner }: HeldAmounts): Document {
  const isLive = { $gt: ['$$held.v.leaseEndsAtMs', nowMs] };
  // Field names begin with no $, which would make a path of it.
  const isMeant = owner && { $eq: ['$$held.v.owner', owner] };
  return {
    $sum: {
      $map: {
        input: { $objectToArray: `$${map}` },
        as: 'held',
        in: { $cond: [isMeant === undefined ? isLive : { $and: [isLive, isMeant] }, '$$held.v.amount', 0] },
      },
    },
  };
}

/** Returns the expression that reads a number, 0 where there is none. */
export function numberAt(path: string): Document {
  return { $ifNull: [`$${path}`, 0] };
}

/** Returns the condition that each sum of settled and held amounts is at or below its limit. */
export function heldBelow({ map, nowMs, sums }: HeldLimits): Document {
  if (sums.length === 0) return {};
  const conditions = sums.map(({ used, owner, max }) => {
    const live = liveAmount({ map, nowMs, ...(owner !== undefined && { owner }) });
    return { $lte: [{ $add: [numberAt(used), live] }, max] };
  });
  return { $expr: { $and: conditions } };
}
