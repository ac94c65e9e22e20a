import type { DescMessage } from '@bufbuild/protobuf';

/** A JSON Schema (2020-12), or any other part of the description. */
export type Schema = Record<string, unknown>;

/** A message as it is read in requests, or as it is written in answers. */
export type Direction = 'input' | 'output';

export interface SchemaRegistry {
  /** Returns a reference to a message's schema, which then is among the components. */
  refer(desc: DescMessage, direction: Direction): Schema;
  /** Adds the schema of one variant of a message and returns the address of it. */
  define(desc: DescMessage, direction: Direction, variant: string, schema: Schema): string;
  /** Returns the schemas that were referred to, by name. */
  components(): Record<string, Schema>;
}
