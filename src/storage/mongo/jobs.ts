import type { JobStore } from '../../ports/job-store.ts';
import { StoreConflict } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { queries } from './queries.ts';

const countedMax = 5_000;

/** `dueAtMs`: when the job may be claimed; the end of its lease while `token` holds it. */
export function openJobs(database: Database): JobStore {
  return {
    async add(id, notBeforeMs) {
      const change = { $min: { dueAtMs: notBeforeMs } };
      try {
        await database.update(queries.waitingJob(id), change, { upsert: true });
      } catch (error) {
        if (!(error instanceof StoreConflict)) throw error;
        // It is leased, or somebody else added it at the same time.
        await database.update(queries.waitingJob(id), change);
      }
    },

    async claim({ nowMs, leaseEndsAtMs, token, limit }) {
      const ids: string[] = [];
      while (ids.length < limit) {
        const change = { $set: { token, dueAtMs: leaseEndsAtMs } };
        const job = await database.findAndUpdate(queries.dueJob(nowMs), change);
        if (job === undefined) break;
        ids.push(job._id);
      }
      return ids;
    },

    renew: (id, token, leaseEndsAtMs) =>
      database.update(queries.leasedJob(id, token), { $set: { dueAtMs: leaseEndsAtMs } }),

    release: (id, token, notBeforeMs) =>
      database.update(queries.leasedJob(id, token), { $set: { dueAtMs: notBeforeMs, token: null } }),

    async count() {
      const jobs = await database.find(queries.jobs(countedMax));
      const active = jobs.filter(({ token }) => token !== null).length;
      return { active, waiting: jobs.length - active };
    },

    remove: (id, token) => database.delete(queries.leasedJob(id, token)),
  };
}
