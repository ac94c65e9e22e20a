import { countedUsage } from '../../domain/token-usage.ts';
import type {
  ChatModel,
  CompletionDelta,
  CompletionRequest,
  ModelCatalog,
  ModelMessage,
} from '../../ports/model.ts';
import type { Tokenizer } from '../../ports/tokenizer.ts';

const demoModelId = 'demo';

/** `/tool run_sql {"sql": "select 1"}`, at the start of a line. */
const toolRequest = /^\/tool[ \t]+([\w.-]+)(?:[ \t]+(.+))?$/gmu;

const introduction =
  'This is the demonstration model: it is no language model, always gives the same reply to the same message, and ' +
  'is there so that everything can be tried without a model server.';

/**
 * The model that answers when no model server is configured. It says what it is, repeats the question, and calls the
 * offered tools that the message asks for in lines such as `/tool run_sql {"sql": "select 1"}`.
 */
export function createDemoModel(tokenizer: Tokenizer): ChatModel {
  return {
    id: demoModelId,
    contextTokens: 16_384,
    completionTokens: 1_024,
    supportsTools: true,
    complete: (request) => complete(tokenizer, request),
  };
}

/** A catalog of the demonstration model alone. */
export function createDemoCatalog(tokenizer: Tokenizer): ModelCatalog {
  const model = createDemoModel(tokenizer);
  return {
    list: async () => [model.id],
    find: (id) => (id === model.id ? model : undefined),
    close: async () => {},
  };
}

async function* complete(tokenizer: Tokenizer, request: CompletionRequest): AsyncGenerator<CompletionDelta> {
  const promptTokens = await tokenizer.count(request.messages.map(({ content }) => content).join('\n'));
  const calls = wantedCalls(request);
  if (calls.length > 0) {
    for (const [index, call] of calls.entries()) {
      yield { type: 'tool_call', index, id: `demo_${index + 1}`, name: call.name };
      yield { type: 'tool_call', index, arguments: call.arguments };
    }
    const written = await tokenizer.count(calls.map((call) => call.name + call.arguments).join('\n'));
    yield { type: 'usage', usage: countedUsage(promptTokens, written) };
    yield { type: 'finish', reason: 'tool_calls' };
    return;
  }
  let completionTokens = 0;
  let reason: 'stop' | 'length' = 'stop';
  for (const piece of pieces(replyTo(request))) {
    const tokens = await tokenizer.count(piece);
    if (completionTokens + tokens > request.completionTokens) {
      reason = 'length';
      break;
    }
    // As a model's would, the reply takes its time: others get their turn between two pieces.
    await new Promise(setImmediate);
    request.signal.throwIfAborted();
    completionTokens += tokens;
    yield { type: 'text', text: piece };
  }
  yield { type: 'usage', usage: countedUsage(promptTokens, completionTokens) };
  yield { type: 'finish', reason };
}

/** Calls that the last message asks for; none once their results are there. */
function wantedCalls({ messages, tools, toolChoice }: CompletionRequest) {
  const last = messages.at(-1);
  if (last?.role !== 'user' || toolChoice === 'none') return [];
  return [...last.content.matchAll(toolRequest)]
    .map(([, name = '', args = '{}']) => ({ name, arguments: args.trim() }))
    .filter(({ name }) => tools.some((tool) => tool.name === name));
}

function replyTo({ messages, tools }: CompletionRequest): string {
  const results = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const shown = results.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  if (shown.length > 0) return `${introduction}\n\nThe tools returned:\n\n${shown.join('\n\n')}`;
  const question = shortened(lastQuestion(messages));
  const asked = [...question.matchAll(toolRequest)];
  const said = `You said: ${question}`;
  if (asked.length === 0) return `${introduction}\n\n${said}${toolHint(tools)}`;
  const offered =
    tools.length === 0 ? 'No tools are offered' : `Offered are: ${tools.map(({ name }) => name).join(', ')}`;
  return `${introduction}\n\nA tool that you asked for is not offered. ${offered}.`;
}

function toolHint(tools: CompletionRequest['tools']): string {
  const first = tools[0];
  return first === undefined
    ? ''
    : `\n\nTo have a tool called, write a line such as: /tool ${first.name} {…}`;
}

function lastQuestion(messages: readonly ModelMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

/** A few words at a time. */
function pieces(text: string): readonly string[] {
  return text.match(/(?:\S+\s*|\s+){1,4}/gu) ?? [];
}

const shownChars = 500;

function shortened(question: string): string {
  return question.length > shownChars ? `${question.slice(0, shownChars).toWellFormed()}…` : question;
}
