import { type DescEnum, type DescEnumValue, getOption } from '@bufbuild/protobuf';
import { json_value as jsonValue } from '../../gen/service/options/v1/options_pb.ts';

const namesByEnum = new WeakMap<DescEnum, ReadonlyMap<number, string>>();

/** Returns the JSON names of an enum's values by number. The zero value, `_UNSPECIFIED`, has none. */
export function enumJsonNames(desc: DescEnum): ReadonlyMap<number, string> {
  let names = namesByEnum.get(desc);
  if (names === undefined) {
    names = new Map(
      desc.values.filter(({ number }) => number !== 0).map((value) => [value.number, nameOf(desc, value)]),
    );
    namesByEnum.set(desc, names);
  }
  return names;
}

function nameOf(desc: DescEnum, value: DescEnumValue): string {
  const prefix = desc.sharedPrefix?.length ?? 0;
  return getOption(value, jsonValue) || value.name.slice(prefix).toLowerCase();
}
