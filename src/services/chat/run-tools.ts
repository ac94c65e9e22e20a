import type { JsonObject, ToolCall, TurnPrincipal } from '../../domain/chat.ts';
import { limits } from '../../domain/limits.ts';
import { parseToolArguments } from '../../domain/tool-arguments.ts';
import type { RoundCall } from '../../domain/turn.ts';
import type { ModelToolCall } from '../../ports/model.ts';
import { type Tool, ToolFailure } from '../../ports/tool.ts';
import { startDeadline } from './deadline.ts';
import { orAborted } from './or-aborted.ts';
import type { EmitTurnEvent } from './turn-progress.ts';

export interface ToolRun {
  readonly tools: readonly Tool[];
  readonly principal: TurnPrincipal;
  /** The same for the same round of the same turn, however often it is recovered. */
  readonly roundId: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly emit: EmitTurnEvent;
  /** Told of tools that fail for no reason of the model's. */
  readonly report: (message: string, cause: unknown) => void;
}

/** A call that is ready to run, or `refusal`: what the model is told instead. */
interface PlannedCall {
  readonly call: ModelToolCall;
  readonly args: JsonObject;
  readonly tool: Tool | undefined;
  readonly writes: boolean;
  readonly refusal: string | undefined;
}

/** Decides what becomes of each call of a round. Nothing has run yet. */
export function planCalls(run: ToolRun, calls: readonly ModelToolCall[]): readonly PlannedCall[] {
  return calls.map((call, index) => {
    const tool = run.tools.find(({ name }) => name === call.name);
    if (tool === undefined) return refused(call, undefined, unknownTool(call.name, run.tools));
    const parsed = parseToolArguments(call.arguments, tool.parameters);
    if (!parsed.ok) return refused(call, tool, `Error: ${parsed.problem}`, parsed.args);
    if (index >= limits.chat.toolCallsPerRound) {
      return refused(call, tool, 'Error: too many calls at once; nothing was run', parsed.args);
    }
    const writes = tool.writes?.(parsed.args) ?? false;
    return { call, args: parsed.args, tool, writes, refusal: undefined };
  });
}

export function toRoundCalls(planned: readonly PlannedCall[]): RoundCall[] {
  return planned.map(({ call, writes, refusal }) => ({ ...call, writes, result: refusal ?? null }));
}

/** The calls that count as invoked: those of tools that exist. */
export function invokedCalls(planned: readonly PlannedCall[]): readonly ToolCall[] {
  return planned.flatMap(({ tool, args }) => (tool === undefined ? [] : [{ name: tool.name, args }]));
}

/**
 * Runs the calls whose result is not known yet, all at once, or one after the other when any of them writes, and hands
 * over each result as it comes. A call that writes and was begun by a former runner is not run again.
 *
 * @throws the reason of the run's signal.
 */
export async function runCalls(
  run: ToolRun,
  planned: readonly PlannedCall[],
  known: readonly RoundCall[],
  onResult: (index: number, result: string) => Promise<void> | void,
  isResumed: boolean,
): Promise<void> {
  async function settle(planIndex: number): Promise<void> {
    const plan = planned[planIndex];
    if (plan === undefined || known[planIndex]?.result != null) return;
    const wasBegun = isResumed && plan.writes;
    await onResult(planIndex, wasBegun ? outcomeUnknown : await runCall(run, plan, planIndex));
  }

  for (const { tool, call, args, refusal } of planned) {
    if (tool === undefined) {
      await run.emit({ type: 'step', status: 'failed', label: 'Refused: no such tool', tool: call.name });
      continue;
    }
    await run.emit({ type: 'tool_call_start', name: tool.name, args });
    const status = refusal === undefined ? 'running' : 'failed';
    await run.emit({ type: 'step', status, label: labelOf(tool, args), tool: tool.name });
  }
  if (planned.some(({ writes }) => writes)) {
    for (const index of planned.keys()) await settle(index);
  } else {
    await Promise.all(planned.map((_, index) => settle(index)));
  }
}

const outcomeUnknown =
  'Error: this call was begun before an interruption; whether it took effect is not known, and it is not run again';

async function runCall(run: ToolRun, { tool, args, refusal }: PlannedCall, index: number): Promise<string> {
  if (tool === undefined || refusal !== undefined) return refusal ?? '';
  const deadline = startDeadline(run.signal, run.timeoutMs);
  const { signal } = deadline;
  const { principal } = run;
  let result: string;
  let status: 'completed' | 'failed' = 'completed';
  try {
    const context = { principal, signal, callId: `${run.roundId}:${index}` };
    result = await orAborted(tool.run(args, context), signal);
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    status = 'failed';
    result = failureText(run, tool.name, error, deadline.isOver);
  } finally {
    deadline.end();
  }
  await run.emit({ type: 'step', status, label: labelOf(tool, args), tool: tool.name });
  return shortened(result, limits.chat.toolResultChars);
}

function failureText(run: ToolRun, name: string, error: unknown, isLate: boolean): string {
  if (isLate) return `Error: the tool took longer than ${run.timeoutMs / 1_000} s and was stopped`;
  if (error instanceof ToolFailure) return `Error: ${error.message}`;
  run.report(`tool ${name} failed`, error);
  return 'Error: the tool failed';
}

function refused(
  call: ModelToolCall,
  tool: Tool | undefined,
  refusal: string,
  args: JsonObject = {},
): PlannedCall {
  return { call, args, tool, writes: false, refusal };
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const offered =
    tools.length === 0 ? 'no tools are offered' : `offered: ${tools.map((tool) => tool.name).join(', ')}`;
  return `Error: there is no tool ${JSON.stringify(name.slice(0, 64))}; ${offered}`;
}

function labelOf(tool: Tool, args: JsonObject): string {
  return tool.label?.(args) ?? tool.name;
}

/** Cuts a text that is too long, and says so. A character is never split. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax).toWellFormed();
  return `${cut}\n[cut: ${text.length - charsMax} more characters]`;
}
