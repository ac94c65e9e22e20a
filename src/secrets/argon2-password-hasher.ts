import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../ports/password-hasher.ts';

/**
 * 19 MiB, two passes, one lane: the first choice of OWASP's password storage guide. The algorithm is the library's
 * default, argon2id of version 0x13 (RFC 9106).
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const argon2PasswordHasher: PasswordHasher = {
  hash: (password) => hash(password, options),
  async verify(passwordHash, password) {
    try {
      return await verify(passwordHash, password);
    } catch {
      return false;
    }
  },
};
