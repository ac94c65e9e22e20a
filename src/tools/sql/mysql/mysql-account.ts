/** Global privileges that reach beyond tables: to files, to the server itself, to other accounts. */
const mighty = [
  'ALL PRIVILEGES',
  'FILE',
  'SUPER',
  'SHUTDOWN',
  'RELOAD',
  'CREATE USER',
  'READ_ONLY ADMIN',
  'SYSTEM_VARIABLES_ADMIN',
] as const;

/**
 * Returns what makes an account too mighty for callers that may only read; undefined: nothing.
 *
 * @param grants lines of SHOW GRANTS.
 */
export function accountRefusal(grants: readonly string[]): string | undefined {
  const found = mighty.find((privilege) =>
    grants.some((grant) => globalPrivileges(grant).includes(privilege)),
  );
  if (found === undefined) return undefined;
  return `the database account of this connection holds ${found}, which is refused for read-only use; an administrator must give it an account of low privilege`;
}

function globalPrivileges(grant: string): readonly string[] {
  const privileges = /^GRANT (.+?) ON \*\.\* TO /i.exec(grant)?.[1] ?? '';
  return privileges.split(',').map((privilege) => privilege.trim().toUpperCase());
}
