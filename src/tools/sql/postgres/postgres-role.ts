import type { Client } from 'pg';
import { SqlFailure } from '../sql-driver.ts';

interface RoleRow {
  readonly powers: readonly string[];
  readonly functions: readonly string[];
}

/**
 * The role's powers over the server itself, and which of the names in $1 are functions that `x.name` would call: with
 * one argument, and no mere conversion to a type of that name.
 */
const question = `
  SELECT
    ARRAY(
      SELECT 'superuser' FROM pg_catalog.pg_roles WHERE rolname IN (session_user, current_user) AND rolsuper
      UNION
      SELECT rolname::text FROM pg_catalog.pg_roles
      WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
        AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER')
    ) AS powers,
    ARRAY(
      SELECT DISTINCT proname::text FROM pg_catalog.pg_proc p
      WHERE proname = ANY ($1::text[]) AND pronargs >= 1 AND pronargs - pronargdefaults <= 1
        AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_type t
          WHERE t.typname = p.proname AND p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
        )
    ) AS functions`;

/** Returns what makes the role too mighty for callers that may only read; undefined: nothing. */
export async function roleRefusal(client: Client): Promise<string | undefined> {
  return refusalOf((await ask(client, [])).powers);
}

/**
 * Makes sure, before a statement runs, that the role is fit for the caller and that no name after a point calls a
 * function.
 *
 * @throws SqlFailure
 */
export async function assertRole(
  client: Client,
  fieldNames: readonly string[],
  mayWrite: boolean,
): Promise<void> {
  const { powers, functions } = await ask(client, fieldNames);
  const refusal = refusalOf(powers);
  if (refusal !== undefined && !mayWrite) throw new SqlFailure('statement', refusal);
  const [name] = functions;
  if (name === undefined) return;
  throw new SqlFailure(
    'statement',
    `.${name} could call the function ${name}, which is not among the allowed ones; write the column without its table`,
  );
}

async function ask(client: Client, fieldNames: readonly string[]): Promise<RoleRow> {
  const { rows } = await client.query<RoleRow>(question, [fieldNames]);
  return rows[0] ?? { powers: ['unknown'], functions: [] };
}

function refusalOf(powers: readonly string[]): string | undefined {
  const power = powers.find((name) => name === 'superuser') ?? powers[0];
  if (power === undefined) return undefined;
  const what = power === 'superuser' ? 'is a superuser' : `is a member of ${power}`;
  return `the database role of this connection ${what}, which is refused for read-only use; an administrator must give it a role of low privilege`;
}
