import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { readFile } from './deployment-files.ts';

const passwords = { MONGODB_ADMIN_PASSWORD: 'admin@secret', MONGODB_PASSWORD: 'service-secret' };

/** What mongosh gives a script, noting what it does; a stand-in for a set of servers that is new or was made before. */
function runScript(isSetUp: boolean, primaryAfter = 2) {
  const done: unknown[][] = [];
  const note = (...event: unknown[]) => void done.push(event);
  let polls = 0;
  const found = (value: object | null) => (isSetUp ? value : null);
  const database = (name: string) => ({
    auth(user: string, password: string) {
      if (!isSetUp) throw new Error('Authentication failed.');
      note('auth', user, password);
      return { ok: 1 };
    },
    hello: () => ({ isWritablePrimary: ++polls > primaryAfter }),
    getRole: () => found({}),
    getUser: () => found({}),
    createRole: (role: object) => note(`${name}.createRole`, role),
    updateRole: (role: string, change: object) => note(`${name}.updateRole`, role, change),
    createUser: ({ user, ...rest }: { user: string }) => note(`${name}.createUser`, user, rest),
    updateUser: (user: string, change: object) => note(`${name}.updateUser`, user, change),
    getSiblingDB: (other: string) => database(other),
  });
  runInNewContext(readFile('deploy/mongodb-init.js'), {
    db: database('test'),
    rs: { initiate: (set: object) => note('initiate', set) },
    process: { env: passwords },
    sleep: () => note('sleep'),
    connect: (url: string) => {
      note('connect', url);
      return database('admin');
    },
  });
  return JSON.parse(JSON.stringify(done)) as unknown[][];
}

const url = 'mongodb://admin:admin%40secret@mongodb-1,mongodb-2,mongodb-3/admin?replicaSet=rs0';

describe('the script that sets MongoDB up', () => {
  test('makes the set, waits for the primary, then makes the administrator and the user, in this order', () => {
    const done = runScript(false);
    expect(done.map(([event]) => event)).toEqual([
      'initiate',
      'sleep',
      'sleep',
      'admin.createUser',
      'connect',
      'service.createRole',
      'service.createUser',
    ]);
    const member = (id: number, priority: number) => ({ _id: id, host: `mongodb-${id + 1}:27017`, priority });
    expect(done[0]?.[1]).toEqual({ _id: 'rs0', members: [member(0, 2), member(1, 1), member(2, 1)] });
    expect(done[4]).toEqual(['connect', url]);
    expect(done.at(-1)).toEqual([
      'service.createUser',
      'service',
      { pwd: 'service-secret', roles: ['service'] },
    ]);
  });

  test('run again, sets the role and the password of the user through the set, and nothing else', () => {
    const done = runScript(true);
    expect(done.map(([event]) => event)).toEqual([
      'auth',
      'connect',
      'service.updateRole',
      'service.updateUser',
    ]);
  });

  test('gives the service its own database only, and no way to drop anything', () => {
    const role = runScript(false).find(([event]) => event === 'service.createRole')?.[1];
    expect(role).toMatchObject({
      role: 'service',
      roles: [],
      privileges: [{ resource: { db: 'service', collection: '' } }],
    });
    expect(JSON.stringify(role)).not.toMatch(/drop|anyAction|admin/i);
  });
});
