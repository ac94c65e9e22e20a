import { create, type Message } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamChatResponseSchema } from '../../../gen/service/chat/v1/chat_pb.ts';
import { ChartSchema } from '../../../gen/service/generator/v1/common_pb.ts';
import { GeneratePptxRequestSchema } from '../../../gen/service/generator/v1/deck_pb.ts';
import { GenerateExcelRequestSchema } from '../../../gen/service/generator/v1/workbook_pb.ts';
import { DecodeContext } from '../../../src/http/rest/decode-context.ts';
import { messageDecoder } from '../../../src/http/rest/json-decoder.ts';
import { messageEncoder } from '../../../src/http/rest/json-encoder.ts';
import { Everything } from './everything.ts';

function decode(json: unknown, desc = Everything) {
  const ctx = new DecodeContext();
  const message = messageDecoder(desc)(json, ctx) as Message & Record<string, unknown>;
  return { message, violations: ctx.violations };
}

/** Decodes what is valid and encodes it again, without the fields that have no value. */
function roundTrip(json: unknown, desc = Everything): unknown {
  const { message, violations } = decode(json, desc);
  expect(violations).toEqual([]);
  return withoutEmpty(JSON.parse(messageEncoder(desc)(message)));
}

function withoutEmpty(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutEmpty);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(
        ([, value]) => value !== null && value !== '' && value !== 0 && value !== false && value !== '0',
      )
      .filter(([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0)
      .map(([key, value]) => [key, withoutEmpty(value)]),
  );
}

describe('JSON of a message', () => {
  test.for([
    [{ text: 'é"\\\n\u2028' }],
    [{ flag: true, i32: -5, u32: 4294967295, number: 1.5e-7, small: 0.5 }],
    [{ i64: 9007199254740991, u64: 12 }],
    [{ data: 'AAEC' }],
    [{ color: 'red', colors: ['deepBlue', 'red'] }],
    [{ inner: { text: 'a', inner: { text: 'b' } }, innerList: [{ text: 'a' }, { i32: 1 }] }],
    [{ counts: { a: 1, b: 2 }, byNumber: { 7: { text: 'seven' } } }],
    [{ at: '2026-01-02T03:04:05.678Z', duration: '1.500s', mask: 'a,b.c' }],
    [
      {
        object: { a: [1, 'b', null, { c: true }] },
        value: [1, { a: 'b' }],
        values: ['x', 1, true],
        list: ['y'],
      },
    ],
    [{ wrappedText: 'w', wrappedI64: 7, wrappedList: ['x', 'y'] }],
    [{ choiceText: 'a' }],
    [{ choiceInner: { text: 'a' } }],
    [{ choiceFlag: true }],
    [{ shape: { kind: 'circle', radius: 2, name: 'n' } }],
    [{ shape: { kind: 'label', label: 'l', name: 'n' } }],
    [{ constructor: 'own' }],
  ])('%j is read and written alike', ([json]) => {
    expect(roundTrip(json)).toEqual(json);
  });

  test.for([
    [{ i64: '9223372036854775807' }, '"i64":9223372036854775807'],
    [{ u64: '18446744073709551615' }, '"u64":18446744073709551615'],
    [{ asText: 5 }, '"asText":5'],
    [{ at: '2026-01-02T05:04:05.6789+02:00' }, '"at":"2026-01-02T03:04:05.678Z"'],
    [{ at: '2026-01-02t03:04:05z' }, '"at":"2026-01-02T03:04:05.000Z"'],
    [{ maybeText: '', maybeI64: 0 }, '"maybeText":"","maybeI64":0,"maybeColor":null'],
    [{ maybeText: null }, '"maybeText":null'],
    [{ value: null }, '"value":null'],
    [{ values: [null, 1] }, '"values":[null,1]'],
    [{}, '"inner":null,"innerList":[],"texts":[],"colors":[],"counts":{},"byNumber":{},"at":null'],
    [{}, '"choiceText":null,"choiceInner":null,"choiceFlag":null,"shape":null'],
    [{ color: null }, '"color":null'],
  ])('%j is written as %s', ([json, text]) => {
    const { message, violations } = decode(json);
    expect(violations).toEqual([]);
    expect(messageEncoder(Everything)(message)).toContain(text);
  });

  test.for([
    [[], '', 'must be an object'],
    [{ text: 1 }, '/text', 'must be a string'],
    [{ flag: 'true' }, '/flag', 'must be true or false'],
    [{ i32: 1.5 }, '/i32', 'must be an integer'],
    [{ i32: '1' }, '/i32', 'must be an integer'],
    [{ i32: 2 ** 31 }, '/i32', 'must be an integer'],
    [{ u32: -1 }, '/u32', 'must be an integer'],
    [{ i64: 2 ** 53 }, '/i64', 'must be an integer'],
    [{ i64: '1e3' }, '/i64', 'must be an integer'],
    [{ i64: '9223372036854775808' }, '/i64', 'must be an integer of 64 bits'],
    [{ u64: '-1' }, '/u64', 'must be an integer of 64 bits'],
    [{ number: '1' }, '/number', 'must be a number'],
    [{ data: '***' }, '/data', 'must be a base64 string'],
    [{ color: 'COLOR_RED' }, '/color', 'must be one of red, deepBlue'],
    [{ color: 1 }, '/color', 'must be one of red, deepBlue'],
    [{ inner: 'x' }, '/inner', 'must be an object'],
    [{ innerList: {} }, '/innerList', 'must be an array'],
    [{ innerList: [{}, null] }, '/innerList/1', 'must not be null'],
    [{ innerList: [{}, { inner: { i32: 'x' } }] }, '/innerList/1/inner/i32', 'must be an integer'],
    [{ counts: { 'a/b~c': 'x' } }, '/counts/a~1b~0c', 'must be an integer'],
    [{ byNumber: { x: {} } }, '/byNumber/x', 'is not a key of this object'],
    [{ at: '2026-01-02' }, '/at', 'must be an ISO 8601 date and time with an offset'],
    [{ at: '2026-02-30T00:00:00Z' }, '/at', 'must be an ISO 8601 date and time with an offset'],
    [{ at: '2026-01-02T03:04:05' }, '/at', 'must be an ISO 8601 date and time with an offset'],
    [{ duration: '1' }, '/duration', 'must be a duration such as "1.5s"'],
    [{ object: [] }, '/object', 'must be an object'],
    [{ choiceText: 'a', choiceFlag: true }, '/choiceFlag', 'excludes the other member that is given'],
    [{ shape: {} }, '/shape/kind', 'must be one of circle, label'],
    [{ shape: { kind: 'toString' } }, '/shape/kind', 'must be one of circle, label'],
    [{ shape: { kind: 'circle' } }, '/shape/radius', 'must be given'],
    [{ shape: { kind: 'circle', radius: 'x' } }, '/shape/radius', 'must be a number'],
  ])('%j is refused at %s: %s', ([json, pointer, detail]) => {
    expect(decode(json).violations).toEqual([{ pointer, detail }]);
  });

  test('ignores what it does not know', () => {
    expect(roundTrip({ nothing: 1, choice_text: 'x', __proto__: null, toString: 5 })).toEqual({});
  });

  test('names at most 20 violations', () => {
    expect(decode({ texts: Array(50).fill(1) }).violations).toHaveLength(20);
  });

  test('a map keeps the key __proto__ as its own', () => {
    const { message } = decode({ counts: JSON.parse('{"__proto__":7}') });
    expect(Object.entries(message.counts as object)).toEqual([['__proto__', 7]]);
    expect(Object.getPrototypeOf(message.counts)).toBe(Object.prototype);
  });

  test('a Struct is the object itself', () => {
    const object = { a: { b: [1] } };
    expect(decode({ object }).message.object).toBe(object);
  });

  test('an init shape is written like the message', () => {
    const text = messageEncoder(Everything)({ text: 'a', inner: { i32: 1 } });
    expect(withoutEmpty(JSON.parse(text))).toEqual({ text: 'a', inner: { i32: 1 } });
  });

  test('values beyond JSON numbers are strings, enum values beyond the proto numbers', () => {
    const message = create(Everything, { number: Infinity, small: Number.NaN, color: 99 } as never);
    const text = messageEncoder(Everything)(message);
    expect(text).toContain('"number":"Infinity","small":"NaN"');
    expect(text).toContain('"color":99');
  });

  test('is valid JSON for any text, and reads back to it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.jsonValue(),
        fc.maxSafeInteger(),
        (text, object, i64) => {
          const json = { text, i64, object: { object } };
          const { message } = decode(json);
          expect(JSON.parse(messageEncoder(Everything)(message))).toMatchObject(
            JSON.parse(JSON.stringify(json)),
          );
        },
      ),
    );
  });

  test('never throws, whatever the JSON', () => {
    const names = Everything.fields.map(({ jsonName }) => jsonName);
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(fc.constantFrom(...names, 'kind', 'radius'), tie('node')),
        fc.array(tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(tree, (json) => {
        const { message, violations } = decode(json);
        if (violations.length === 0) JSON.parse(messageEncoder(Everything)(message));
      }),
    );
  });
});

describe('the documented forms of specs', () => {
  const excel = (json: object) => decode({ columns: ['a'], rows: [], ...json }, GenerateExcelRequestSchema);

  test('a column is a string or an object', () => {
    const { message } = excel({ columns: ['a', { header: 'b', align: 'right' }] });
    expect(message).toMatchObject({ columns: [{ header: 'a' }, { header: 'b', align: 3 }] });
  });

  test.for([
    [true, 2],
    [false, 1],
    ['both', 4],
  ])('freezePanes %j', ([json, number]) => {
    expect(excel({ freezePanes: json }).message.freezePanes).toBe(number);
  });

  test.for([
    [{ columns: [1] }, '/columns/0', 'must be a string or an object'],
    [{ columns: [['a']] }, '/columns/0', 'must be a string or an object'],
  ])('%j is told every form that it may have', ([json, pointer, detail]) => {
    expect(excel(json as object).violations).toEqual([{ pointer, detail }]);
  });

  test('a row of a slide that is neither is told both', () => {
    const table = { slides: [{ elements: [{ type: 'table', rows: ['a'] }] }] };
    expect(decode(table, GeneratePptxRequestSchema).violations).toEqual([
      { pointer: '/slides/0/elements/0/rows/0', detail: 'must be an array or an object' },
    ]);
  });

  test('freezePanes takes no number', () => {
    expect(excel({ freezePanes: 1 }).violations).toEqual([
      { pointer: '/freezePanes', detail: 'must be one of none, row, col, both' },
    ]);
  });

  test('an alias is read, and the name itself wins', () => {
    const rule = (style: object) =>
      excel({ conditionalFormatting: [{ type: 'cellIs', range: 'A1', operator: 'equal', value: 1, style }] })
        .message;
    expect(rule({ bg: 'red' })).toMatchObject({
      conditionalFormatting: [
        { range: 'A1', rule: { case: 'cellIs', value: { style: { background: 'red' } } } },
      ],
    });
    expect(rule({ bg: 'red', background: 'blue' })).toMatchObject({
      conditionalFormatting: [{ rule: { value: { style: { background: 'blue' } } } }],
    });
  });

  test.for(['src', 'path', 'url', 'data'])('a picture is read under the name %s', (name) => {
    const slide = { background: { [name]: '/etc/a' }, elements: [{ type: 'image', [name]: '/etc/b' }] };
    expect(decode({ slides: [slide] }, GeneratePptxRequestSchema)).toMatchObject({
      violations: [],
      message: {
        slides: [
          {
            background: { image: '/etc/a' },
            elements: [{ element: { case: 'image', value: { src: '/etc/b' } } }],
          },
        ],
      },
    });
  });

  test('a number is read as the label of a category, as years are', () => {
    const { message, violations } = decode({ labels: [2025, 'later'] }, ChartSchema);
    expect(violations).toEqual([]);
    expect(message).toMatchObject({ labels: ['2025', 'later'] });
  });

  test('points of a series are numbers, gaps or objects', () => {
    const { message } = decode({ datasets: [{ data: [1, null, { value: 2 }] }] }, ChartSchema);
    expect(message).toMatchObject({ datasets: [{ data: [{ value: 1 }, {}, { value: 2 }] }] });
    expect(decode({ datasets: [{ data: ['x'] }] }, ChartSchema).violations).toEqual([
      { pointer: '/datasets/0/data/0', detail: 'must be a number' },
    ]);
  });

  test('a row of a slide is an array of cells or an object by column', () => {
    const element = { type: 'table', x: 1, rows: [['a', 1, null, { value: true, bold: true }], { a: 1 }] };
    const { message, violations } = decode(
      { slides: [{ elements: [element], background: '#fff' }] },
      GeneratePptxRequestSchema,
    );
    expect(violations).toEqual([]);
    expect(message).toMatchObject({
      slides: [
        {
          background: { color: '#fff' },
          elements: [
            {
              x: 1,
              element: {
                case: 'table',
                value: {
                  rows: [
                    {
                      cells: [
                        { value: { kind: { case: 'stringValue', value: 'a' } } },
                        { value: { kind: { case: 'numberValue', value: 1 } } },
                        { value: { kind: { case: 'nullValue' } } },
                        { value: { kind: { case: 'boolValue', value: true } }, bold: true },
                      ],
                    },
                    { values: { a: 1 } },
                  ],
                },
              },
            },
          ],
        },
      ],
    });
  });

  test('a text takes numbers and booleans where the proto says so', () => {
    const { message } = decode(
      { slides: [{ elements: [{ type: 'text', content: 12.5 }] }] },
      GeneratePptxRequestSchema,
    );
    expect(message).toMatchObject({ slides: [{ elements: [{ element: { value: { content: '12.5' } } }] }] });
  });

  test('an event is flat, its tag first', () => {
    const encode = messageEncoder(StreamChatResponseSchema);
    const event = create(StreamChatResponseSchema, {
      event: { case: 'toolCallStart', value: { name: 'run_sql', args: { sql: 'x' } } },
    });
    expect(encode(event)).toBe('{"type":"tool_call_start","name":"run_sql","args":{"sql":"x"}}');
    expect(encode(create(StreamChatResponseSchema))).toBe('{"type":null}');
  });
});
