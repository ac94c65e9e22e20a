import type { Flag } from './command.ts';

export const organizationFlag: Flag = {
  name: 'org',
  value: 'ID',
  field: 'organizationId',
  help: 'organization',
};

/** The filter of a list that `--org` narrows. */
export function organizationFilter(fields: Readonly<Record<string, unknown>>): { organizationId?: string } {
  const { organizationId } = fields;
  return typeof organizationId === 'string' ? { organizationId } : {};
}
