import { expect, test } from 'vitest';
import { argon2PasswordHasher } from '../../src/secrets/argon2-password-hasher.ts';

test('a password is stored as argon2id with a salt of its own, and only the right one passes', async () => {
  const one = await argon2PasswordHasher.hash('correct horse');
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await argon2PasswordHasher.hash('correct horse')).not.toBe(one);
  expect(await argon2PasswordHasher.verify(one, 'correct horse')).toBe(true);
  expect(await argon2PasswordHasher.verify(one, 'Correct horse')).toBe(false);
});

test('what is no hash verifies nothing', async () => {
  expect(await argon2PasswordHasher.verify('', '')).toBe(false);
  expect(await argon2PasswordHasher.verify('$argon2id$v=19$m=8', 'x')).toBe(false);
});
