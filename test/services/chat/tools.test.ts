import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/domain/errors.ts';
import { type Tool, type ToolContext, ToolFailure } from '../../../src/ports/tool.ts';
import { chunk, reply, type Script, toolReply } from '../../models/fake-upstream.ts';
import { aCall, aPrincipal, balance, collect, type HouseOptions, openHouse } from './harness.ts';

const parameters = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 } },
  required: ['n'],
  additionalProperties: false,
};

function aTool(fields: Partial<Tool> = {}): Tool {
  return {
    name: 'count',
    description: 'Counts',
    parameters,
    run: async ({ n }) => `counted ${n}`,
    ...fields,
  };
}

/** Runs a turn in which the model first gives `first`, then says "Done". */
async function callTools(first: Script, tools: readonly Tool[], options: Partial<HouseOptions> = {}) {
  const house = await openHouse({
    answer: (_, number) => (number === 0 ? first : reply(['Done'], { usage: [30, 1] })),
    tools,
    ...options,
  });
  const { answer } = await house.chat.reply(aCall());
  const told: { role: string; content: string; tool_call_id?: string }[] =
    house.server.requests[1]?.body.messages.filter(({ role }: { role: string }) => role === 'tool');
  return { ...house, answer, told };
}

describe('a tool', () => {
  test('is offered by name, description and schema, and not at all when there is none', async () => {
    const house = await openHouse({ answer: () => reply(['Hi']), tools: [aTool()] });
    await house.chat.reply(aCall());
    expect(house.server.requests[0]?.body.tools).toEqual([
      { type: 'function', function: { name: 'count', description: 'Counts', parameters } },
    ]);
    const bare = await openHouse({ answer: () => reply(['Hi']) });
    await bare.chat.reply(aCall());
    expect(bare.server.requests[0]?.body).not.toHaveProperty('tools');
  });

  test('is not offered to a model that cannot call any', async () => {
    const house = await openHouse({
      answer: () => reply(['Hi']),
      tools: [aTool()],
      model: { supportsTools: false },
    });
    await house.chat.reply(aCall());
    expect(house.server.requests[0]?.body).not.toHaveProperty('tools');
  });

  test.for([
    ['chat', 'auto', false],
    ['chat', 'read', false],
    ['chat', 'write', false],
    ['query', 'auto', false],
    ['query', 'read', true],
    ['query', 'write', false],
  ] as const)(
    'of a %s with permission %s is asked for with read-only tools: %s',
    async ([kind, permission, readOnlyTools]) => {
      const asked: unknown[] = [];
      const house = await openHouse({
        answer: () => reply(['Hi']),
        toolProvider: {
          async toolsFor(request) {
            asked.push([request.principal.actor.id, request.sqlPermission, request.readOnlyTools]);
            return [];
          },
        },
      });
      await house.chat[kind === 'chat' ? 'reply' : 'query'](aCall('Hello', { permission }));
      expect(asked).toEqual([['user-1', permission, readOnlyTools]]);
    },
  );

  test('that cannot be set up is an extension_config_error, before anything is asked', async () => {
    const house = await openHouse({
      answer: () => reply(['Hi']),
      toolProvider: { toolsFor: async () => Promise.reject(new Error('host db-7 is down')) },
    });
    const failure: ServiceError = await house.chat.reply(aCall()).catch((error) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject({ slug: 'extension_config_error', detail: undefined });
    expect(house.server.requests).toHaveLength(0);
  });

  test('runs, its result goes to the model, and the answer names it', async () => {
    const contexts: ToolContext[] = [];
    const tool = aTool({
      async run({ n }, context) {
        contexts.push(context);
        return `counted ${n}`;
      },
    });
    const { answer, server, store, told } = await callTools(toolReply([{ name: 'count', args: '{"n":3}' }]), [
      tool,
    ]);
    expect(answer).toMatchObject({
      content: 'Done',
      toolCalls: [{ name: 'count', args: { n: 3 } }],
      usage: { promptTokens: 50, completionTokens: 8, totalTokens: 58 },
    });
    expect(told).toEqual([{ role: 'tool', tool_call_id: 'call_0', content: 'counted 3' }]);
    expect(server.requests[1]?.body.messages.at(-2)).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'count', arguments: '{"n":3}' } }],
    });
    expect(contexts[0]).toMatchObject({ callId: `${answer.id}:0:0` });
    expect(await balance(store)).toEqual({ used: 58, inFlight: 0 });
  });

  test('leaves only what was said in the conversation, the texts of two rounds as two paragraphs', async () => {
    const first = toolReply([{ name: 'count', args: '{"n":3}' }]);
    const said = { ...first, steps: [{ send: chunk({ content: 'Counting.' }) }, ...first.steps] };
    const { answer, conversations } = await callTools(said, [aTool()]);
    expect(answer.content).toBe('Counting.\n\nDone');
    const owner = { organizationId: 'organization-1', actorId: 'user-1' };
    const { messages } = await conversations.get(owner, answer.conversationId ?? '');
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Counting.\n\nDone'],
    ]);
  });

  test('runs beside the others of its round', async () => {
    let running = 0;
    let both = () => {};
    const together = new Promise<void>((resolve) => {
      both = resolve;
    });
    const tool = aTool({
      async run({ n }) {
        running += 1;
        if (running === 2) both();
        await together;
        return `counted ${n}`;
      },
    });
    const { told } = await callTools(
      toolReply([
        { name: 'count', args: '{"n":1}' },
        { name: 'count', args: '{"n":2}' },
      ]),
      [tool],
    );
    expect(told.map(({ content }) => content)).toEqual(['counted 1', 'counted 2']);
  });

  test('that writes runs after the one before it', async () => {
    const order: string[] = [];
    const tool = aTool({
      writes: () => true,
      async run({ n }) {
        order.push(`begin ${n}`);
        await new Promise(setImmediate);
        order.push(`end ${n}`);
        return '';
      },
    });
    await callTools(
      toolReply([
        { name: 'count', args: '{"n":1}' },
        { name: 'count', args: '{"n":2}' },
      ]),
      [tool],
    );
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  test.for([
    ['no JSON', '{"n":', /not valid JSON/],
    ['no object', '[1]', /must be a JSON object/],
    ['a missing field', '{}', /arguments\.n is required/],
    ['a wrong type', '{"n":"3"}', /arguments\.n must be of type integer/],
    ['a number too small', '{"n":0}', /at least 1/],
    ['an unknown field', '{"n":1,"x":2}', /arguments\.x is not known/],
    ['too much nesting', `{"n":${'['.repeat(50)}${']'.repeat(50)}}`, /nested too deeply/],
  ] as const)('does not run with %s for arguments; the model is told', async ([, args, problem]) => {
    let runs = 0;
    const tool = aTool({
      async run() {
        runs += 1;
        return '';
      },
    });
    const { told, answer } = await callTools(toolReply([{ name: 'count', args }]), [tool]);
    expect(told[0]?.content).toMatch(problem);
    expect(runs).toBe(0);
    expect(answer.content).toBe('Done');
    expect(answer.toolCalls).toHaveLength(1);
  });

  test('that the model invents is refused and told, and not among the calls', async () => {
    const { told, answer } = await callTools(toolReply([{ name: 'drop_table', args: '{}' }]), [aTool()]);
    expect(told[0]?.content).toBe('Error: there is no tool "drop_table"; offered: count');
    expect(answer.toolCalls).toEqual([]);
  });

  test('that fails for a reason tells the model the reason', async () => {
    const tool = aTool({ run: async () => Promise.reject(new ToolFailure('column "x" does not exist')) });
    const { told } = await callTools(toolReply([{ name: 'count', args: '{"n":1}' }]), [tool]);
    expect(told[0]?.content).toBe('Error: column "x" does not exist');
  });

  test('that breaks tells the model no internals, and the log all', async () => {
    const tool = aTool({ run: async () => Promise.reject(new Error('password is hunter2')) });
    const { told, reports } = await callTools(toolReply([{ name: 'count', args: '{"n":1}' }]), [tool]);
    expect(told[0]?.content).toBe('Error: the tool failed');
    expect(String(reports)).toContain('hunter2');
  });

  test('that takes too long is stopped, even when it ignores its signal', async () => {
    const tool = aTool({ run: () => new Promise(() => {}) });
    const { told } = await callTools(toolReply([{ name: 'count', args: '{"n":1}' }]), [tool], {
      toolTimeoutMs: 20,
    });
    expect(told[0]?.content).toMatch(/took longer/);
  });

  test('that returns too much is cut to what the model can read', async () => {
    const tool = aTool({ run: async () => 'row, '.repeat(100_000) });
    const { told, answer } = await callTools(toolReply([{ name: 'count', args: '{"n":1}' }]), [tool]);
    expect(told[0]?.content.length).toBeLessThan(50_000);
    expect(told[0]?.content).toMatch(/cut: \d+ more characters/);
    expect(answer.content).toBe('Done');
  });

  test('ends with the caller', async () => {
    let stopped: unknown;
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const tool = aTool({
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          begun();
          signal.addEventListener('abort', () => {
            stopped = signal.reason;
            reject(signal.reason);
          });
        }),
    });
    const { chat } = await openHouse({
      answer: () => toolReply([{ name: 'count', args: '{"n":1}' }]),
      tools: [tool],
    });
    const controller = new AbortController();
    const call = chat.reply({ ...aCall(), signal: controller.signal });
    call.catch(() => {});
    await hasBegun;
    const gone = new Error('gone');
    controller.abort(gone);
    await expect(call).rejects.toBe(gone);
    expect(stopped).toBe(gone);
  });
});

describe('tool rounds', () => {
  test('are 8 at most; then the model must answer without', async () => {
    const { chat, server } = await openHouse({
      answer: ({ body }) =>
        body.tool_choice === 'none' ? reply(['Enough']) : toolReply([{ name: 'count', args: '{"n":1}' }]),
      tools: [aTool()],
    });
    const { answer } = await chat.reply(aCall());
    expect(answer).toMatchObject({ content: 'Enough', finishReason: 'stop' });
    expect(answer.toolCalls).toHaveLength(8);
    expect(server.requests).toHaveLength(9);
  });

  test('that a model goes on with regardless end the turn', async () => {
    const { chat, server } = await openHouse({
      answer: () => toolReply([{ name: 'count', args: '{"n":1}' }]),
      tools: [aTool()],
    });
    expect((await chat.reply(aCall())).answer).toMatchObject({ content: '', finishReason: 'length' });
    expect(server.requests).toHaveLength(9);
  });

  test('have a time limit each', async () => {
    const { chat, server } = await openHouse({
      answer: () => ({ steps: [{ send: chunk({ content: 'Well' }) }, { until: 'aborted' }] }),
      roundTimeoutMs: 100,
    });
    const events = await collect(chat.stream(aCall()));
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'internal_error' });
    expect(await (await server.received(0)).left).toBe(true);
  });

  test('stop where the budget does, and what they cost is billed', async () => {
    const { chat, server, store } = await openHouse({
      answer: () => toolReply([{ name: 'count', args: '{"n":1}' }]),
      tools: [aTool({ run: async () => 'row '.repeat(300) })],
      model: { completionTokens: 50 },
    });
    const principal = aPrincipal({ key: { tokenBudget: 700 } });
    const events = await collect(chat.stream(aCall('Hello', {}, principal)));
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'budget_exhausted' });
    const { used, inFlight } = await balance(store);
    expect(used).toBe(server.requests.length * 27);
    expect(inFlight).toBe(0);
  });
});
