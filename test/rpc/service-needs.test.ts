import { expect, test } from 'vitest';
import { AdminService } from '../../gen/service/admin/v1/admin_pb.ts';
import { AgentService } from '../../gen/service/agent/v1/agent_pb.ts';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import { needsOf } from '../../src/rpc/service-needs.ts';

test.for([
  [GeneratorService, true],
  [ChatService, true],
  [AgentService, true],
  [AdminService, false],
] as const)('$typeName needs the store, and Redis where calls are counted', ([service, isCounted]) => {
  expect(needsOf(service)).toEqual(isCounted ? ['store', 'redis'] : ['store']);
});
