import type { Box } from '../../domain/documents/deck-spec.ts';
import { toEmu } from './measures.ts';

/** The position and size of a shape, `a:xfrm`, or of a graphic frame, `p:xfrm` (ECMA-376 Part 1, 20.1.7.6). */
export function transformXml(
  box: Box,
  options: { element?: 'a:xfrm' | 'p:xfrm'; flips?: string } = {},
): string {
  const element = options.element ?? 'a:xfrm';
  return (
    `<${element}${options.flips ?? ''}><a:off x="${toEmu(box.x)}" y="${toEmu(box.y)}"/>` +
    `<a:ext cx="${toEmu(box.w)}" cy="${toEmu(box.h)}"/></${element}>`
  );
}
