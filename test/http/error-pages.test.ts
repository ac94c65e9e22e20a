import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../src/domain/errors.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { startServer } from './canned-services.ts';

let server: HttpServer;
let base: string;

beforeAll(async () => {
  const started = await startServer({ throttle: () => Promise.reject(new Error('counted')) });
  server = started.server;
  base = `http://127.0.0.1:${started.port}`;
});
afterAll(() => server.close(0));

describe('the page of an error', () => {
  test.for(Object.entries(errorCatalogue))(
    '%s says when it comes and what helps, without a key',
    async ([slug, entry]) => {
      const response = await fetch(`${base}/errors/${slug}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const html = await response.text();
      expect(html).toContain(`${entry.status} · ${slug}`);
      expect(html).toContain(`<h1>${entry.title.replaceAll("'", "'")}</h1>`);
      expect(html.replaceAll(/<\/?code>|&#\d+;|`/g, '')).toContain(
        entry.condition.replaceAll(/[`&<>"]/g, ''),
      );
      expect(html).not.toMatch(/\b(?:src|href)="(?!\/errors)/);
    },
  );

  test('loads nothing but its own style', async () => {
    const response = await fetch(`${base}/errors/not_found`);
    const style = /<style>([\s\S]*)<\/style>/.exec(await response.text())?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(
      `default-src 'none'; style-src 'sha256-${hash}'`,
    );
  });

  test('is listed in the index', async () => {
    const html = await (await fetch(`${base}/errors`)).text();
    for (const slug of Object.keys(errorCatalogue)) expect(html).toContain(`href="/errors/${slug}"`);
  });

  test('of no slug is not found', async () => {
    const response = await fetch(`${base}/errors/nothing`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
  });
});
