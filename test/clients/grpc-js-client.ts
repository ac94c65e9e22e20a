import { type DescMethod, type DescService, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type Client,
  credentials,
  makeGenericClientConstructor,
  type ServiceDefinition,
} from '@grpc/grpc-js';

/** Opens a client of another make, @grpc/grpc-js, for a service; messages are protobuf-es ones. */
export function openGrpcClient(
  service: DescService,
  port: number,
): Client & Record<string, CallableFunction> {
  const definition = Object.fromEntries(service.methods.map((method) => [method.localName, define(method)]));
  const Constructor = makeGenericClientConstructor(definition as ServiceDefinition, service.name);
  return new Constructor(`127.0.0.1:${port}`, credentials.createInsecure()) as never;
}

function define(method: DescMethod) {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
    responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
    requestSerialize: (message: Message) => Buffer.from(toBinary(method.input, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
    responseSerialize: (message: Message) => Buffer.from(toBinary(method.output, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
  };
}
