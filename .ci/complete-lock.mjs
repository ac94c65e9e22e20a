// Adds to package-lock.json the optional packages of other platforms that the registry in use did not list: npm ci
// wants every name, and a lock file written against a partial mirror lacks some. Run after a change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs';

const path = process.argv[2] ?? 'package-lock.json';
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  linuxmusl: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
};
const processors = {
  arm: 'arm',
  armv7: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
};

const lock = JSON.parse(readFileSync(path, 'utf8'));
const { packages } = lock;
for (const [key, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (
      packages[`node_modules/${name}`] !== undefined ||
      packages[`${key}/node_modules/${name}`] !== undefined
    )
      continue;
    packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
    console.log(`added ${name} ${range}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);

/** Reads system, processor and C library from a name such as `@scope/tool-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-.]/);
  const os = words.map((word) => systems[word]).find(Boolean);
  const cpu = words.map((word) => processors[word]).find(Boolean);
  const libc = words.some((word) => word.includes('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  if (os === undefined && cpu === undefined) throw new Error(`${name}: not the package of a platform`);
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) };
}
