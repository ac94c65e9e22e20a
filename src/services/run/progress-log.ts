import type { ToolCall, TurnEvent } from '../../domain/chat.ts';
import type { RunProgress, RunStep } from '../../domain/run.ts';

const stepsMax = 200;

/** Collects what a turn tells of itself. */
export interface ProgressLog {
  readonly toolCalls: readonly ToolCall[];
  /** Grows with every event. */
  readonly version: number;
  add(event: TurnEvent): void;
  snapshot(): RunProgress;
}

export function createProgressLog(): ProgressLog {
  const toolCalls: ToolCall[] = [];
  const steps: RunStep[] = [];
  let content = '';
  let version = 0;
  return {
    toolCalls,
    get version() {
      return version;
    },
    add(event) {
      version += 1;
      if (event.type === 'content') content += event.content;
      else if (event.type === 'tool_call_start') toolCalls.push({ name: event.name, args: event.args });
      else if (event.type === 'step' && steps.length < stepsMax) {
        steps.push({ status: event.status, label: event.label, tool: event.tool });
      }
    },
    snapshot: () => ({ content, steps: [...steps] }),
  };
}
