import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Code, createClient, createRouterTransport } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';
import { ServerReflection as V1 } from '../../gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as V1alpha } from '../../gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import { registerReflection } from '../../src/rpc/reflection.ts';

const transport = createRouterTransport((router) => registerReflection(router, () => [ChatService]));

type Question =
  NonNullable<
    Parameters<ReturnType<typeof createClient<typeof V1>>['serverReflectionInfo']>[0]
  > extends AsyncIterable<infer Item>
    ? Item
    : never;

async function ask(question: Question) {
  const client = createClient(V1, transport);
  for await (const { messageResponse } of client.serverReflectionInfo(one(question))) return messageResponse;
  throw new Error('no answer');
}

async function* one<Item>(item: Item) {
  yield item;
}

describe('server reflection', () => {
  test('lists the services', async () => {
    expect(await ask({ messageRequest: { case: 'listServices', value: '' } })).toMatchObject({
      case: 'listServicesResponse',
      value: { service: [{ name: 'service.chat.v1.ChatService' }] },
    });
  });

  test.for([
    'service.chat.v1.ChatService',
    'service.chat.v1.ChatService.StreamChat',
    'service.chat.v1.ChatRequest',
    'service.chat.v1.ChatRequest.message',
    'service.chat.v1.ChatMode',
  ])('finds the file of %s with all that it imports, imports first', async (symbol) => {
    const response = await ask({ messageRequest: { case: 'fileContainingSymbol', value: symbol } });
    if (response.case !== 'fileDescriptorResponse') throw new Error(`answered ${response.case}`);
    const file = response.value.fileDescriptorProto.map((bytes) =>
      fromBinary(FileDescriptorProtoSchema, bytes),
    );
    expect(file.at(-1)?.name).toBe('service/chat/v1/chat.proto');
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
    expect(registry.getService('service.chat.v1.ChatService')?.method.chat?.input.typeName).toBe(
      'service.chat.v1.ChatRequest',
    );
  });

  test('finds files by name, and extensions by number', async () => {
    const byName = await ask({ messageRequest: { case: 'fileByFilename', value: 'google/api/http.proto' } });
    expect(byName.case).toBe('fileDescriptorResponse');
    const containingType = 'google.protobuf.MethodOptions';
    const value = { containingType, extensionNumber: 72295728 };
    expect((await ask({ messageRequest: { case: 'fileContainingExtension', value } })).case).toBe(
      'fileDescriptorResponse',
    );
    const numbers = await ask({
      messageRequest: { case: 'allExtensionNumbersOfType', value: containingType },
    });
    expect(numbers).toMatchObject({ value: { extensionNumber: expect.arrayContaining([72295728, 50001]) } });
  });

  test.for([
    { case: 'fileByFilename', value: 'nothing.proto' },
    { case: 'fileContainingSymbol', value: 'service.chat.v1.Nothing' },
    { case: 'fileContainingSymbol', value: 'service.chat.v1.ChatRequest.nothing' },
    { case: 'allExtensionNumbersOfType', value: 'nothing' },
  ] as const)('answers that it does not know %j', async (messageRequest) => {
    expect(await ask({ messageRequest })).toMatchObject({
      case: 'errorResponse',
      value: { errorCode: Code.NotFound },
    });
  });

  test('speaks v1alpha too', async () => {
    const client = createClient(V1alpha, transport);
    const questions = one({ host: 'h', messageRequest: { case: 'listServices', value: '' } } as const);
    for await (const response of client.serverReflectionInfo(questions)) {
      expect(response).toMatchObject({ validHost: 'h', messageResponse: { case: 'listServicesResponse' } });
    }
  });
});
