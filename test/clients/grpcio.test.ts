import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createHealthCheck } from '../../src/rpc/health-check.ts';
import { startServer } from '../http/canned-services.ts';
import { describeWith } from '../programs.ts';

const python = '.venv/bin/python';
const path = existsSync(python) ? python : undefined;

describeWith({ name: 'Python with grpcio (.venv)', path }, 'a Python grpcio client', () => {
  test('finds every service by reflection and calls them: unary, errors, deadline, streams', async () => {
    const { server, port } = await startServer({ health: createHealthCheck() });
    const { stdout } = await promisify(execFile)(python, ['test/clients/grpcio.py', `127.0.0.1:${port}`]);
    await server.close(1_000);
    const outcome = JSON.parse(stdout);
    expect(outcome.services).toEqual([
      'grpc.health.v1.Health',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
      'service.agent.v1.AgentService',
      'service.chat.v1.ChatService',
      'service.conversation.v1.ConversationService',
      'service.generator.v1.GeneratorService',
      'service.health.v1.HealthService',
    ]);
    expect(outcome.health).toMatchObject({
      message: { status: 'ok', key: { monthly_token_budget: '9007199254740993' } },
      headers: { 'x-service-api-key-id': 'k1' },
    });
    expect(outcome.refused).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'MISSING_TOKEN' });
    expect(outcome.failed).toMatchObject({
      code: 'PERMISSION_DENIED',
      reason: 'MODEL_NOT_ALLOWED',
      metadata: { requested_model: 'x' },
    });
    expect(outcome.late).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(outcome.stream.messages).toHaveLength(4);
    expect(outcome.file.messages).toHaveLength(2);
    expect(outcome.file.headers).toMatchObject({
      'x-service-file-id': 'f1',
      'x-service-content-length': '17',
    });
  });
});
