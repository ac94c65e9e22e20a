/** Every scope that an API key can hold, with what it grants. */
export const scopeGrants = {
  chat: 'POST /v1/chat, POST /v1/query, GET and DELETE /v1/conversations',
  excel: 'POST /v1/excel',
  pdf: 'POST /v1/pdf',
  pptx: 'POST /v1/pptx',
  docx: 'POST /v1/docx',
  'sql.read': 'the run_sql tool, read-only',
  'sql.write': 'the run_sql tool, read and write',
  'tracker.read': 'the issue-tracker search tool',
  'tracker.write': 'the issue-tracker search, create and comment tools',
  'wiki.read': 'the wiki search tool',
  'wiki.write': 'the wiki search, create and comment tools',
  'mail.read': 'the mail search tool',
} as const;

export type Scope = keyof typeof scopeGrants;

export const scopes = Object.keys(scopeGrants) as readonly Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeGrants, text);
}
