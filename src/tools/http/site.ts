import type { JsonObject } from '../../domain/chat.ts';
import { assertAnswered } from './assert-answered.ts';
import type { SystemClient } from './system-client.ts';

/** One system under one address, with what it takes to sign in. */
export interface Site {
  /** `path` begins with a slash and may have a query; every part of it from outside is already encoded. */
  get(path: string, signal: AbortSignal): Promise<unknown>;
  post(path: string, body: JsonObject, signal: AbortSignal): Promise<unknown>;
}

/** Calls answer with JSON or fail with a ToolFailure. */
export function openSite(
  client: SystemClient,
  site: { readonly name: string; readonly base: string; readonly headers: Readonly<Record<string, string>> },
): Site {
  async function call(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: JsonObject) {
    const response = await client.send(
      {
        method,
        url: new URL(site.base + path),
        headers: { ...site.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      signal,
    );
    assertAnswered(site.name, response);
    return response.body;
  }

  return {
    get: (path, signal) => call('GET', path, signal),
    post: (path, body, signal) => call('POST', path, signal, body),
  };
}
