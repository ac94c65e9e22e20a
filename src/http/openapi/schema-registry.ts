import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { messageSchema } from './message-schema.ts';
import type { Direction, Schema, SchemaRegistry } from './schema.ts';

/**
 * Returns a registry that names messages by their last part; where two packages share a name, the package's area comes
 * first, and where a message is both read and written, its form in requests ends in Input.
 */
export function createSchemaRegistry(methods: readonly DescMethod[]): SchemaRegistry {
  const outputs = reachable(methods.map(({ output }) => output));
  const inputs = reachable(methods.map(({ input }) => input));
  const typesByName = new Map<string, Set<string>>();
  for (const desc of [...inputs, ...outputs]) {
    typesByName.set(desc.name, (typesByName.get(desc.name) ?? new Set()).add(desc.typeName));
  }
  const nameOf = (desc: DescMessage, direction: Direction): string => {
    const isShared = (typesByName.get(desc.name)?.size ?? 0) > 1;
    const name = isShared ? areaOf(desc) + desc.name : desc.name;
    return direction === 'input' && outputs.has(desc) ? `${name}Input` : name;
  };
  const schemas = new Map<string, Schema>();
  const registry: SchemaRegistry = {
    refer(desc, direction) {
      const name = nameOf(desc, direction);
      if (!schemas.has(name)) {
        // Present before it is made, since a message may hold itself.
        schemas.set(name, {});
        schemas.set(name, messageSchema(desc, direction, registry));
      }
      return { $ref: `#/components/schemas/${name}` };
    },
    define(desc, direction, variant, schema) {
      const name = nameOf(desc, direction) + toPascalCase(variant);
      schemas.set(name, schema);
      return `#/components/schemas/${name}`;
    },
    components: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return registry;
}

function reachable(roots: readonly DescMessage[]): Set<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (desc: DescMessage): void => {
    if (found.has(desc)) return;
    found.add(desc);
    for (const { message } of desc.fields as readonly DescField[]) if (message !== undefined) visit(message);
  };
  roots.forEach(visit);
  return found;
}

/** The package `service.chat.v1` gives "Chat". */
function areaOf(desc: DescMessage): string {
  return toPascalCase(desc.file.proto.package.split('.').at(-2) ?? '');
}

function toPascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
