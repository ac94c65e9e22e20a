import { type ErrorSlug, errorCatalogue } from '../../domain/errors.ts';
import type { Schema } from './schema.ts';

/** Returns the schema of a problem document (RFC 9457) with the extra fields of the catalogue. */
export function problemSchema(errorsBase: string): Schema {
  const slugs = Object.keys(errorCatalogue) as ErrorSlug[];
  return {
    type: 'object',
    description: 'A problem document (RFC 9457). Clients branch on the last part of `type`.',
    required: ['type', 'title', 'status'],
    properties: {
      type: { type: 'string', enum: slugs.map((slug) => `${errorsBase}/${slug}`) },
      title: { type: 'string', description: 'Short summary; may change.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What was wrong.' },
      request_id: { type: 'string', description: 'The id of the request.' },
      errors: {
        type: 'array',
        description: 'The fields at fault.',
        items: {
          type: 'object',
          required: ['pointer', 'detail'],
          properties: {
            pointer: { type: 'string', description: 'JSON pointer (RFC 6901) into the request.' },
            detail: { type: 'string' },
          },
        },
      },
      required_scope: { type: 'string' },
      granted_scopes: { type: 'array', items: { type: 'string' } },
      requested_model: { type: 'string' },
      allowed_models: { type: 'array', items: { type: 'string' } },
      retry_after: { type: 'integer' },
      unit: { type: 'string' },
      used: { type: 'integer' },
      in_flight: { type: 'integer' },
      limit: { type: 'integer' },
    },
  };
}

/** An error under /api. */
export const apiErrorSchema: Schema = {
  type: 'object',
  description: 'An error of /api.',
  required: ['ok', 'error'],
  properties: { ok: { const: false }, error: { type: 'string', description: 'What was wrong.' } },
};
