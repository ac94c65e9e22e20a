/** Turns passwords into what can be stored of them. Slow on purpose, and off the caller's thread. */
export interface PasswordHasher {
  /** Returns an argon2id hash in PHC form, with a fresh salt. */
  hash(password: string): Promise<string>;
  /** Takes equally long whether or not the password is right. False also when `passwordHash` is not in PHC form. */
  verify(passwordHash: string, password: string): Promise<boolean>;
}
