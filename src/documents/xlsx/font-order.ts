const order = [
  'b',
  'i',
  'strike',
  'condense',
  'extend',
  'outline',
  'shadow',
  'u',
  'vertAlign',
  'sz',
  'color',
  'name',
  'family',
  'charset',
  'scheme',
];

/** Returns a styles part with the children of its fonts in the order of CT_Font (ECMA-376 Part 1, 18.8.22), which exceljs mixes. */
export function orderFonts(stylesXml: string): string {
  return stylesXml.replace(/<font>(.*?)<\/font>/gs, (_, content: string) => {
    const children = [...content.matchAll(/<(\w+)[^>]*\/>/g)];
    const sorted = children.sort(([, one = ''], [, other = '']) => order.indexOf(one) - order.indexOf(other));
    return `<font>${sorted.map(([xml]) => xml).join('')}</font>`;
  });
}
