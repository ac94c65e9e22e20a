import type { DescMethod } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { AdminService } from '../../../gen/service/admin/v1/admin_pb.ts';
import { SessionService } from '../../../gen/service/admin/v1/session_pb.ts';
import { AgentService } from '../../../gen/service/agent/v1/agent_pb.ts';
import { accessOf } from '../../../src/rpc/gate/access.ts';
import { changesSomething } from '../../../src/rpc/gate/changes.ts';

const methods: DescMethod[] = [AdminService, SessionService, AgentService].flatMap(
  (service) => service.methods,
);

test('methods that only read are those whose names say so; every other one changes something', () => {
  const reads = methods.filter((method) => !changesSomething(method)).map(({ name }) => name);
  expect(reads).toEqual(methods.map(({ name }) => name).filter((name) => /^(Get|List|Watch)/.test(name)));
  expect(reads.length).toBeGreaterThan(8);
});

test('every method for signed-in users that is not a GET is held to change something', () => {
  const guarded = methods.filter((method) => ['session', 'administrator'].includes(accessOf(method).kind));
  const unguarded = guarded.filter(
    (method) => !changesSomething(method) && !/^(Get|List|Watch)/.test(method.name),
  );
  expect(guarded.length).toBeGreaterThan(30);
  expect(unguarded).toEqual([]);
});
