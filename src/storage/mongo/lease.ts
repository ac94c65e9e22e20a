import { type Collection, type Db, type Document, type Filter, MongoServerError } from 'mongodb';

/** The collection of the store's own state: one document for each thing that one process at a time may do. */
export const stateCollection = 'service_state';

const duplicateKey = 11_000;

/** What leases need of a document; it may hold more. */
interface LeaseDocument extends Document {
  readonly _id: string;
  readonly lockToken: string | null;
  readonly lockEndsAtMs: number | null;
}

export interface Lease {
  /** Takes the lease when nobody holds it, or extends it when `token` does. False when another holds it. */
  take(nowMs: number): Promise<boolean>;
  release(): Promise<void>;
}

/** Returns the lease of the document `id`, which is created with `fields` when it is missing, as `token` holds it. */
export function createLease(
  database: Db,
  { id, token, leaseMs, fields = {} }: { id: string; token: string; leaseMs: number; fields?: Document },
): Lease {
  const state: Collection<LeaseDocument> = database.collection(stateCollection);
  return {
    async take(nowMs) {
      const free: Filter<LeaseDocument> = {
        _id: id,
        $or: [{ lockToken: null }, { lockToken: token }, { lockEndsAtMs: { $lte: nowMs } }],
      };
      const $set = { lockToken: token, lockEndsAtMs: nowMs + leaseMs };
      try {
        await state.updateOne(free, { $set, $setOnInsert: fields }, { upsert: true });
        return true;
      } catch (error) {
        if (error instanceof MongoServerError && error.code === duplicateKey) return false;
        throw error;
      }
    },

    async release() {
      await state.updateOne({ _id: id, lockToken: token }, { $set: { lockToken: null, lockEndsAtMs: null } });
    },
  };
}

/** A lease that is renewed until it is let go. */
export interface KeptLease {
  /** Whether the last renewal found it still ours. A server that is away is none. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** Keeps a lease that was taken. */
export function keepLease(lease: Lease, now: () => number, leaseMs: number): KeptLease {
  let isHeld = true;
  let renewal = Promise.resolve();
  const renew = () =>
    lease.take(now()).then(
      (held) => {
        isHeld = held;
      },
      () => {},
    );
  const timer = setInterval(() => {
    renewal = renewal.then(renew);
  }, leaseMs / 3);
  timer.unref();
  return {
    isHeld: () => isHeld,
    async release() {
      clearInterval(timer);
      // One that is under way would take the lease again.
      await renewal;
      await lease.release();
    },
  };
}
