/*
 * Makes a replica set of three new servers, an administrator, and the service's user, whose role can do what the service
 * does in its own database and nothing else. mongosh runs it on the first server; run again, it sets the user's
 * password and role and changes nothing else.
 */
const { MONGODB_ADMIN_PASSWORD, MONGODB_PASSWORD } = process.env;
const names = ['mongodb-1', 'mongodb-2', 'mongodb-3'];
const local = db.getSiblingDB('admin');

function isSetUp() {
  try {
    return local.auth('admin', MONGODB_ADMIN_PASSWORD).ok === 1;
  } catch {
    return false;
  }
}

if (!isSetUp()) {
  // Until there is a user, commands from the same machine need none: to make the set, and the first user.
  try {
    // The first member becomes the primary, where the user has to be made.
    const members = names.map((name, _id) => ({ _id, host: `${name}:27017`, priority: _id === 0 ? 2 : 1 }));
    rs.initiate({ _id: 'rs0', members });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
  while (!local.hello().isWritablePrimary) sleep(500);
  local.createUser({ user: 'admin', pwd: MONGODB_ADMIN_PASSWORD, roles: ['root'] });
}

const password = encodeURIComponent(MONGODB_ADMIN_PASSWORD);
const url = `mongodb://admin:${password}@${names.join(',')}/admin?replicaSet=rs0`;
const service = connect(url).getSiblingDB('service');

const privileges = [
  {
    resource: { db: 'service', collection: '' },
    actions: ['find', 'insert', 'update', 'remove', 'createCollection', 'collMod', 'createIndex'],
  },
];
if (service.getRole('service') === null) service.createRole({ role: 'service', privileges, roles: [] });
else service.updateRole('service', { privileges, roles: [] });

const user = { pwd: MONGODB_PASSWORD, roles: ['service'] };
if (service.getUser('service') === null) service.createUser({ user: 'service', ...user });
else service.updateUser('service', user);
