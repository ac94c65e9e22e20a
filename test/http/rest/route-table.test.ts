import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePathTemplate } from '../../../src/http/rest/path-template.ts';
import { createRouteTable } from '../../../src/http/rest/route-table.ts';

function tableOf(...routes: readonly (readonly [method: string, template: string])[]) {
  const table = createRouteTable<string>();
  for (const [method, template] of routes) table.add(method, parsePathTemplate(template), template);
  return table;
}

function find(routes: readonly (readonly [string, string])[], method: string, path: string) {
  const match = tableOf(...routes).match(method, path);
  return match.kind === 'found' ? [match.targets[0], ...match.values] : match.kind;
}

describe('a path template', () => {
  test.for([
    ['/v1/health', [{ literal: 'v1' }, { literal: 'health' }], [], ''],
    ['/v1/{id}', [{ literal: 'v1' }, '*'], [{ fieldPath: ['id'], from: 1, to: 2 }], ''],
    [
      '/v1/{a.b.c=x/*}:go',
      [{ literal: 'v1' }, { literal: 'x' }, '*'],
      [{ fieldPath: ['a', 'b', 'c'], from: 1, to: 3 }],
      'go',
    ],
    ['/{n=**}', ['**'], [{ fieldPath: ['n'], from: 0, to: undefined }], ''],
    ['/*/**:verb', ['*', '**'], [], 'verb'],
    ['/a%20b', [{ literal: 'a b' }], [], ''],
  ] as const)('%s', ([text, segments, variables, verb]) => {
    expect(parsePathTemplate(text)).toEqual({ segments, variables, verb });
  });

  test.for([
    '',
    'v1',
    '/',
    '//',
    '/a/',
    '/{',
    '/{}',
    '/{a',
    '/{a=}',
    '/{a={b}}',
    '/{1}',
    '/**/a',
    '/{a=**}/b',
    '/{a}/{a}',
    '/a:',
    '/a:b:c',
    '/a?b',
    '/%zz',
    '/%ff',
  ])('%s is refused', (text) => {
    expect(() => parsePathTemplate(text)).toThrow(`path template ${text}`);
  });
});

describe('a route table', () => {
  const routes = [
    ['GET', '/v1/things'],
    ['GET', '/v1/things/mine'],
    ['GET', '/v1/things/{id}'],
    ['DELETE', '/v1/things/{id}'],
    ['POST', '/v1/things/{id}:start'],
    ['POST', '/v1/things/mine:start'],
    ['GET', '/v1/{name=files/**}'],
    ['GET', '/v1/{name=files/**}:raw'],
    ['GET', '/v1/{rest=**}'],
    ['*', '/any/{x}/{y}'],
  ] as const;

  test.for([
    ['GET', '/v1/things', ['/v1/things']],
    ['GET', '/v1/things/mine', ['/v1/things/mine']],
    ['GET', '/v1/things/m%69ne', ['/v1/things/mine']],
    ['GET', '/v1/things/7', ['/v1/things/{id}', '7']],
    ['HEAD', '/v1/things/7', ['/v1/things/{id}', '7']],
    ['GET', '/v1/things/a%2Fb', ['/v1/things/{id}', 'a/b']],
    ['GET', '/v1/things/a:b', ['/v1/things/{id}', 'a:b']],
    ['GET', '/v1/things/%zz', ['/v1/things/{id}', undefined]],
    ['POST', '/v1/things/7:start', ['/v1/things/{id}:start', '7']],
    ['POST', '/v1/things/a:b:start', ['/v1/things/{id}:start', 'a:b']],
    ['POST', '/v1/things/mine:start', ['/v1/things/mine:start']],
    // A literal decides first, but not against a method that it does not take.
    ['DELETE', '/v1/things/mine', ['/v1/things/{id}', 'mine']],
    ['GET', '/v1/things/7/', ['/v1/{rest=**}', 'things/7/']],
    ['GET', '/v1/files/a/b', ['/v1/{name=files/**}', 'files/a/b']],
    ['GET', '/v1/files/a%2Fb%20c', ['/v1/{name=files/**}', 'files/a%2Fb c']],
    ['GET', '/v1/files/a/b:raw', ['/v1/{name=files/**}:raw', 'files/a/b']],
    ['GET', '/v1/files', ['/v1/{name=files/**}', 'files']],
    ['GET', '/v1', ['/v1/{rest=**}', '']],
    ['BREW', '/any/1/2', ['/any/{x}/{y}', '1', '2']],
    ['GET', '/any/1/', 'unknown'],
    ['GET', '/v2', 'unknown'],
    ['GET', 'v1', 'unknown'],
    ['GET', '*', 'unknown'],
    ['POST', '/v1/things/7', 'wrongMethod'],
  ] as const)('%s %s', ([method, path, expected]) => {
    expect(find(routes, method, path)).toEqual(expected);
  });

  test('tells the methods of a path that is known for others', () => {
    const match = tableOf(...routes).match('PUT', '/v1/things/7');
    expect(match).toEqual({ kind: 'wrongMethod', allow: ['DELETE', 'GET', 'HEAD'] });
  });

  test('keeps several targets of one route in their order', () => {
    const table = createRouteTable<number>();
    for (const target of [1, 2]) table.add('POST', parsePathTemplate('/a'), target);
    expect(table.match('POST', '/a')).toMatchObject({ targets: [1, 2] });
  });

  test('refuses two routes that differ in the names of their variables alone', () => {
    expect(() => tableOf(['GET', '/a/{b}'], ['GET', '/a/{c}'])).toThrow('variables');
  });

  test('what is captured is what was encoded, whatever it is', () => {
    const table = tableOf(['GET', '/a/{one}/b/{many=**}']);
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.array(text), (one, many) => {
        const path = `/a/${encodeURIComponent(one)}/b/${many.map(encodeURIComponent).join('/')}`;
        const match = table.match('GET', many.length === 0 ? path.slice(0, -1) : path);
        expect(match).toMatchObject({
          kind: 'found',
          values: [one, many.map((part) => part.replaceAll('/', '%2F')).join('/')],
        });
      }),
    );
  });

  test('a template takes the paths that are made from it', () => {
    const segment = fc.stringMatching(/^[a-z0-9]{1,6}$/);
    const part = fc.oneof(
      segment.map((literal) => ({ template: literal, path: fc.constant(literal) })),
      segment.map((name) => ({ template: `{x${name}}`, path: segment })),
      fc.constant({ template: '*', path: segment }),
    );
    fc.assert(
      fc.property(
        fc
          .uniqueArray(part, { minLength: 1, maxLength: 6, selector: ({ template }) => template })
          .chain((parts) =>
            fc.tuple(fc.constant(parts), fc.tuple(...parts.map(({ path }) => path)), fc.option(segment)),
          ),
        ([parts, path, verb]) => {
          const suffix = verb === null ? '' : `:${verb}`;
          const template = `/${parts.map((each) => each.template).join('/')}${suffix}`;
          const match = tableOf(['GET', template]).match('GET', `/${path.join('/')}${suffix}`);
          const values = path.filter((_, index) => parts[index]?.template.startsWith('{'));
          expect(match).toMatchObject({ kind: 'found', values });
        },
      ),
    );
  });

  test('never throws, whatever the path', () => {
    const table = tableOf(...routes);
    fc.assert(fc.property(fc.string(), (path) => void table.match('GET', `/${path}`)));
  });
});
