import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import type { HealthService } from '../../../gen/service/health/v1/health_pb.ts';
import type { KeyHealthService } from '../../services/key-health.ts';
import { callerOf, tokensUsedKey } from '../principal.ts';

/** Answers GetHealth: the calling key's configuration and live budget. */
export function createHealthRpc(keyHealth: KeyHealthService): ServiceImpl<typeof HealthService> {
  return {
    async getHealth(_request, context) {
      const { apiKey, budget, allowedModels, timestampMs } = await keyHealth.read(
        callerOf(context),
        context.values.get(tokensUsedKey),
      );
      return {
        status: 'ok',
        key: {
          rateLimitPerHour: BigInt(apiKey.rateLimitPerHour),
          ...bigintField('monthlyTokenBudget', apiKey.tokenBudget),
        },
        budget: {
          used: BigInt(budget.used),
          ...bigintField('limit', budget.limit),
          ...bigintField('remaining', budget.remaining),
          cycleStartedAt: timestampFromMs(budget.cycleStartedAtMs),
        },
        timestamp: timestampFromMs(timestampMs),
        allowedModels: [...allowedModels],
      };
    },
  };
}

function bigintField<Name extends string>(name: Name, value: number | null): { [K in Name]?: bigint } {
  return (value === null ? {} : { [name]: BigInt(value) }) as { [K in Name]?: bigint };
}
