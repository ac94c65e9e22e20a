import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { http } from '../../../gen/google/api/annotations_pb.ts';

const known = new WeakMap<DescMethod, boolean>();

/** Says whether a method may change something: any but one whose every http rule is a GET. */
export function changesSomething(method: DescMethod): boolean {
  let changes = known.get(method);
  if (changes === undefined) {
    changes = !isRead(method);
    known.set(method, changes);
  }
  return changes;
}

function isRead(method: DescMethod): boolean {
  if (!hasOption(method, http)) return false;
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].every(({ pattern }) => pattern.case === 'get');
}
