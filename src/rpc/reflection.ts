import {
  createRegistry,
  type DescExtension,
  type DescFile,
  type DescService,
  type Registry,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import {
  type ServerReflectionRequest,
  ServerReflection as ServerReflectionV1,
} from '../../gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionV1alpha } from '../../gen/grpc/reflection/v1alpha/reflection_pb.ts';

/**
 * Registers gRPC server reflection, v1 and v1alpha (grpc/doc/server-reflection.md).
 *
 * @param services returns the services that are told of; asked at the first question, when all are registered
 */
export function registerReflection(router: ConnectRouter, services: () => readonly DescService[]): void {
  let index: ReflectionIndex | undefined;
  async function* answerAll(
    requests: AsyncIterable<Pick<ServerReflectionRequest, 'host' | 'messageRequest'>>,
  ) {
    index ??= createIndex(services());
    for await (const request of requests) {
      const messageResponse = answer(index, request.messageRequest);
      yield { validHost: request.host, originalRequest: request, messageResponse };
    }
  }
  router.service(ServerReflectionV1, { serverReflectionInfo: answerAll });
  // v1alpha differs in the names of its messages alone.
  const answerAllV1alpha = answerAll as unknown as ServiceImpl<
    typeof ServerReflectionV1alpha
  >['serverReflectionInfo'];
  router.service(ServerReflectionV1alpha, { serverReflectionInfo: answerAllV1alpha });
}

interface ReflectionIndex {
  readonly serviceNames: readonly string[];
  readonly files: readonly DescFile[];
  readonly registry: Registry;
  readonly extensions: readonly DescExtension[];
}

function createIndex(services: readonly DescService[]): ReflectionIndex {
  const files = withImports(services.map(({ file }) => file));
  const registry = createRegistry(...files);
  const extensions = [...registry].filter((desc) => desc.kind === 'extension');
  return { serviceNames: services.map(({ typeName }) => typeName), files, registry, extensions };
}

function answer(index: ReflectionIndex, request: ServerReflectionRequest['messageRequest']) {
  switch (request.case) {
    case 'listServices': {
      const service = index.serviceNames.map((name) => ({ name }));
      return { case: 'listServicesResponse', value: { service } } as const;
    }
    case 'fileByFilename':
      return filesOf(index.files.find(({ proto }) => proto.name === request.value));
    case 'fileContainingSymbol':
      return filesOf(fileOfSymbol(index.registry, request.value));
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = request.value;
      return filesOf(
        index.extensions.find(
          ({ extendee, number }) => extendee.typeName === containingType && number === extensionNumber,
        )?.file,
      );
    }
    case 'allExtensionNumbersOfType': {
      const baseTypeName = request.value;
      if (index.registry.getMessage(baseTypeName) === undefined) return notFound;
      const extensionNumber = index.extensions
        .filter(({ extendee }) => extendee.typeName === baseTypeName)
        .map(({ number }) => number);
      return { case: 'allExtensionNumbersResponse', value: { baseTypeName, extensionNumber } } as const;
    }
    default:
      return failure(Code.InvalidArgument, 'no question');
  }
}

/** Finds a message, enum, service or extension, or the field, value or method of one. */
function fileOfSymbol(registry: Registry, symbol: string): DescFile | undefined {
  const direct = registry.get(symbol);
  if (direct !== undefined) return direct.file;
  const dot = symbol.lastIndexOf('.');
  const parent = registry.get(symbol.slice(0, dot));
  const name = symbol.slice(dot + 1);
  switch (parent?.kind) {
    case 'message':
      return parent.members.some((member) => member.name === name) ? parent.file : undefined;
    case 'enum':
      return parent.values.some((value) => value.name === name) ? parent.file : undefined;
    case 'service':
      return parent.methods.some((method) => method.name === name) ? parent.file : undefined;
    default:
      return undefined;
  }
}

function filesOf(file: DescFile | undefined) {
  if (file === undefined) return notFound;
  const fileDescriptorProto = withImports([file]).map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } } as const;
}

/** Files and all that they import, each after its imports. */
function withImports(files: readonly DescFile[]): DescFile[] {
  const collected = new Set<DescFile>();
  const collect = (file: DescFile): void => {
    if (collected.has(file)) return;
    file.dependencies.forEach(collect);
    collected.add(file);
  };
  files.forEach(collect);
  return [...collected];
}

function failure(errorCode: Code, errorMessage: string) {
  return { case: 'errorResponse', value: { errorCode, errorMessage } } as const;
}

const notFound = failure(Code.NotFound, 'not found');
