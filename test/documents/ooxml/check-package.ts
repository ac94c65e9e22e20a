import { posix } from 'node:path';
import { readZip } from '../../../src/documents/ooxml/zip.ts';

/**
 * Returns what is wrong with an Open Packaging package and a schema validator does not see (ECMA-376 Part 2):
 * content types without a part, parts without a content type, relationships without a target, ids that repeat,
 * references to relationships that are not there, XML that is not well-formed in its tags. Empty when it is sound.
 */
export function packageProblems(archive: Uint8Array): string[] {
  const parts = readZip(archive);
  const problems: string[] = [];
  const names = new Set(parts.keys());
  const folded = new Map<string, string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (folded.has(lower)) problems.push(`${name} and ${folded.get(lower)} differ in case only`);
    folded.set(lower, name);
  }
  const text = (name: string) => Buffer.from(parts.get(name) ?? new Uint8Array()).toString('utf8');

  const types = text('[Content_Types].xml');
  if (types === '') return ['[Content_Types].xml is missing'];
  const overrides = attributesOf(types, 'Override').map(({ PartName = '' }) => PartName.replace(/^\//, ''));
  const defaults = new Set(
    attributesOf(types, 'Default').map(({ Extension = '' }) => Extension.toLowerCase()),
  );
  for (const name of overrides)
    if (!names.has(name)) problems.push(`content type for ${name}, which is missing`);
  for (const name of repeated(overrides)) problems.push(`two content types for ${name}`);
  for (const name of names) {
    if (name === '[Content_Types].xml' || overrides.includes(name)) continue;
    if (!defaults.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase()))
      problems.push(`no content type for ${name}`);
    else if (name.endsWith('.xml')) problems.push(`only the default content type for ${name}`);
  }

  const reached = new Set<string>();
  for (const name of names) {
    if (!name.endsWith('.rels')) continue;
    const source = posix.join(posix.dirname(posix.dirname(name)), posix.basename(name, '.rels'));
    if (source !== '.rels' && name !== '_rels/.rels' && !names.has(source)) {
      problems.push(`${name} belongs to no part`);
    }
    const relationships = attributesOf(text(name), 'Relationship');
    const ids = relationships.map(({ Id = '' }) => Id);
    for (const id of repeated(ids)) problems.push(`${name}: ${id} twice`);
    for (const { Id, Target = '', TargetMode } of relationships) {
      if (TargetMode === 'External') continue;
      const target = Target.startsWith('/')
        ? Target.slice(1)
        : posix.join(posix.dirname(posix.dirname(name)), Target);
      if (names.has(target)) reached.add(target);
      else problems.push(`${name}: ${Id} leads to ${target}, which is missing`);
    }
    if (name === '_rels/.rels') continue;
    const used = [...text(source).matchAll(/\sr:(?:id|embed|link|pict)="([^"]*)"/g)].map(([, id = '']) => id);
    for (const id of used)
      if (!ids.includes(id)) problems.push(`${source}: ${id} is not in its relationships`);
  }
  for (const name of names) {
    if (name === '[Content_Types].xml' || name.endsWith('.rels')) continue;
    if (!reached.has(name)) problems.push(`nothing leads to ${name}`);
    const rels = posix.join(posix.dirname(name), '_rels', `${posix.basename(name)}.rels`);
    if (name.endsWith('.xml') && !names.has(rels) && /\sr:(?:id|embed|link)="[^"]+"/.test(text(name))) {
      problems.push(`${name} names relationships and has none`);
    }
    if (/\.(xml|rels|vml)$/.test(name)) problems.push(...markupProblems(name, text(name)));
    for (const id of repeated(drawingIds(name, text(name)))) problems.push(`${name}: drawing id ${id} twice`);
  }
  return problems;
}

function drawingIds(name: string, xml: string): string[] {
  if (!/\/(drawings|slides|slideLayouts|slideMasters)\/[^/]+\.xml$|word\/document\.xml$/.test(name))
    return [];
  return [...xml.matchAll(/<(?:p|xdr|wp):(?:cNvPr|docPr)\s[^>]*?\bid="(\d+)"/g)].map(([, id = '']) => id);
}

/** Tags that do not nest, bare ampersands, and characters outside XML 1.0, section 2.2. */
function markupProblems(name: string, xml: string): string[] {
  const open: string[] = [];
  for (const [tag, closing, tagName = '', selfClosing] of xml.matchAll(
    /<(\/?)([A-Za-z_][\w.:-]*)(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/g,
  )) {
    if (closing === '/') {
      if (open.pop() !== tagName) return [`${name}: ${tag} closes another element`];
    } else if (selfClosing !== '/') {
      open.push(tagName);
    }
  }
  if (open.length > 0) return [`${name}: ${open.at(-1)} is left open`];
  const bare = /&(?!amp;|lt;|gt;|quot;|apos;|#\d+;|#x[\da-fA-F]+;)/.exec(xml);
  if (bare !== null) return [`${name}: bare ampersand at ${bare.index}`];
  const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(xml);
  return illegal === null ? [] : [`${name}: character that XML forbids at ${illegal.index}`];
}

function attributesOf(xml: string, tag: string): Record<string, string>[] {
  return [...xml.matchAll(new RegExp(`<${tag}\\s([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  );
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
