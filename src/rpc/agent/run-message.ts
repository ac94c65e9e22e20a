import type { MessageInitShape, JsonObject as ProtoJsonObject } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type RunSchema,
  RunStatus,
  TriggerType,
  type WatchRunResponseSchema,
} from '../../../gen/service/agent/v1/agent_pb.ts';
import type { Run } from '../../domain/run.ts';
import type { RunStatus as RunStatusName, TriggerType as TriggerTypeName } from '../../domain/run-status.ts';
import type { RunWatchEvent } from '../../services/run/watch-run.ts';

const statusByName = {
  queued: RunStatus.QUEUED,
  running: RunStatus.RUNNING,
  succeeded: RunStatus.SUCCEEDED,
  failed: RunStatus.FAILED,
  cancelled: RunStatus.CANCELLED,
  timed_out: RunStatus.TIMED_OUT,
  skipped: RunStatus.SKIPPED,
} as const satisfies Record<RunStatusName, RunStatus>;

const triggerByName = {
  manual: TriggerType.MANUAL,
  schedule: TriggerType.SCHEDULE,
  webhook: TriggerType.WEBHOOK,
} as const satisfies Record<TriggerTypeName, TriggerType>;

export function toRunStatus(status: RunStatusName): RunStatus {
  return statusByName[status];
}

/** Undefined for a value that has no name. */
export function fromRunStatus(status: RunStatus): RunStatusName | undefined {
  return nameOf(statusByName, status);
}

/** Undefined for a value that has no name. */
export function fromTriggerType(type: TriggerType): TriggerTypeName | undefined {
  return nameOf(triggerByName, type);
}

function nameOf<Name extends string>(table: Readonly<Record<Name, number>>, value: number): Name | undefined {
  return (Object.keys(table) as Name[]).find((name) => table[name] === value);
}

/** Returns a run as its owner sees it. */
export function toRunMessage(run: Run): MessageInitShape<typeof RunSchema> {
  return {
    id: run.id,
    agentId: run.agentId,
    triggerType: triggerByName[run.triggerType],
    status: statusByName[run.status],
    ...(run.skipReason !== null && { skipReason: run.skipReason }),
    attempt: run.attempt,
    queuedAt: timestampFromMs(run.queuedAtMs),
    ...(run.startedAtMs !== null && { startedAt: timestampFromMs(run.startedAtMs) }),
    ...(run.finishedAtMs !== null && { finishedAt: timestampFromMs(run.finishedAtMs) }),
    ...(run.output !== null && { output: run.output }),
    ...(run.error !== null && { error: run.error }),
    ...(run.usage !== null && {
      usage: {
        promptTokens: BigInt(run.usage.promptTokens),
        completionTokens: BigInt(run.usage.completionTokens),
        totalTokens: BigInt(run.usage.totalTokens),
      },
    }),
    toolCalls: run.toolCalls.map(({ name, args }) => ({ name, args: args as ProtoJsonObject })),
    payloadBytes: BigInt(run.payloadBytes),
    payloadTruncated: run.payloadTruncated,
  };
}

export function toWatchMessage(event: RunWatchEvent): MessageInitShape<typeof WatchRunResponseSchema> {
  switch (event.type) {
    case 'state':
      return {
        event: { case: 'state', value: { status: statusByName[event.status], attempt: event.attempt } },
      };
    case 'content':
      return { event: { case: 'content', value: { content: event.content } } };
    case 'step': {
      const { status, label, tool } = event;
      return { event: { case: 'step', value: { status, label, tool } } };
    }
    case 'done':
      return { event: { case: 'done', value: { run: toRunMessage(event.run) } } };
  }
}
