import { execFileSync } from 'node:child_process';
import { createFileRegistry, type DescMessage, type DescService, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const config = JSON.stringify({
  version: 'v2',
  modules: [{ path: 'proto' }, { path: 'test/http/rest/proto' }],
});
const image = execFileSync(
  'node_modules/.bin/buf',
  ['build', '--config', config, '--as-file-descriptor-set', '--exclude-source-info', '-o', '-'],
  { maxBuffer: 1e8 },
);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));

/** A message with a field of every kind; see proto/test/v1/everything.proto. */
export const Everything = registry.getMessage('test.v1.Everything') as DescMessage;

/** A service whose http rules use all that google.api.http has. */
export const EverythingService = registry.getService('test.v1.EverythingService') as DescService;
