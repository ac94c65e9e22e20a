import { describe, expect, test } from 'vitest';
import { parseModelsFile } from '../../src/models/models-file.ts';

const noFile = () => {
  throw new Error('no such file');
};

function parse(document: unknown, readFile: (path: string) => string = noFile) {
  return parseModelsFile(JSON.stringify(document), readFile);
}

describe('a MODELS_FILE', () => {
  test('needs no more than an address and ids', () => {
    expect(
      parse({ upstreams: [{ base_url: 'http://localhost:11434/v1/', models: [{ id: 'small' }] }] }),
    ).toEqual([
      {
        name: 'localhost:11434',
        baseUrl: 'http://localhost:11434/v1',
        apiKey: null,
        headers: {},
        retries: 2,
        firstByteTimeoutMs: 120_000,
        idleTimeoutMs: 60_000,
        models: [
          {
            id: 'small',
            upstreamId: 'small',
            contextTokens: 128_000,
            completionTokens: 4_096,
            completionParameter: 'max_tokens',
            supportsTools: true,
            streamsUsage: true,
          },
        ],
      },
    ]);
  });

  test('sets everything', () => {
    const [upstream] = parse(
      {
        upstreams: [
          {
            name: 'mine',
            base_url: 'https://models.example/v1',
            api_key_file: '/run/secrets/key',
            headers: { 'x-team': 'blue' },
            retries: 0,
            first_byte_timeout_ms: 5_000,
            idle_timeout_ms: 4_000,
            models: [
              {
                id: 'a',
                upstream_id: 'b',
                context_tokens: 8_192,
                completion_tokens: 512,
                completion_parameter: 'max_completion_tokens',
                tools: false,
                stream_usage: false,
              },
            ],
          },
        ],
      },
      () => 'key\n',
    );
    expect(upstream).toEqual({
      name: 'mine',
      baseUrl: 'https://models.example/v1',
      apiKey: 'key',
      headers: { 'x-team': 'blue' },
      retries: 0,
      firstByteTimeoutMs: 5_000,
      idleTimeoutMs: 4_000,
      models: [
        {
          id: 'a',
          upstreamId: 'b',
          contextTokens: 8_192,
          completionTokens: 512,
          completionParameter: 'max_completion_tokens',
          supportsTools: false,
          streamsUsage: false,
        },
      ],
    });
  });

  test('without a list of models serves what the server has', () => {
    expect(parse({ upstreams: [{ base_url: 'http://localhost/v1' }] })[0]?.models).toBeNull();
  });

  test('names every fault with its place', () => {
    const faulty = {
      upstreams: [
        { base_url: 'ftp://x', retries: 99, api_key_file: '/none', modles: [] },
        {
          base_url: 'http://x',
          models: [{ id: '' }, { id: 'a', context_tokens: 100, completion_tokens: 1.5 }, 7],
        },
      ],
      extra: true,
    };
    expect(() => parse(faulty)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(
            [
              '/extra: is not known',
              '/upstreams/0/modles: is not known',
              '/upstreams/0/base_url',
              '/upstreams/0/api_key_file: no such file',
              '/upstreams/0/retries',
              '/upstreams/1/models/0/id',
              '/upstreams/1/models/1/context_tokens',
              '/upstreams/1/models/1/completion_tokens',
              '/upstreams/1/models/2: must be an object',
            ].join('.*'),
            's',
          ),
        ),
      }),
    );
  });

  test.for<readonly [string, unknown]>([
    ['a completion as long as the context', [{ id: 'a', context_tokens: 1_000, completion_tokens: 1_000 }]],
    ['two models of one id', [{ id: 'a' }, { id: 'a' }]],
  ])('is refused with %s', ([, models]) => {
    expect(() => parse({ upstreams: [{ base_url: 'http://x', models }] })).toThrow('MODELS_FILE');
  });

  test.for(['', '{', '[]', '{"upstreams":[]}', '{"upstreams":{}}'])('is refused when it is %j', (text) => {
    expect(() => parseModelsFile(text, noFile)).toThrow('MODELS_FILE');
  });
});
